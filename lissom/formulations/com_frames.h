#pragma once
// Velocities and joint axes of all links, in frames at their centers of mass along their own axes.
#include <vector>

#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

/// One link; all vectors are along its own axes.
struct ComFrame {
  Eigen::Matrix3d R;         ///< from the parent's axes to this link's
  Eigen::Vector3d r;         ///< from the parent's center of mass to this one
  Eigen::Matrix3d R_W;       ///< orientation of this link in the world
  Eigen::Vector3d omega, v;  ///< angular velocity, velocity of the center of mass
  Matrix6X s;                ///< joint axes, (u; u × d) each, angular above linear; times the ratio of a mimic joint
  Matrix6X axes;             ///< the same without the ratio
  Vector6 c;                 ///< bias of the acceleration: (α; a) = X̂ a_parent + s q̈ + c
};
/// The frames of all links, in the order of Mechanism::links.
std::vector<ComFrame> com_frames(const Mechanism& mechanism, const VectorIn& q, const VectorIn& v);

}  // namespace lissom::formulations
