#pragma once
// What a run of a motion is judged by. Not for users.
#include "lissom/control/joint_reference.h"
#include "lissom/control/robot_watch.h"

namespace lissom::control {

// Watches a run and writes its report.
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
