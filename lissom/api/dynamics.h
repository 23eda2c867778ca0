#pragma once
// The equations of motion M(q) a + h(q, v) = tau + Σ Jᵀ f, both ways, and everything in them. Results stay in the
// workspace until the next call that writes them. h includes gravity. Friction, damping and springs are not part of
// these equations.
#include <span>

#include "lissom/api/kinematics.h"

namespace lissom {

// A force on a link: at a point, with its components along the axes of a frame.
struct ExternalForce {
  FrameId on;
  Vec3<double> force{0, 0, 0}, torque{0, 0, 0};
  Point at;                  // where the force acts
  FrameId in = world_frame;  // whose axes `force` and `torque` are given along
};

// tau for an acceleration: the recursive Newton–Euler algorithm.
const Eigen::VectorXd& inverse_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                        const VectorIn& a, std::span<const ExternalForce> external = {});
// The acceleration for tau: the articulated-body algorithm. Not finite where M is singular.
const Eigen::VectorXd& forward_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                        const VectorIn& tau, std::span<const ExternalForce> external = {});
// M, whole: the composite-rigid-body algorithm, mirrored.
MatrixView mass_matrix(const Model& model, Workspace& work, const VectorIn& q);
// h(q, v), g(q), and C(q, v) with h = C v + g and Ṁ - 2 C skew-symmetric.
const Eigen::VectorXd& bias_forces(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);
const Eigen::VectorXd& gravity_forces(const Model& model, Workspace& work, const VectorIn& q);
MatrixView coriolis_matrix(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);

// M(q) = Lᵀ D L, as sparse as the tree. solve() then gives M⁻¹ b as often as wanted.
struct MassMatrixFactor {
  MatrixView L;  // unit lower triangular
  const Eigen::VectorXd& D;
};
MassMatrixFactor factorize_mass_matrix(const Model& model, Workspace& work, const VectorIn& q);
const Eigen::VectorXd& solve(const Model& model, Workspace& work, const VectorIn& b);
MatrixView inverse_mass_matrix(const Model& model, Workspace& work, const VectorIn& q);

// Momentum of the moving bodies about their centre of mass, along the world's axes: h = A v, and its rate.
const Columns6& centroidal_map(const Model& model, Workspace& work, const VectorIn& q);
const Vector6& centroidal_momentum(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);
const Vector6& centroidal_momentum_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                        const VectorIn& a);

double kinetic_energy(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);
double potential_energy(const Model& model, Workspace& work, const VectorIn& q);

// Y with inverse_dynamics = Y π (without armature), π = inertial_parameters(model): for each body 1 … n ten numbers m,
// h = m c (3), I_xx I_xy I_xz I_yy I_yz I_zz about the body's origin, along its axes. Link::placement tells how a
// link's frame lies in its body's.
const Eigen::MatrixXd& regressor(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                 const VectorIn& a);
Eigen::VectorXd inertial_parameters(const Model& model);

// The same by the names of the algorithms.
inline const Eigen::VectorXd& rnea(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                   const VectorIn& a) {
  return inverse_dynamics(model, work, q, v, a);
}
inline const Eigen::VectorXd& aba(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                  const VectorIn& tau) {
  return forward_dynamics(model, work, q, v, tau);
}
inline MatrixView crba(const Model& model, Workspace& work, const VectorIn& q) {
  return mass_matrix(model, work, q);
}

}  // namespace lissom
