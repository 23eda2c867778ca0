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

/// Moves a limb to a new placement, where it may become a contact.
struct LimbMove {
  std::string frame;
  /// Its placement at the end: `to` in the world, or displaced by `by` from where its contact was last.
  std::optional<Pose<double>> to;
  Vec3<double> by = {0, 0, 0};
  double lift = .05;  ///< m, height above the straight line, in the middle
  bool touch = true;  ///< it lands on the ground and becomes a contact
};

/// One stage of a plan.
struct Stage {
  std::string name;
  double seconds = 1;  ///< duration of the motion
  double hold = 0;     ///< s, how long it then stays
  /// Name of the target posture; empty: it stays the same.
  std::optional<std::string> posture;
  /// Target of the center of mass: `com` if given; otherwise above the middle of the contacts `over`, plus `offset`;
  /// otherwise that of the posture.
  std::vector<std::string> over;
  Vec3<double> offset = {0, 0, 0};  ///< z is added to the height of the posture's center of mass
  std::optional<Vec3<double>> com;
  std::vector<std::string> release;  ///< contacts that are released before anything moves
  std::vector<LimbMove> moves;
  double tolerance = .03;  ///< m, of the center of mass, for settling
  double timeout = 3;      ///< s, limit on the duration of landing, and of settling
};

/// Weight and stiffness of each kind of task.
struct MotionGains {
  double com_weight = 100, com_stiffness = 100;
  double posture_weight = .2, posture_stiffness = 40;
  std::map<std::string, double> joint_stiffness = {};  ///< of single joints
  double base_weight = 1, base_stiffness = 40;         ///< orientation of the base
  double limb_weight = 30, limb_stiffness = 500;
  double momentum_weight = .02, momentum_damping = 5;
  double ramp = .15;             ///< s, of contacts that are activated or released
  double friction_factor = .8;   ///< fraction of a contact's friction that the controller uses
  double support_scale = .75;    ///< factor by which support surfaces are scaled about their middle
  double min_normal_force = 30;  ///< N, for contacts that do not give their own
};

/// A motion plan, as read from a file or put together in code.
struct MotionPlan {
  std::string name, description;
  std::map<std::string, Eigen::VectorXd> postures;  ///< q of each, normalized
  std::string start;                                ///< name of the posture in which it begins
  std::vector<Contact> contacts;                    ///< all contacts that are used
  std::vector<std::string> standing;                ///< names of the contacts that are active at the start
  std::vector<Clearance> clearances;                ///< pairs of links that keep a distance
  std::vector<Stage> stages;
  MotionGains gains;

  /// q of a posture; an unknown name is an Error that lists the known ones.
  const Eigen::VectorXd& posture(const std::string& name) const;
};

/// Reads a motion file. The path of its postures is relative to the file. Error with the location in the file, what was
/// found and what was expected.
MotionPlan read_motion_plan(const Model& model, const std::string& path);

}  // namespace lissom::control
