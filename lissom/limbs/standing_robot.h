#pragma once
// A robot that stands on its feet, from its file alone: loaded, checked, with a frame for each contact, and a posture
// at rest on level ground.
//
//   const auto robot = load_standing_robot("atlas.urdf");
//   controller.run(robot.model, robot.contacts, robot.q);
#include <functional>

#include "lissom/api/load.h"
#include "lissom/limbs/contacts_file.h"
#include "lissom/limbs/propose.h"
#include "lissom/stance/stance.h"

namespace lissom {

/// How to load a robot that shall stand.
struct StandingOptions {
  /// As for load(); the base is free, unless the robot floats already.
  LoadOptions load = {};
  /// The file with its contacts; empty: ROBOT.contacts.json beside the robot if there is one, otherwise they are
  /// proposed.
  std::string contacts_file = {};
  /// Proposed contacts, without looking for a file.
  bool propose = false;
  /// Asked while a posture is searched for; if true, load_standing_robot() throws an Error. Empty: never.
  std::function<bool()> stop = {};
};

/// The contacts of a robot: those of the file beside robot.file, or proposed. Throws an Error if they cannot be read,
/// or NoFeet.
RobotContacts contacts_of(const Description& robot, const StandingOptions& options = {});

/// A robot with its contacts.
struct RobotWithContacts {
  Model model;  ///< free base, and a frame for each contact
  RobotContacts contacts;
};
/// A robot with its contacts: those of the file beside robot.file, or proposed. Joints that can never move, or move no
/// mass, such as fingers, become fixed unless they belong to legs; a remark says so. Throws
/// an Error if the contacts cannot be read, or NoFeet.
RobotWithContacts with_contacts(Description robot, const StandingOptions& options = {});
/// The same for a file. Throws an Error if the file cannot be used, or the robot has no feet.
RobotWithContacts load_robot_with_contacts(const std::string& file, const StandingOptions& options = {});

/// A robot that stands.
struct StandingRobot {
  Model model;             ///< free base, and a frame for each contact
  RobotContacts contacts;  ///< of the file beside the robot if there is one, otherwise proposed
  Eigen::VectorXd q;       ///< stands on the ground at z = 0 on its feet, balanced
  Stance stance;           ///< forces, torques and margin of q
};
/// Loads a robot, checks that it can be simulated (expect_usable), and finds how it stands. Throws an Error that says
/// what is missing.
StandingRobot load_standing_robot(const std::string& file, const StandingOptions& options = {});

/// The feet as contacts of a stance, anywhere on the ground.
std::vector<StanceContact> stance_contacts(const RobotContacts& contacts, ContactRole role = ContactRole::foot);
/// The same as contacts of a controller.
std::vector<Contact> control_contacts(const RobotContacts& contacts, ContactRole role = ContactRole::foot);
/// The configuration in the posture of the contacts, with the base such that the lowest foot touches z = 0.
Eigen::VectorXd nominal_configuration(const Model& model, const RobotContacts& contacts);

/// Throws an Error, with the findings in the words of `lissom check`, if the robot's motion cannot be computed: it has
/// no mass, its mass matrix is singular, or motors have limits of effort or velocity of 0.
void expect_usable(const Model& model);

}  // namespace lissom
