#pragma once
// References for robots whose joints take positions or velocities instead of torques: the accelerations of the ticks,
// integrated, within the limits of positions and velocities.
//
// A servo gives the torque stiffness (q_ref - q) + damping (v_ref - v). With
//   v_ref' = a + (v - v_ref) / time_constant
//   q_ref' = v_ref + (q + torque / stiffness - q_ref) / time_constant
// the reference moves as the tick wants the joint to move, and settles where the servo gives the torque of the tick.
// The second terms keep it from drifting away where contacts hold the joints: integrated accelerations alone would
// press the feet against each other more and more. Without stiffness (a velocity servo), v_ref settles at v + torque /
// damping.
#include "lissom/control/tick.h"

namespace lissom::control {

/// What the joints of a robot take.
enum class JointMode { torque, position, velocity };
const char* to_string(JointMode mode);
/// Throws an Error that lists the names if there is none of this name.
JointMode joint_mode_of(const std::string& name);

/// Gains of the servos in the joints; one element per degree of freedom, zero where there is no motor.
struct ServoGains {
  Eigen::VectorXd stiffness, damping;
};
/// Those of a robot without known ones: its full torque at an error of 0.05 rad (or m) and of 2.5 rad/s. A velocity
/// servo has no stiffness.
ServoGains servo_gains(const Model& model, JointMode mode);

/// Integrates the accelerations of ticks. Allocates nothing after construction.
class JointReference {
 public:
  JointReference(const Model& model, const ServoGains& gains, const Eigen::VectorXd& q, double step,
                 double time_constant = .03);

  /// Advances it by one tick, which was solved at the sensed state (q, v). A tick without a solution leaves it at rest.
  void advance(const Tick& tick, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  /// nq and nv elements; those of joints that have no servo are as sensed.
  const Eigen::VectorXd& q() const { return q_; }
  const Eigen::VectorXd& v() const { return v_; }
  /// Whether the servos follow positions, not velocities alone.
  bool has_positions() const { return has_positions_; }

 private:
  struct Servo {
    int q, v;
    double lower, upper, fastest, stiffness, damping;
  };
  void advance(const Servo& servo, double a, double torque, double q, double v);

  std::vector<Servo> servos_;
  Eigen::VectorXd q_, v_;
  bool has_positions_;
  double step_, share_;  // share_: of the way back that a tick makes
};

}  // namespace lissom::control
