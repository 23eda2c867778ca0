#pragma once
// Links in frames at their centers of mass, along their own axes: how they move, and what their joints let them do
// there.
#include <vector>

#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

struct ComFrame {
  Eigen::Matrix3d R;         // from the parent's axes to this link's
  Eigen::Vector3d r;         // from the parent's center of mass to this one, along this link's axes
  Eigen::Matrix3d R_W;       // this link in the world
  Eigen::Vector3d omega, v;  // angular velocity, velocity of the center of mass
  Matrix6X s;                // the joint's axes: (u; u × d) each, angular above linear; of a follower: times its ratio
  Matrix6X axes;             // the same without the ratio
  Vector6 c;                 // what its acceleration (α; a) has beside X̂ a_parent + s q̈
};
std::vector<ComFrame> com_frames(const Mechanism& mechanism, const VectorIn& q, const VectorIn& v);

}  // namespace lissom::formulations
