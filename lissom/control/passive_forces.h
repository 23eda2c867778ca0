#pragma once
// Forces that joints have by themselves, as the description states them: damping, dry friction and springs. The motors
// have to overcome them, or are helped by them.
#include <vector>

#include "lissom/api/workspace.h"

namespace lissom::control {

/// Which of these forces the controller knows, and compensates.
struct PassiveForces {
  bool damping = true, dry_friction = true, springs = true;
  /// rad/s or m/s. Dry friction is compensated in full at this speed and above, and in proportion below: it is never
  /// more than the true one, so that a joint at rest is not driven by noise.
  double friction_speed = .05;
};

// The forces of a model's joints, those of followers (mimic joints) on their leaders. Not for users.
class PassiveForceLaw {
 public:
  PassiveForceLaw(const Model& model, const PassiveForces& options);

  // Adds what the motors have to give against them. `a` are the accelerations of the tick before: a joint that is to
  // begin to move is helped before it does.
  void add(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a, Eigen::VectorXd& bias) const;

 private:
  struct Force {
    int q, v;  // of the leader; q = -1: it has no spring
    double ratio, offset, stiffness, rest, damping, friction;
  };
  std::vector<Force> forces_;
  double friction_speed_;
};

}  // namespace lissom::control
