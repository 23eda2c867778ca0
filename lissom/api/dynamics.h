#pragma once
// Inverse and forward dynamics, M(q) a + h(q, v) = tau + Σ Jᵀ f, and all terms of this equation. h includes gravity.
// Friction, damping and springs are not part of it.
//
// Each function keeps its result in the workspace until its next call, and has an overload that writes into the
// caller's array instead; that array must have the right size and must not overlap the arguments. The comment on a
// function holds for its overloads. An argument of wrong size, or one that is not finite, throws an Error that names
// it.
//
// The first call of coriolis_matrix, inverse_mass_matrix, MassMatrixFactor::inverse or regressor with a workspace
// allocates their memory in it, unless prepare_matrices did. Everything else allocates nothing.
#include <span>

#include "lissom/api/kinematics.h"
#include "lissom/api/mass_matrix_factor.h"

namespace lissom {

/// A force and a torque on a frame's body.
struct ExternalForce {
  FrameId on;
  Vec3<double> force{0, 0, 0}, torque{0, 0, 0};
  Point at;                  ///< the point of application
  FrameId in = world_frame;  ///< `force` and `torque` are along the axes of this frame
};

/// Allocates what coriolis_matrix, inverse_mass_matrix, MassMatrixFactor::inverse and regressor need, so that none of
/// their calls does.
void prepare_matrices(const Model& model, Workspace& work);

/// The generalized forces tau for the acceleration a, by the recursive Newton–Euler algorithm. With external forces the
/// stage of the workspace is `positions` afterwards.
const Eigen::VectorXd& inverse_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                        const VectorIn& a, std::span<const ExternalForce> external = {});
void inverse_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& a,
                      std::span<const ExternalForce> external, VectorOut tau);
inline void inverse_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                             const VectorIn& a, VectorOut tau) {
  inverse_dynamics(model, work, q, v, a, {}, tau);
}
/// The acceleration for the generalized forces tau, by the articulated-body algorithm. Not finite if M is singular.
/// With external forces the stage of the workspace is `positions` afterwards.
const Eigen::VectorXd& forward_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                        const VectorIn& tau, std::span<const ExternalForce> external = {});
void forward_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& tau,
                      std::span<const ExternalForce> external, VectorOut a);
inline void forward_dynamics(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                             const VectorIn& tau, VectorOut a) {
  forward_dynamics(model, work, q, v, tau, {}, a);
}
/// The mass matrix M, both triangles, by the composite-rigid-body algorithm.
MatrixView mass_matrix(const Model& model, Workspace& work, const VectorIn& q);
void mass_matrix(const Model& model, Workspace& work, const VectorIn& q, MatrixOut M);
/// The bias forces h(q, v): Coriolis, centrifugal and gravity forces.
const Eigen::VectorXd& bias_forces(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);
void bias_forces(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, VectorOut h);
/// The gravity forces g(q) = h(q, 0).
const Eigen::VectorXd& gravity_forces(const Model& model, Workspace& work, const VectorIn& q);
void gravity_forces(const Model& model, Workspace& work, const VectorIn& q, VectorOut g);
/// The Coriolis matrix C(q, v), for which h = C v + g and Ṁ - 2 C is skew-symmetric.
MatrixView coriolis_matrix(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);
void coriolis_matrix(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, MatrixOut C);

/// M⁻¹, both triangles. To solve with M, use MassMatrixFactor.
MatrixView inverse_mass_matrix(const Model& model, Workspace& work, const VectorIn& q);
void inverse_mass_matrix(const Model& model, Workspace& work, const VectorIn& q, MatrixOut M_inverse);

/// The centroidal momentum matrix A, 6 × nv: the momentum of the moving bodies about their center of mass, along the
/// world's axes, is A v. Without q, it uses the positions of the last forward_kinematics.
const Columns6& centroidal_map(const Model& model, Workspace& work);
const Columns6& centroidal_map(const Model& model, Workspace& work, const VectorIn& q);
void centroidal_map(const Model& model, Workspace& work, Columns6Out A);
void centroidal_map(const Model& model, Workspace& work, const VectorIn& q, Columns6Out A);
/// This momentum, linear above angular. Without q and v, it uses the state of the last forward_kinematics with v.
const Vector6& centroidal_momentum(const Model& model, Workspace& work);
const Vector6& centroidal_momentum(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);
void centroidal_momentum(const Model& model, Workspace& work, VectorOut h);
void centroidal_momentum(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, VectorOut h);
/// The time derivative of this momentum. Without q, v and a, it uses those of the last forward_kinematics with v and a.
const Vector6& centroidal_momentum_rate(const Model& model, Workspace& work);
const Vector6& centroidal_momentum_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                        const VectorIn& a);
void centroidal_momentum_rate(const Model& model, Workspace& work, VectorOut h_dot);
void centroidal_momentum_rate(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                              const VectorIn& a, VectorOut h_dot);

/// The kinetic energy, in J. Without q and v, it uses the state of the last forward_kinematics with v.
double kinetic_energy(const Model& model, Workspace& work);
double kinetic_energy(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);
/// The potential energy of gravity, in J; zero if the center of mass is as high as the world's origin. Without q, it
/// uses the positions of the last forward_kinematics.
double potential_energy(const Model& model, Workspace& work);
double potential_energy(const Model& model, Workspace& work, const VectorIn& q);

/// The regressor Y, nv × 10 n: inverse_dynamics = Y π (without armature), π = inertial_parameters(model). π has ten
/// elements for each body 1 … n: m, h = m c (3), I_xx I_xy I_xz I_yy I_yz I_zz about the body's origin, along its axes.
/// Link::placement is the pose of a link's frame in its body's frame.
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
