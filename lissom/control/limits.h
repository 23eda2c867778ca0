#pragma once
// Joint limits as bounds on accelerations. A joint may go on only as fast as it can still be stopped, with the
// acceleration `braking`, before its position limit (Del Prete, "Joint position and velocity bounds in discrete-time
// acceleration/torque control of robot manipulators", 2018):
//   v T + v² / (2 braking) ≤ upper - q,  v ≤ velocity limit,
// where T = 4 horizon; above that it is slowed down within `horizon`. Outside of its limits it comes back, with the
// same speed limit.
// Lower bounds never exceed upper ones, and neither asks for more than `acceleration`.
#include "lissom/api/workspace.h"

namespace lissom::control {

struct JointLimits {
  bool positions = true, velocities = true;
  double braking = 20;         // rad/s², m/s²
  double horizon = .01;        // s
  double acceleration = 1000;  // rad/s², m/s²; of every joint
  double margin = 0;           // kept from position limits, rad or m
};

// Bounds of a, for all degrees of freedom; ±1e20 where there is none.
void acceleration_bounds(const Model& model, const JointLimits& limits, const VectorIn& q, const VectorIn& v,
                         Eigen::Ref<Eigen::VectorXd> lower, Eigen::Ref<Eigen::VectorXd> upper);

}  // namespace lissom::control
