#pragma once
// How other programs write a state. All write the joints that are not named here in the same way.
//   lissom       free joint: q = (x y z, qw qx qy qz), v = (linear, angular) along the body's axes;
//                spherical joint: q = (qw qx qy qz), v = ω along the body's axes
//   pinocchio    (ROS) quaternions are (qx qy qz qw), v is the same; a continuous joint has (cos, sin),
//                a planar one (x y cos sin)
//   mujoco       v of a free joint is linear along the world's axes, angular along the body's
//   world        v of a free joint is along the world's axes, at the body's origin; so is ω of a spherical joint
// Here the world's axes are those of the joint's own frame, which are the world's for a base. blocks.h has the
// convention of bMSd, which takes the velocity of the base's center of mass.
#include <string_view>

#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

enum class Convention { lissom, pinocchio, mujoco, world };
/// The convention of this name; throws an Error that lists the names if there is none.
Convention convention(std::string_view name);

struct State {
  Eigen::VectorXd q, v;
};
/// The same state in another convention. Throws an Error if a size is wrong, an element is not finite, a quaternion or
/// (cos, sin) is not normalized (within 1e-6), or the other program has no such joint (MuJoCo: planar).
State convert(const Model& model, const State& state, Convention from, Convention to);

}  // namespace lissom::formulations
