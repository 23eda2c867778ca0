#include "lissom/api/statics.h"

#include "lissom/api/eigen.h"
#include "lissom/api/external_forces.h"
#include "lissom/api/workspace_memory.h"

namespace lissom {

void generalized_forces(const Model& model, Workspace& work, const VectorIn& q, std::span<const ExternalForce> forces,
                        VectorOut tau) {
  expect_size("tau", tau.size(), model.nv());
  expect_forces("forces", model, forces);
  forward_kinematics(model, work, q);
  tau.setZero();
  auto& J = WorkspaceMemory::of(work).columns;
  for (const auto& f : forces) {
    jacobian(model, work, f.on, f.at, f.in, J);
    tau.noalias() += J.transpose() * to_eigen(SpatialVector{f.force, f.torque});
  }
}

Eigen::VectorXd generalized_forces(const Model& model, Workspace& work, const VectorIn& q,
                                   std::span<const ExternalForce> forces) {
  Eigen::VectorXd tau(model.nv());
  generalized_forces(model, work, q, forces, tau);
  return tau;
}

void equilibrium_torques(const Model& model, Workspace& work, const VectorIn& q, std::span<const ExternalForce> forces,
                         VectorOut tau) {
  generalized_forces(model, work, q, forces, tau);
  auto& g = WorkspaceMemory::of(work).v;
  gravity_forces(model, work, q, g);
  tau = g - tau;
}

Eigen::VectorXd equilibrium_torques(const Model& model, Workspace& work, const VectorIn& q,
                                    std::span<const ExternalForce> forces) {
  Eigen::VectorXd tau(model.nv());
  equilibrium_torques(model, work, q, forces, tau);
  return tau;
}

}  // namespace lissom
