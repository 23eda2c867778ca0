#pragma once
// Forces on links, seen by the joints. With M a + h = tau + Σ Jᵀ f, a force f on a frame acts on the joints as Jᵀ f
// whatever gravity does; what holds the robot still against it and against gravity is g - Σ Jᵀ f.
#include <span>

#include "lissom/api/dynamics.h"

namespace lissom {

/// Σ Jᵀ f, nv elements: what the forces do to the joints. Leaves the stage of the workspace at positions.
void generalized_forces(const Model& model, Workspace& work, const VectorIn& q, std::span<const ExternalForce> forces,
                        VectorOut tau);
Eigen::VectorXd generalized_forces(const Model& model, Workspace& work, const VectorIn& q,
                                   std::span<const ExternalForce> forces);

/// g(q) - Σ Jᵀ f, nv elements: the torques with which the robot stays at rest. Leaves the stage of the workspace at
/// positions.
void equilibrium_torques(const Model& model, Workspace& work, const VectorIn& q, std::span<const ExternalForce> forces,
                         VectorOut tau);
Eigen::VectorXd equilibrium_torques(const Model& model, Workspace& work, const VectorIn& q,
                                    std::span<const ExternalForce> forces = {});

}  // namespace lissom
