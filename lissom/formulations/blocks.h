#pragma once
// A manipulator on a floating base, in the blocks of bMSd: with x₁ the motion of the base link's center of mass and its
// angular velocity, both along the world's axes, and q the joints,
//   (H₁  H_c; H_cᵀ  H) (ẍ₁; q̈) + (C₁; C) + (G₁; G) = (W₁; τ)
// and the state {q, p₁, Q₁ or R₁, q̇, v₁, ω₁}.
#include "lissom/api/dynamics.h"
#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

struct FloatingBaseBlocks {
  Matrix6 H1;
  Matrix6X Hc;
  Eigen::MatrixXd H;
  Vector6 C1, G1;
  Eigen::VectorXd C, G;
};
// Error where the base is not free: load the model with Base::free.
FloatingBaseBlocks floating_base_blocks(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);

// {p₁, R₁ or Q₁, v₁, ω₁} and the joints' own numbers.
struct FloatingBaseState {
  Eigen::Vector3d p1;
  Eigen::Matrix3d R1;
  Eigen::Vector4d Q1;  // w first
  Eigen::Vector3d v1, omega1;
  Eigen::VectorXd q, q_rate;
};
FloatingBaseState to_floating_base(const Model& model, const VectorIn& q, const VectorIn& v);
// From R₁, or from Q₁. Error where R₁ is no rotation, or Q₁ not of length 1.
enum class Attitude { rotation, quaternion };
void from_floating_base(const Model& model, const FloatingBaseState& state, Eigen::VectorXd& q, Eigen::VectorXd& v,
                        Attitude attitude = Attitude::rotation);

// Accelerations for torques and a wrench on the base; the wrench and torques for accelerations.
struct FloatingBaseMotion {
  Vector6 x1;  // ẍ₁ = (v̇₁, ω̇₁)
  Eigen::VectorXd q;
};
struct FloatingBaseForces {
  Vector6 W1;  // force at the base's center of mass, torque; along the world's axes
  Eigen::VectorXd tau;
};
FloatingBaseMotion forward_dynamics(const FloatingBaseBlocks& blocks, const FloatingBaseForces& forces);
FloatingBaseForces inverse_dynamics(const FloatingBaseBlocks& blocks, const FloatingBaseMotion& motion);
// What forces at any point of any link amount to.
FloatingBaseForces equivalent_forces(const Model& model, Workspace& work, const VectorIn& q,
                                     std::span<const ExternalForce> forces);

// What a user of DART asks for, each by one name: mass_matrix and gravity_forces (api/dynamics.h), and these two.
inline Eigen::VectorXd coriolis_and_gravity_forces(const Model& m, Workspace& w, const VectorIn& q, const VectorIn& v) {
  return bias_forces(m, w, q, v);
}
Eigen::VectorXd coriolis_forces(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);

}  // namespace lissom::formulations
