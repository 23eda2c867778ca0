#pragma once
// Clearances between the links of a robot that can meet, found from its shapes: nobody has to name them.
#include <vector>

#include <Eigen/Core>

#include "lissom/control/clearance.h"

namespace lissom::control {

/// Clearances for the pairs of links that can meet. Each link with collision shapes (meshes aside) has a capsule around
/// them. Pairs are left out if their links are joined, if their capsules are nearer than 2 cm in one of the postures,
/// which the robot is to be in, and if they never come near each other in a thousand random configurations within the
/// joint limits. Where a pair is nearer than the usual influence distance in a posture, its own is as small as that.
/// Deterministic.
std::vector<Clearance> self_clearances(const Model& model, const std::vector<Eigen::VectorXd>& postures);

}  // namespace lissom::control
