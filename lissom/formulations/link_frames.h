#pragma once
// Inverse dynamics by two passes, every quantity in its own link's frame: Liu & Jain, section 7 (72–85). Gravity is an
// acceleration of the base. The same recursion as dynamics/rnea.h, written out in linear and angular parts, for links
// as the description has them.
#include <vector>

#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

// A force on a link, at its frame's origin, along its axes.
struct LinkForce {
  int link;
  Eigen::Vector3d force, torque;
};
// tau in the model's coordinates. `joint_wrench`, where given: what each joint transmits to its link, force above
// torque, at the link's origin, along its axes.
Eigen::VectorXd inverse_dynamics_in_link_frames(const Mechanism& mechanism, const VectorIn& q, const VectorIn& v,
                                                const VectorIn& a, const std::vector<LinkForce>& external = {},
                                                std::vector<Vector6>* joint_wrench = nullptr);

}  // namespace lissom::formulations
