#pragma once
// The equations of motion from Gauss' principle of least constraint, for a mechanism on a free base with any chart of
// its orientation: K. Bouyarmane, A. Kheddar, "On the dynamics modeling of free-floating-base articulated mechanisms
// and applications to humanoid whole-body dynamics and control". There q = (x₀, θ₀, q̂); here spherical joints and
// several free bodies are allowed too. q̈ is the second time derivative of q itself.
//   M q̈ + N q̇ + ∂C/∂qᵀ λ = Q            Q = gravity + u + Σ J_tᵀ f                                (32)
// (For a unit quaternion the paper has SᵀS q λ on the other side, so that our λ is minus half of theirs.)
#include "lissom/formulations/charted.h"

namespace lissom::formulations {

/// The terms of M q̈ + N q̇ = Q, with the part of Q due to gravity.
struct GaussEquations {
  Eigen::MatrixXd M, N;     ///< (25), (26)
  Eigen::VectorXd gravity;  ///< Σ m J_tᵀ g
};
/// J_t and J_r of every body come from Jacobians relative to the base, transformed to the world by (14–17) and (19,
/// 20):
///   M = Σ J_tᵀ m J_t + J_rᵀ I J_r,   N = Σ J_tᵀ m J̇_t + J_rᵀ I J̇_r - J_rᵀ [(I J_r q̇)×] J_r
/// with J_r and I along the body's own axes.
GaussEquations gauss(const Charted& coordinates, const VectorIn& charted, const VectorIn& rates);

/// The projector that eliminates the multipliers from (32): (34), (35).
enum class Projector {
  orthogonal,  ///< 1 - ∂C⁺ ∂C: for every chart, well conditioned
  oblique      ///< the paper's 1 - SᵀS q qᵀ: for unit quaternions only; ill conditioned far from the origin
};
/// The matrix of a projector at q̃.
Eigen::MatrixXd projector(const Charted& coordinates, const VectorIn& charted, Projector kind = Projector::orthogonal);

/// A solution with its multipliers.
struct Constrained {
  Eigen::VectorXd acceleration, multipliers;
};
/// q̈ for generalized forces Q, from M q̈ + bias = Q and C̈ = 0, by multipliers (32).
Constrained solve_with_multipliers(const Charted& coordinates, const VectorIn& charted, const VectorIn& rates,
                                   const Eigen::MatrixXd& M, const VectorIn& bias, const VectorIn& Q);
/// The same by the projected equation A (M q̈ + bias) = A Q (35), with the rows of C̈ = 0 below it. If `condition` is
/// given, it receives the condition number of the matrix that is solved.
Eigen::VectorXd solve_projected(const Charted& coordinates, const VectorIn& charted, const VectorIn& rates,
                                const Eigen::MatrixXd& M, const VectorIn& bias, const VectorIn& Q,
                                Projector kind = Projector::orthogonal, double* condition = nullptr);

}  // namespace lissom::formulations
