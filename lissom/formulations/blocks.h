#pragma once
// A manipulator on a floating base, in the blocks of the toolbox bMSd:
//   (H₁  H_c; H_cᵀ  H) (ẍ₁; q̈) + (C₁; C) + (G₁; G) = (W₁; τ)
// where ẋ₁ = (v₁, ω₁) is the velocity of the base link's center of mass and its angular velocity, both along the
// world's axes, and q are the joint coordinates. The state is {q, p₁, Q₁ or R₁, q̇, v₁, ω₁}.
#include "lissom/api/dynamics.h"
#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

/// The blocks of the equation of motion.
struct FloatingBaseBlocks {
  Matrix6 H1;
  Matrix6X Hc;
  Eigen::MatrixXd H;
  Vector6 C1, G1;
  Eigen::VectorXd C, G;
};
/// Throws an Error if the base is not free: load the model with Base::free.
FloatingBaseBlocks floating_base_blocks(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);

/// The state {p₁, R₁ or Q₁, v₁, ω₁} of the base, and the joint coordinates.
struct FloatingBaseState {
  Eigen::Vector3d p1;
  Eigen::Matrix3d R1;
  Eigen::Vector4d Q1;  ///< unit quaternion, w first
  Eigen::Vector3d v1, omega1;
  Eigen::VectorXd q, q_rate;
};
/// The state of the model in these coordinates.
FloatingBaseState to_floating_base(const Model& model, const VectorIn& q, const VectorIn& v);
/// Which of R₁ and Q₁ from_floating_base() reads.
enum class Attitude { rotation, quaternion };
/// The model's q and v of a state. Throws an Error if R₁ is not a rotation matrix, or Q₁ is not normalized.
void from_floating_base(const Model& model, const FloatingBaseState& state, Eigen::VectorXd& q, Eigen::VectorXd& v,
                        Attitude attitude = Attitude::rotation);

/// Accelerations of the base and of the joints.
struct FloatingBaseAcceleration {
  Vector6 base;            ///< ẍ₁ = (v̇₁, ω̇₁)
  Eigen::VectorXd joints;  ///< q̈
};
/// A wrench on the base, and joint torques.
struct FloatingBaseForces {
  Vector6 W1;  ///< force at the base's center of mass, and torque; along the world's axes
  Eigen::VectorXd tau;
};
/// The accelerations that a wrench on the base and joint torques cause.
FloatingBaseAcceleration forward_dynamics(const FloatingBaseBlocks& blocks, const FloatingBaseForces& forces);
/// The wrench on the base and the joint torques that accelerations need.
FloatingBaseForces inverse_dynamics(const FloatingBaseBlocks& blocks, const FloatingBaseAcceleration& acceleration);
/// The wrench on the base and the joint torques that are equivalent to external forces at points of links.
FloatingBaseForces equivalent_forces(const Model& model, Workspace& work, const VectorIn& q,
                                     std::span<const ExternalForce> forces);

/// Together with mass_matrix and gravity_forces (api/dynamics.h), these two are DART's functions.
inline Eigen::VectorXd coriolis_and_gravity_forces(const Model& m, Workspace& w, const VectorIn& q, const VectorIn& v) {
  return bias_forces(m, w, q, v);
}
Eigen::VectorXd coriolis_forces(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v);

}  // namespace lissom::formulations
