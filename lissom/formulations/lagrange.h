#pragma once
// Lagrange's equations in charted coordinates, M(q̃) q̃̈ + C(q̃, q̃̇) = Q (Liu & Jain, 14). If the charts have
// constraints, the constraint forces ∂C/∂q̃ᵀ λ are still missing: solve with gauss.h. (Whether q̃ satisfies the
// constraints is not checked here; Charted::to_model does.)
#include <functional>

#include "lissom/formulations/charted.h"

namespace lissom::formulations {

/// The terms of M q̈ + C = Q.
struct EquationsOfMotion {
  Eigen::MatrixXd M;
  Eigen::VectorXd C;        ///< Coriolis and centrifugal forces
  Eigen::VectorXd gravity;  ///< the part of Q due to gravity: Σ J_vᵀ m g
};

/// The equations from the links' Jacobians and their time derivatives (48, 59):
///   M = Σ J_kᵀ Mc_k J_k,   C = Σ (J_kᵀ Mc_k J̇_k + J_kᵀ [ω̃_k] Mc_k J_k) q̃̇
EquationsOfMotion lagrange(const Charted& coordinates, const VectorIn& charted, const VectorIn& rates);

/// The equations from the kinetic energy alone (17): C = Ṁ q̃̇ - ½ (∂M/∂q̃ q̃̇)ᵀ q̃̇. The derivatives of M are computed
/// by dual numbers, in one pass for each element of q̃.
EquationsOfMotion lagrange_by_energy(const Charted& coordinates, const VectorIn& charted, const VectorIn& rates);
/// The same; `between` is called before each of these passes, and may throw to end them. (For n links in a chain, one
/// takes time in proportion to n³.)
EquationsOfMotion lagrange_by_energy_in_passes(const Charted& coordinates, const VectorIn& charted,
                                               const VectorIn& rates, const std::function<void()>& between);

}  // namespace lissom::formulations
