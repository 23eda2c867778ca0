#pragma once
// Lagrange's equations in true rates, M(q̃) q̃̈ + C(q̃, q̃̇) = Q (Liu & Jain, 14). Where the charts have constraints,
// these are the equations before the constraint forces ∂C/∂q̃ᵀ λ are added: solve them with gauss.h. (q̃ is taken as it
// is: Charted::to_model tells whether it keeps C.)
#include "lissom/formulations/charted.h"

namespace lissom::formulations {

struct EquationsOfMotion {
  Eigen::MatrixXd M;
  Eigen::VectorXd C;        // Coriolis and centrifugal
  Eigen::VectorXd gravity;  // the part of Q that gravity gives: Σ J_vᵀ m g
};

// From the links' Jacobians and their rates (48, 59):
//   M = Σ J_kᵀ Mc_k J_k,   C = Σ (J_kᵀ Mc_k J̇_k + J_kᵀ [ω̃_k] Mc_k J_k) q̃̇
EquationsOfMotion lagrange(const Charted& coordinates, const VectorIn& charted, const VectorIn& rates);

// From the kinetic energy alone (17): C = Ṁ q̃̇ - ½ (∂M/∂q̃ q̃̇)ᵀ q̃̇, the derivatives of M by dual numbers, one run for
// each number of q̃.
EquationsOfMotion lagrange_by_energy(const Charted& coordinates, const VectorIn& charted, const VectorIn& rates);

}  // namespace lissom::formulations
