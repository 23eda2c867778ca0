#pragma once
// Passive joint forces, computed. Not for users.
#include <vector>

#include "lissom/api/workspace.h"
#include "lissom/control/passive_forces.h"

namespace lissom::control {

// The forces of a model's joints, those of followers (mimic joints) on their leaders.
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
