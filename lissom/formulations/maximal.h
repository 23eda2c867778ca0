#pragma once
// Maximal coordinates: the Newton–Euler equations of every link, a block of constraint rows for every joint, and
// multipliers. The unknowns of a link are the acceleration of its center of mass and its angular acceleration, along
// the world's axes; those of its joint are the components of the transmitted wrench in the constrained directions:
//   M_i a_i + b_i = W_i - Σ_children Φ_cᵀ W_c + w_i,    W_i = T_i λ_i + Ŝ_i τ_i,    T_iᵀ (a_i - Φ_i a_p - c_i) = 0
// Elimination link by link from the tips, each link together with its parent joint, costs O(n) and causes no fill-in.
// (A massless link could not be eliminated without its joint.)
#include <vector>

#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

/// Accelerations and joint wrenches, link by link.
struct MaximalSolution {
  Eigen::VectorXd a;                   ///< accelerations in the model's coordinates, v̇
  std::vector<Vector6> accelerations;  ///< of each link: center of mass above angular, along the world's axes
  /// What the joint of each link transmits to it, motor and rotor included: force above torque at the link's center of
  /// mass, along the world's axes.
  std::vector<Vector6> joint_wrenches;
};
/// Forward dynamics. `external` has a wrench on each link, at its center of mass, along the world's axes, in addition
/// to gravity; it may be empty.
MaximalSolution maximal_dynamics(const Mechanism& mechanism, const VectorIn& q, const VectorIn& v, const VectorIn& tau,
                                 const std::vector<Vector6>& external = {});

}  // namespace lissom::formulations
