#pragma once
// A motion plan is a list of stages: which posture and center of mass to go to, which contacts are made and released,
// which limb moves where. It is read from a JSON file (docs/control.md) and executed by a MotionRunner
// (motion_runner.h).
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lissom/api/postures.h"
#include "lissom/constraints/contact.h"
#include "lissom/control/clearance.h"
#include "lissom/control/task.h"

namespace lissom::control {

/// A gain or tolerance that is chosen from the weight and the size of the robot (resolved()).
inline constexpr double automatic = -1;

/// m: the height of the center of mass of a robot for which gains, tolerances and speeds are given. Those of others are
/// scaled.
inline constexpr double usual_height = .75;

/// Moves a limb to a new placement, where it may become a contact.
struct LimbMove {
  std::string frame;
  /// Its placement at the end: `to` in the world, or displaced by `by` from where its contact was last. Its z axis is
  /// the normal of the surface on which it lands.
  std::optional<Pose<double>> to = {};
  Vec3<double> by = {0, 0, 0};
  double lift = .05;  ///< m, height above the straight line, in the middle, along the normals of the surfaces
  bool touch = true;  ///< it lands there and becomes a contact
};

/// One stage of a plan.
struct Stage {
  std::string name;
  double seconds = 1;  ///< duration of the motion
  double hold = 0;     ///< s, how long it then stays
  /// Name of the target posture; empty: it stays the same.
  std::optional<std::string> posture = {};
  /// Target of the center of mass: `com` if given; otherwise above the middle of the contacts `over`, plus `offset`;
  /// otherwise that of the posture.
  std::vector<std::string> over = {};
  Vec3<double> offset = {0, 0, 0};  ///< z is added to the height of the posture's center of mass
  std::optional<Vec3<double>> com = {};
  std::vector<std::string> release = {};  ///< contacts that are released before anything moves
  std::vector<LimbMove> moves = {};
  double tolerance = automatic;  ///< m, of the center of mass, for settling; automatic: 4 % of its height
  double timeout = 3;            ///< s, limit on the duration of landing, and of settling
};

/// Weight and stiffness of each kind of task. Those that are automatic follow from the size of the robot: stiffnesses
/// are inversely proportional to the height of its center of mass, as the rate at which it falls is; the values below
/// are those of usual_height.
struct MotionGains {
  double com_weight = 100, com_stiffness = automatic;          ///< 100 / s²
  double posture_weight = .2, posture_stiffness = automatic;   ///< 40 / s²
  std::map<std::string, double> joint_stiffness = {};          ///< of single joints
  double base_weight = 1, base_stiffness = automatic;          ///< orientation of the base; 40 / s²
  double limb_weight = 30, limb_stiffness = automatic;         ///< 500 / s²
  double momentum_weight = .02, momentum_damping = automatic;  ///< 5 / s
  double ramp = automatic;  ///< s, of contacts that are activated or released; 0.15 s
  // Margins (ContactMargins): the controller goes beyond them where balance needs it.
  double friction_factor = .8;          ///< fraction of a contact's friction
  double support_scale = .75;           ///< factor by which support surfaces are scaled about their middle
  double min_normal_force = automatic;  ///< N, for contacts that do not give their own; 5 % of the weight
};
/// The gains without `automatic`, for a robot of this weight (N) with its center of mass at this height (m).
MotionGains resolved(const MotionGains& gains, double weight, double height);

/// The name of a contact; if empty, that of its frame.
const std::string& name_of(const Contact& contact);

/// A motion plan, as read from a file or put together in code.
struct MotionPlan {
  std::string name, description;
  std::map<std::string, Eigen::VectorXd> postures;  ///< q of each, normalized
  std::string start;                                ///< name of the posture in which it begins
  std::vector<Contact> contacts;                    ///< all contacts that are used
  std::vector<std::string> standing;                ///< names of the contacts that are active at the start
  std::vector<Clearance> clearances;                ///< pairs of links that keep a distance
  bool self_clearances = true;                      ///< so do all other links that can meet (self_clearance.h)
  std::vector<Stage> stages;
  MotionGains gains;

  /// q of a posture; an unknown name is an Error that lists the known ones.
  const Eigen::VectorXd& posture(const std::string& name) const;
};

/// Reads a motion file. The path of its postures is relative to the file. `known`: contacts of the robot (those of its
/// contacts file, or proposed); a contact of the file at the frame of one of them is like that, but for what the file
/// says. Error with the location in the file, what was found and what was expected.
MotionPlan read_motion_plan(const Model& model, const std::string& path, const std::vector<Contact>& known = {});

}  // namespace lissom::control
