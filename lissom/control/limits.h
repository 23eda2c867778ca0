#pragma once
// Joint limits as bounds on accelerations. A joint may move only so fast that it can still be stopped, with the
// deceleration `braking`, before its position limit (Del Prete, "Joint position and velocity bounds in discrete-time
// acceleration/torque control of robot manipulators", 2018):
//   v T + v² / (2 braking) ≤ upper - q,  v ≤ velocity limit,
// where T = 4 horizon; a joint that is faster is slowed down within `horizon`. Outside its limits it returns, with the
// same limit on its speed. Lower bounds never exceed upper ones, and neither exceeds `acceleration` in magnitude.
#include "lissom/api/workspace.h"

namespace lissom::control {

/// Which joint limits are kept, and how.
struct JointLimits {
  bool positions = true, velocities = true;
  double braking = 20;         ///< rad/s² or m/s²
  double horizon = .01;        ///< s
  double acceleration = 1000;  ///< rad/s² or m/s², maximum of every joint
  double margin = 0;           ///< rad or m, kept from position limits
};

/// Writes bounds of a for all degrees of freedom; ±1e20 for those without limits.
void acceleration_bounds(const Model& model, const JointLimits& limits, const VectorIn& q, const VectorIn& v,
                         Eigen::Ref<Eigen::VectorXd> lower, Eigen::Ref<Eigen::VectorXd> upper);

}  // namespace lissom::control
