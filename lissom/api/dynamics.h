#pragma once
// The equations of motion M(q) a + h(q, v) = tau + Σ Jᵀ f, both ways, and everything in them. h includes gravity.
// Friction, damping and springs are not part of these equations.
//
// Each function keeps its result in the workspace until its next call, and has an overload that writes into the
// caller's array instead; that array must have the right size and must not overlap the arguments. What is said of a
// function holds for its overloads.
#include <span>

#include "lissom/api/kinematics.h"
#include "lissom/api/mass_matrix_factor.h"

namespace lissom {

/// A force on a link: at a point, with its components along the axes of a frame.
struct ExternalForce {
  FrameId on;
  Vec3<double> force{0, 0, 0}, torque{0, 0, 0};
  Point at;                  ///< where the force acts
  FrameId in = world_frame;  ///< whose axes `force` and `torque` are given along
};

/// tau for an acceleration: the recursive Newton–Euler algorithm. With external forces the stage of the workspace is
/// positions afterwards.
const Eigen::VectorXd& inverse_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                        const VectorIn& a, std::span<const ExternalForce> external = {});
void inverse_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& a,
                      std::span<const ExternalForce> external, VectorOut tau);
inline void inverse_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                             const VectorIn& a, VectorOut tau) {
  inverse_dynamics(model, work, q, v, a, {}, tau);
}
/// The acceleration for tau: the articulated-body algorithm. Not finite where M is singular. With external forces the
/// stage of the workspace is positions afterwards.
const Eigen::VectorXd& forward_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                        const VectorIn& tau, std::span<const ExternalForce> external = {});
void forward_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& tau,
                      std::span<const ExternalForce> external, VectorOut a);
inline void forward_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                             const VectorIn& tau, VectorOut a) {
  forward_dynamics(model, work, q, v, tau, {}, a);
}
/// M, whole: the composite-rigid-body algorithm, mirrored.
MatrixView mass_matrix(const Model& model, Workspace& work, const VectorIn& q);
void mass_matrix(const Model& model, Workspace& work, const VectorIn& q, MatrixOut M);
/// h(q, v): Coriolis, centrifugal and gravity forces.
const Eigen::VectorXd& bias_forces(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);
void bias_forces(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, VectorOut h);
/// g(q) = h(q, 0).
const Eigen::VectorXd& gravity_forces(const Model& model, Workspace& work, const VectorIn& q);
void gravity_forces(const Model& model, Workspace& work, const VectorIn& q, VectorOut g);
/// C(q, v) with h = C v + g and Ṁ - 2 C skew-symmetric.
MatrixView coriolis_matrix(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);
void coriolis_matrix(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, MatrixOut C);

/// M⁻¹, whole. To solve with M, see MassMatrixFactor.
MatrixView inverse_mass_matrix(const Model& model, Workspace& work, const VectorIn& q);
void inverse_mass_matrix(const Model& model, Workspace& work, const VectorIn& q, MatrixOut M_inverse);

/// A with which the momentum of the moving bodies about their center of mass, along the world's axes, is A v: after
/// forward_kinematics, or with it.
const Columns6& centroidal_map(const Model& model, Workspace& work);
const Columns6& centroidal_map(const Model& model, Workspace& work, const VectorIn& q);
void centroidal_map(const Model& model, Workspace& work, const VectorIn& q, Columns6Out A);
/// That momentum, linear above angular: after forward_kinematics with v, or with it.
const Vector6& centroidal_momentum(const Model& model, Workspace& work);
const Vector6& centroidal_momentum(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);
void centroidal_momentum(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, VectorOut h);
/// Its rate: after forward_kinematics with v and a, or with it.
const Vector6& centroidal_momentum_rate(const Model& model, Workspace& work);
const Vector6& centroidal_momentum_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                        const VectorIn& a);
void centroidal_momentum_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                              const VectorIn& a, VectorOut h_dot);

/// After forward_kinematics with v, or with it.
double kinetic_energy(const Model& model, Workspace& work);
double kinetic_energy(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);
/// After forward_kinematics, or with it; zero where the center of mass is in the plane through the world's origin.
double potential_energy(const Model& model, Workspace& work);
double potential_energy(const Model& model, Workspace& work, const VectorIn& q);

/// Y with inverse_dynamics = Y π (without armature), π = inertial_parameters(model): for each body 1 … n ten elements
/// m, h = m c (3), I_xx I_xy I_xz I_yy I_yz I_zz about the body's origin, along its axes. Link::placement tells how a
/// link's frame lies in its body's.
const Eigen::MatrixXd& regressor(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                 const VectorIn& a);
void regressor(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& a,
               ColumnsOut Y);
Eigen::VectorXd inertial_parameters(const Model& model);
void inertial_parameters(const Model& model, VectorOut parameters);

/// The same by the names of the algorithms.
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
