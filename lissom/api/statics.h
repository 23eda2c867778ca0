#pragma once
// Statics: the generalized forces of forces on links. In M a + h = tau + Σ Jᵀ f, a force f on a frame contributes Jᵀ f;
// a robot is at rest under these forces and gravity if tau = g - Σ Jᵀ f.
#include <span>

#include "lissom/api/dynamics.h"

namespace lissom {

/// Σ Jᵀ f, nv elements: the generalized forces of the given forces. The stage of the workspace is `positions`
/// afterwards.
void generalized_forces(const Model& model, Workspace& work, const VectorIn& q, std::span<const ExternalForce> forces,
                        VectorOut tau);
Eigen::VectorXd generalized_forces(const Model& model, Workspace& work, const VectorIn& q,
                                   std::span<const ExternalForce> forces);

/// g(q) - Σ Jᵀ f, nv elements: the generalized forces tau with which the robot stays at rest. The stage of the
/// workspace is `positions` afterwards.
void equilibrium_torques(const Model& model, Workspace& work, const VectorIn& q, std::span<const ExternalForce> forces,
                         VectorOut tau);
Eigen::VectorXd equilibrium_torques(const Model& model, Workspace& work, const VectorIn& q,
                                    std::span<const ExternalForce> forces = {});

}  // namespace lissom
