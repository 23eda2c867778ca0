#pragma once
// Inverse dynamics in two passes, with every quantity in its own link's frame: Liu & Jain, section 7 (72–85). Gravity
// is modeled as an acceleration of the base. It is the recursion of dynamics/rnea.h, written out in linear and angular
// parts, for the links of the description.
#include <vector>

#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

/// A force and a torque on a link, at its frame's origin, along its axes.
struct LinkForce {
  int link;  ///< index in Mechanism::links
  Eigen::Vector3d force, torque;
};
/// tau in the model's coordinates. If `joint_wrench` is given, it receives the wrench that each joint transmits to its
/// link, force above torque, at the link's origin, along its axes.
Eigen::VectorXd inverse_dynamics_in_link_frames(const Mechanism& mechanism, const VectorIn& q, const VectorIn& v,
                                                const VectorIn& a, const std::vector<LinkForce>& external = {},
                                                std::vector<Vector6>* joint_wrench = nullptr);

}  // namespace lissom::formulations
