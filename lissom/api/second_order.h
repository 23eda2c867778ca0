#pragma once
// Derivatives of Jacobians and of the centroidal momentum, and second derivatives of dynamics, contracted with a vector
// as differential dynamic programming needs them. As in derivatives.h, q moves in the tangent space. The functions
// return new matrices; their overloads write into the caller's arrays, and allocate nothing after their first call with
// a workspace. Errors are those of dynamics.h.
#include "lissom/api/derivatives.h"

namespace lissom {

/// The derivatives of J = jacobian(model, work, of), at the frame's own origin and along the world's axes (the
/// kinematic Hessian): 6 nv × nv. Column j is ∂J/∂q_j, column after column; ∂J_k/∂q_j is block (6 k, j).
Eigen::MatrixXd jacobian_derivatives(const Model& model, Workspace& work, const VectorIn& q, FrameId of);
void jacobian_derivatives(const Model& model, Workspace& work, const VectorIn& q, FrameId of, ColumnsOut H);

/// ∂h/∂q of h = centroidal_momentum(q, v), 6 × nv; ∂h/∂v is the centroidal map.
Columns6 centroidal_momentum_derivatives(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);
void centroidal_momentum_derivatives(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                     Columns6Out dh_dq);

/// The derivative of the gradient inverse_dynamics_vjp(q, v, a, weights), for constant weights: 3 nv × 3 nv. Rows are
/// the gradients, columns the directions, each with respect to q, v, a. The part of q is the second derivative along
/// two motions one after the other, the column's first; where q̇ = v it is the symmetric matrix of second derivatives.
Matrix inverse_dynamics_second_order(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                     const VectorIn& a, const VectorIn& weights);
void inverse_dynamics_second_order(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                   const VectorIn& a, const VectorIn& weights, MatrixOut H);
/// The same of forward_dynamics_vjp(q, v, tau, weights), with respect to q, v, tau.
Matrix forward_dynamics_second_order(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                     const VectorIn& tau, const VectorIn& weights);
void forward_dynamics_second_order(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                                   const VectorIn& tau, const VectorIn& weights, MatrixOut H);

}  // namespace lissom
