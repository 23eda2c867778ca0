#pragma once
// How other programs write a state. Joints that are not named here are written alike everywhere.
//   lissom       free: q = (x y z, qw qx qy qz), v = (linear, angular) along the body's axes; ball: (qw qx qy qz), ω
//   likewise pinocchio    (ROS) quaternions (qx qy qz qw), the same v; a continuous joint is (cos, sin), a planar one
//   (x y cos sin) mujoco       v of a free joint: linear along the world's axes, angular along the body's world v of a
//   free joint: both along the world's axes, at the body's origin; ω of a ball joint along its frame's
// World: the axes of the joint's own frame, which are the world's for a base. blocks.h has bMSd's, which moves the
// point to the base's center of mass.
#include <string_view>

#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

enum class Convention { lissom, pinocchio, mujoco, world };
Convention convention(std::string_view name);  // Error that lists the names

struct State {
  Eigen::VectorXd q, v;
};
// The same state, written otherwise. Error where a size is wrong, a number not finite, a quaternion or (cos, sin) not
// of length 1 (within 1e-6), or where the other program has no such joint (MuJoCo: planar).
State convert(const Model& model, const State& state, Convention from, Convention to);

}  // namespace lissom::formulations
