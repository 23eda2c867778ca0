#pragma once
// How other programs write the state of free and ball joints. Joints of one degree of freedom, and planar joints, are
// written alike everywhere.
//   lissom             q = (x y z, qw qx qy qz)   v = (linear, angular), both along the body's axes
//   pinocchio, ROS     q = (x y z, qx qy qz qw)   v = the same as lissom's
//   mujoco             q = (x y z, qw qx qy qz)   v = (linear along the world's axes, angular along the body's)
//   world              q = (x y z, qw qx qy qz)   v = (linear, angular), both along the world's axes, of the body's
//   origin
// World: the axes of the joint's own frame, which are the world's for a base. blocks.h has bMSd's, which moves the
// point to the base's centre of mass.
#include <string_view>

#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

enum class Convention { lissom, pinocchio, mujoco, world };
Convention convention(std::string_view name);  // Error that lists the names

struct State {
  Eigen::VectorXd q, v;
};
// The same state, written otherwise. Error where a quaternion is not of length 1 (within 1e-6) or a size is wrong.
State convert(const Model& model, const State& state, Convention from, Convention to);

}  // namespace lissom::formulations
