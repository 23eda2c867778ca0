#pragma once
// How a run of a motion went, judged by the true state of the simulated robot.
#include <string>
#include <vector>

#include "lissom/control/joint_reference.h"
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
  double begin = 0;                       ///< m, the distance from which on it takes part
  bool automatic = false;                 ///< the plan does not name it: two links that can meet
  bool near() const { return min_distance < begin; }
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
  // Of the simulated robot.
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

// The parts of a report that RobotWatch writes.
struct RobotFigures {
  std::vector<ContactReport>& contacts;
  std::vector<MotorReport>& motors;
  std::vector<ConflictReport>& conflicts;
};

// Watches the motors and contacts of a simulated robot, and conflicts of its controller. Not for users.
class RobotWatch {
 public:
  // motors: degrees of freedom; contacts: in the order of the controller's and the robot's.
  RobotWatch(const Model& model, std::vector<int> motors, const std::vector<Contact>& contacts,
             const sim::SimulatedRobot& robot, RobotFigures report);
  void watch(const Tick& tick);
  // The motors whose torques were at their limits, in words; empty if none was.
  std::string saturated() const;
  // Joints that went beyond their limits of position or velocity, in words.
  std::vector<std::string> beyond_limits(const Tolerances& tolerances) const;

 private:
  void watch_motors(const Tick& tick);
  void watch_contacts(const Tick& tick);
  void watch_conflicts(const Tick& tick);

  const Model& model_;
  std::vector<int> dofs_;
  const sim::SimulatedRobot& robot_;
  RobotFigures report_;
  double weight_;
};

// Watches a run and writes its report. Not for users.
class MotionWatch {
 public:
  MotionWatch(const Model& model, MotionRunner& runner, const sim::SimulatedRobot& robot, const Tolerances& tolerances,
              MotionReport& report);
  // After each tick; tick_us: the time that the controller took.
  void watch(const Tick& tick, double tick_us);
  // After watch(), of a robot with servos.
  void track(const JointReference& reference);
  // Whether the center of mass is so far from its target that the robot has fallen.
  bool fallen() const { return com_error_ > .8 * runner_.height(); }
  double com_error() const { return com_error_; }
  // The motors whose torques were at their limits, in words; empty if none was.
  std::string saturated() const { return robot_watch_.saturated(); }
  // At the end: judges what was seen.
  void judge();

 private:
  void look_at_hold();
  void look_during_hold();
  bool is_pushed() const;
  std::pair<const Joint*, double> worst_joint();
  void end_hold();
  void look_at_limbs();
  void look_at_posture();
  void sum_up();

  const Model& model_;
  MotionRunner& runner_;
  const sim::SimulatedRobot& robot_;
  Tolerances tolerances_;
  MotionReport& report_;
  Workspace work_;  // at the true state, with the true masses
  RobotWatch robot_watch_;
  double size_;
  bool holding_ = false;
  std::size_t stage_ = 0, during_missed_ = std::size_t(-1);  // missed: the last stage that was off during its hold
  // At the last tick of a hold, so far.
  double com_error_ = 0, com_tolerance_ = 0;  // m
  Vec3<double> held_com_ = {0, 0, 0};
  std::vector<MotionRunner::LimbTarget> targets_;
  Eigen::VectorXd desired_, q_, difference_;
  std::vector<double> times_, elastic_times_;
};

}  // namespace lissom::control
