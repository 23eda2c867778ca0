#pragma once
// Maximal coordinates: the Newton–Euler equations of every link, one block of rows for every joint, and multipliers.
// The unknowns of a link are the acceleration of its center of mass and its angular acceleration, along the world's
// axes; those of its joint are the components of the wrench that the joint transmits where it lets nothing move:
//   M_i a_i + b_i = W_i - Σ_children Φ_cᵀ W_c + w_i,    W_i = T_i λ_i + Ŝ_i τ_i,    T_iᵀ (a_i - Φ_i a_p - c_i) = 0
// Eliminated link by link from the tips, with the joint above each, this costs O(n) and fills nothing in. (A link
// together with its joint: a massless link alone could not be eliminated.)
#include <vector>

#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

struct MaximalSolution {
  Eigen::VectorXd a;                   // of the model's coordinates
  std::vector<Vector6> accelerations;  // of each link: center of mass, angular; along the world's axes
  // What the joint above each link transmits to it, motor and rotor included: force and torque at the link's center of
  // mass, along the world's axes.
  std::vector<Vector6> joint_wrenches;
};
// `external`: on each link, at its center of mass, along the world's axes; gravity is added. Empty: none.
MaximalSolution maximal_dynamics(const Mechanism& mechanism, const VectorIn& q, const VectorIn& v, const VectorIn& tau,
                                 const std::vector<Vector6>& external = {});

}  // namespace lissom::formulations
