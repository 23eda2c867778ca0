#include "lissom/api/statics.h"

#include <cmath>

namespace lissom {
namespace {

void expect_force(const ExternalForce& f, std::size_t i) {
  const auto sum = f.force + f.torque + f.at.position;
  if (!std::isfinite(sum.x + sum.y + sum.z))
    throw Error("forces[" + std::to_string(i) + "] holds what is no number; expected finite force, torque and point");
}

void expect_size(const Eigen::Ref<Eigen::VectorXd>& tau, int nv) {
  if (tau.size() != nv)
    throw Error("tau has " + std::to_string(tau.size()) + " numbers; this model expects " + std::to_string(nv));
}

}  // namespace

void joint_forces(const Model& model, Workspace& work, const VectorIn& q, std::span<const ExternalForce> forces,
                  Eigen::Ref<Eigen::VectorXd> tau) {
  expect_size(tau, model.nv());
  for (std::size_t i = 0; i < forces.size(); ++i) expect_force(forces[i], i);
  if (forces.empty()) forward_kinematics(model, work, q);  // for its checks
  tau.setZero();
  for (const auto& f : forces) {
    Vector6 wrench;
    wrench << to_eigen(f.force), to_eigen(f.torque);
    tau.noalias() += jacobian(model, work, q, f.on, f.at, f.in).transpose() * wrench;
  }
}

Eigen::VectorXd joint_forces(const Model& model, Workspace& work, const VectorIn& q,
                             std::span<const ExternalForce> forces) {
  Eigen::VectorXd tau(model.nv());
  joint_forces(model, work, q, forces, tau);
  return tau;
}

void equilibrium_torques(const Model& model, Workspace& work, const VectorIn& q, std::span<const ExternalForce> forces,
                         Eigen::Ref<Eigen::VectorXd> tau) {
  joint_forces(model, work, q, forces, tau);
  tau = gravity_forces(model, work, q) - tau;
}

Eigen::VectorXd equilibrium_torques(const Model& model, Workspace& work, const VectorIn& q,
                                    std::span<const ExternalForce> forces) {
  Eigen::VectorXd tau(model.nv());
  equilibrium_torques(model, work, q, forces, tau);
  return tau;
}

}  // namespace lissom
