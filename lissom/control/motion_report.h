#pragma once
// How a run of a motion went, judged by the true state of the simulated robot.
#include <string>
#include <vector>

#include "lissom/control/motion_runner.h"
#include "lissom/sim/robot_audit.h"

namespace lissom::control {

/// How far the simulated robot may be from what the motion wants, at the end of each hold and in all; a motion that
/// ends beyond has not succeeded. During a hold the center of mass and the posture may be off by twice as much; pushes
/// and the second after them do not count there. Lengths are for a robot whose center of mass is at usual_height, and
/// are scaled for others.
struct Tolerances {
  double limb = .02, limb_angle = .1;  ///< m, rad: of contacts and moved limbs, from their targets
  double com = .045;                   ///< m: of the center of mass, from its target
  double posture = .35;                ///< rad or m: of every joint, in stages that hold a posture
  double joint_limit = .02;            ///< rad or m: beyond a position limit
  double velocity = 1.1;               ///< fraction of a velocity limit
};

/// A contact's extremes over the run.
struct ContactReport {
  std::string name;
  double max_normal = 0;            ///< N, on the simulated robot
  double planned_friction_use = 0;  ///< |tangent| / (friction · normal) of the controller's forces, at most 1
  /// On the simulated robot, 1 where it slipped. While it carries more than 5 % of the weight, and while it carries
  /// less.
  double friction_use = 0, light_friction_use = 0;
  double slip = 0, loaded_slip = 0;  ///< m: in all, and while it carries more than 5 % of the weight
};
/// A motor's extremes over the run.
struct MotorReport {
  std::string joint;
  double max_torque = 0, limit = 0;  ///< N m; the largest that was asked for, before clamping to the limit
  double nearest_limit = 0;          ///< rad or m: smallest distance from a position limit, negative beyond it
  double max_velocity = 0, velocity_limit = 0;  ///< rad/s or m/s, of the simulated robot
  double saturated = -1;                        ///< s, when its torque was first at the limit; negative: never
};
/// A limb at the ends of holds, on the simulated robot.
struct LimbReport {
  std::string frame;
  double distance = 0, angle = 0;  ///< m, rad: the largest, from its target; the angle only of limbs that are turned
  std::string stage;               ///< where the distance was largest
};
/// Constraints of one kind that were relaxed in elastic ticks: the torques of all joints, their accelerations, …
struct ConflictReport {
  std::string name, unit;               ///< the constraint that was relaxed most
  double amount = 0;                    ///< the largest; negative: below a lower limit
  double first = 0, last = 0;           ///< s
  long ticks = 0;                       ///< in which at least one of them was relaxed
  std::vector<std::string> names = {};  ///< of all of them, in the order in which they appeared
};
/// A clearance's extremes over the run.
struct ClearanceReport {
  std::string name;
  double min_distance = 0, required = 0;  ///< m; min_distance as seen by the controller, infinite without a valid tick
  double influence_distance = 0;          ///< m, below which it takes part
  bool automatic = false;                 ///< the plan does not name it: two links that can meet
  bool near() const { return min_distance < influence_distance; }
};
/// How a run went, and the energy of the simulated robot.
struct MotionReport : EnergyFigures {
  /// The motion is done, and at the ends of its holds the simulated robot was where it should be (`misses` is empty).
  bool succeeded = false;
  bool stopped = false;  ///< MotionOptions::stop ended the run
  std::string failure;   ///< why it failed; empty if it succeeded
  double seconds = 0;
  long ticks = 0, elastic_ticks = 0, failed_ticks = 0;
  double first_elastic = -1;                           ///< s, of the first elastic tick; negative: none
  double tick_median = 0, tick_p99 = 0, tick_max = 0;  ///< µs, dynamics included
  double elastic_median = 0, elastic_max = 0;          ///< µs, of elastic ticks
  // The following are those of the simulated robot.
  double max_com_error = 0;                                   ///< m, from its target at that time, over the whole run
  double hold_com_error = 0, hold_posture_error = 0;          ///< m, rad: at the ends of holds
  std::string hold_posture_joint;                             ///< the joint with that error
  double max_hold_com_error = 0, max_hold_posture_error = 0;  ///< m, rad: all the time of holds, but for pushes
  /// With servos: how far a joint was from the position of its reference at most, and which; from its velocity, where
  /// servos follow velocities alone. A servo that gives a torque is off by torque / stiffness, or torque / damping.
  double max_tracking_error = 0;
  std::string tracking_joint, tracking_unit;
  std::vector<LimbReport> limbs;
  std::vector<std::string> misses;        ///< what was not as the motion wants it, in words
  std::vector<ConflictReport> conflicts;  ///< one for each cause, in the order in which they appeared
  std::vector<ContactReport> contacts;
  std::vector<MotorReport> motors;
  /// Those of the plan, and of other pairs of links those that came near.
  std::vector<ClearanceReport> clearances;
  int watched_pairs = 0;  ///< pairs of links that can meet, besides those of the plan
  std::vector<MotionRunner::Transition> transitions;

  double max_friction_use() const;
  double max_slip() const;
  double max_loaded_slip() const;
  double max_torque_use() const;
};

}  // namespace lissom::control
