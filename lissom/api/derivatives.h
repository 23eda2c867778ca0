#pragma once
// Derivatives of inverse and forward dynamics. Derivatives with respect to q are along the tangent space: column j
// tells what happens if q moves by integrate(q, e_j, ε). External forces move with their bodies, as Pinocchio's do:
// they keep their components in the body's frame. The derivative with respect to a force on a frame is -Jᵀ for tau and
// M⁻¹ Jᵀ for a, with the Jacobian of that frame (kinematics.h); the derivative of tau with respect to inertial
// parameters is the regressor Y (dynamics.h). Robots with closed loops: constraints/closed_loop_derivatives.h. Steps of
// integrators: sim/linearize_step.h.
//
// The products do not need these matrices: a Jacobian-vector product (jvp) is the change of the result along a
// direction, a vector-Jacobian product (vjp) is the gradient of weightsᵀ result, as reverse-mode differentiation needs
// it. Each takes two to three times as long as the function itself.
//
// The first call of one of these functions with a workspace allocates their memory in it, unless prepare_derivatives
// did; later calls allocate nothing, except for those that linearize. Results stay in the workspace until the next call
// of the same function; every function has an overload that writes into the caller's arrays. Errors are those of
// dynamics.h.
#include "lissom/api/dynamics.h"

namespace lissom {

/// Allocates what the functions below need, so that none of their calls does (but those that linearize;
/// forward_dynamics_parameter_derivatives also needs prepare_matrices).
void prepare_derivatives(const Model& model, Workspace& work);

/// The derivatives of inverse dynamics, in the workspace.
struct InverseDynamicsDerivatives {
  MatrixView dtau_dq, dtau_dv;
  MatrixView M;  ///< ∂tau/∂a, the mass matrix, both triangles
};
/// The derivatives of tau = inverse_dynamics(q, v, a), each nv × nv, by the recursion of Singh, Russell and Wensing
/// (2022).
InverseDynamicsDerivatives inverse_dynamics_derivatives(const Model& model, Workspace& work, const VectorIn& q,
                                                        const VectorIn& v, const VectorIn& a,
                                                        std::span<const ExternalForce> external = {});
void inverse_dynamics_derivatives(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                  const VectorIn& a, std::span<const ExternalForce> external, MatrixOut dtau_dq,
                                  MatrixOut dtau_dv, MatrixOut M);

/// The derivatives of forward dynamics, in the workspace.
struct ForwardDynamicsDerivatives {
  const Eigen::VectorXd& a;  ///< forward_dynamics(q, v, tau)
  MatrixView da_dq, da_dv;
  MatrixView M_inverse;  ///< ∂a/∂tau, both triangles
};
/// The derivatives of a = forward_dynamics(q, v, tau), each nv × nv.
ForwardDynamicsDerivatives forward_dynamics_derivatives(const Model& model, Workspace& work, const VectorIn& q,
                                                        const VectorIn& v, const VectorIn& tau,
                                                        std::span<const ExternalForce> external = {});
void forward_dynamics_derivatives(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                  const VectorIn& tau, std::span<const ExternalForce> external, VectorOut a,
                                  MatrixOut da_dq, MatrixOut da_dv, MatrixOut M_inverse);

/// ∂a/∂π = -M⁻¹ Y of a = forward_dynamics(q, v, tau) with respect to π = inertial_parameters(model), for constant tau
/// and external forces: nv × 10 n, as the regressor Y(q, v, a).
Eigen::MatrixXd forward_dynamics_parameter_derivatives(const Model& model, Workspace& work, const VectorIn& q,
                                                       const VectorIn& v, const VectorIn& tau,
                                                       std::span<const ExternalForce> external = {});
void forward_dynamics_parameter_derivatives(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                            const VectorIn& tau, std::span<const ExternalForce> external,
                                            ColumnsOut da);

/// A change of the arguments of inverse or forward dynamics, each of nv elements.
struct DynamicsDirection {
  VectorIn dq, dv;
  VectorIn last;  ///< da for inverse dynamics, dtau for forward dynamics
};
/// The gradient of a weighted sum of results.
struct DynamicsGradient {
  Eigen::VectorXd q, v;
  Eigen::VectorXd last;  ///< with respect to a for inverse dynamics, to tau for forward dynamics
};

/// The change of tau = inverse_dynamics(q, v, a) along (dq, dv, da).
const Eigen::VectorXd& inverse_dynamics_jvp(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                            const VectorIn& a, const DynamicsDirection& direction,
                                            std::span<const ExternalForce> external = {});
void inverse_dynamics_jvp(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& a,
                          const DynamicsDirection& direction, std::span<const ExternalForce> external, VectorOut dtau);
/// The gradient of weightsᵀ inverse_dynamics(q, v, a).
const DynamicsGradient& inverse_dynamics_vjp(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                             const VectorIn& a, const VectorIn& weights,
                                             std::span<const ExternalForce> external = {});
void inverse_dynamics_vjp(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& a,
                          const VectorIn& weights, std::span<const ExternalForce> external, VectorOut gradient_q,
                          VectorOut gradient_v, VectorOut gradient_a);
/// The change of a = forward_dynamics(q, v, tau) along (dq, dv, dtau).
const Eigen::VectorXd& forward_dynamics_jvp(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                            const VectorIn& tau, const DynamicsDirection& direction,
                                            std::span<const ExternalForce> external = {});
void forward_dynamics_jvp(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                          const VectorIn& tau, const DynamicsDirection& direction,
                          std::span<const ExternalForce> external, VectorOut da);
/// The gradient of weightsᵀ forward_dynamics(q, v, tau).
const DynamicsGradient& forward_dynamics_vjp(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                             const VectorIn& tau, const VectorIn& weights,
                                             std::span<const ExternalForce> external = {});
void forward_dynamics_vjp(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                          const VectorIn& tau, const VectorIn& weights, std::span<const ExternalForce> external,
                          VectorOut gradient_q, VectorOut gradient_v, VectorOut gradient_tau);

/// The derivatives of q1 = integrate(model, q, v, dt), in the tangent spaces of q and q1, each nv × nv: with blocks of
/// one joint each on the diagonal; the identity and dt where q̇ = v.
struct IntegrateDerivatives {
  MatrixView dq, dv;
};
IntegrateDerivatives integrate_derivatives(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                           double dt);
void integrate_derivatives(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, double dt,
                           MatrixOut dq, MatrixOut dv);

/// The equation of motion about a state, for the error x = (δq, δv) of 2 nv elements, δq in the tangent space of q, and
/// the input δtau.
struct Linearization {
  Matrix A, B;  ///< 2 nv × 2 nv and 2 nv × nv
};
/// Continuous time: ẋ = A x + B δtau about the motion through (q, v) with the generalized forces tau. The upper rows of
/// A are (-ad_v, 1): where q̇ = v, they are (0, 1).
Linearization linearize(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& tau);
void linearize(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& tau,
               MatrixOut A, MatrixOut B);
/// The same from the derivatives of any acceleration a(q, v, tau), each nv × nv.
Linearization linearization_of(const Model& model, const VectorIn& v, const MatrixIn& da_dq, const MatrixIn& da_dv,
                               const MatrixIn& da_dtau);
void linearization_of(const Model& model, const VectorIn& v, const MatrixIn& da_dq, const MatrixIn& da_dv,
                      const MatrixIn& da_dtau, MatrixOut A, MatrixOut B);
/// Discrete time: x(t + dt) = A x(t) + B δtau for one step of the semi-implicit Euler method, v1 = v + dt
/// forward_dynamics(q, v, tau), q1 = integrate(q, v1, dt): exactly that of `batch::step` and `lissom sim`.
Linearization linearize(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& tau,
                        double dt);
void linearize(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& tau,
               double dt, MatrixOut A, MatrixOut B);

}  // namespace lissom
