#pragma once
// Between maximal coordinates, the poses and velocities of all links, and the model's own q and v (Liu & Jain, section
// 6): positions, velocities (60–66), forces (67–71). A set of poses or velocities that no q or v gives breaks
// joints: residuals tell which, and by how much.
#include <string>
#include <vector>

#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

// Of each link, in the order of Mechanism::links: its frame in the world; the velocity of its origin above its angular
// velocity, along the world's axes.
struct MaximalState {
  std::vector<Pose<double>> X;
  std::vector<Vector6> V;
};
MaximalState to_maximal(const Mechanism& mechanism, const VectorIn& q, const VectorIn& v);

// How far the links miss what their joint allows: in meters and radians, or in meters and radians per second.
struct JointResidual {
  std::string joint;
  double linear = 0, angular = 0;
};
struct GeneralizedState {
  Eigen::VectorXd q, v;
  std::vector<JointResidual> position, velocity;  // joint by joint
  double position_total = 0, velocity_total = 0;  // √ of the sum of squares
  // The joint that is broken most, in words with its amount; empty where all fit within the tolerance.
  std::string worst(double tolerance) const;
};
// The cheap form, joint by joint: q̇_k = Ĵ_k⁺ of what the child moves against the parent; (66), with linear and angular
// parts together. O(n). Angles lie within half a turn of `near`, where given, or of 0. Error where a pose is no pose or
// links are missing.
GeneralizedState to_generalized(const Mechanism& mechanism, const MaximalState& state,
                                const Eigen::VectorXd* near = nullptr);

// The Jacobian of all links, 6 n × nv: V = J v.
Eigen::MatrixXd stacked_jacobian(const Mechanism& mechanism, const VectorIn& q);
// The general form (61): v = J⁺ V for any V, in the sense of least squares, with ‖J v - V‖. (At the links' origins; the
// document takes centers of mass, which weighs a V that breaks joints a little differently.)
struct LeastSquares {
  Eigen::VectorXd v;
  double residual = 0;
};
LeastSquares velocities_by_least_squares(const Mechanism& mechanism, const VectorIn& q, const std::vector<Vector6>& V);

// ω̂ = Rᵀ D ω: how links turn against their parents, in the parents' axes. D takes each parent's ω from its child's; R
// holds the parents' rotations. 3 n × 3 n each (63–65).
Eigen::MatrixXd difference_matrix(const Mechanism& mechanism);
Eigen::MatrixXd parent_rotations(const Mechanism& mechanism, const VectorIn& q);

// A force at a point of a link, both in the world.
struct PointForce {
  int link = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero(), force = Eigen::Vector3d::Zero();
};
// Q of Cartesian forces, and of torques τ̂ in the joints, three numbers each in the parent's axes (67, 69).
Eigen::VectorXd generalized_forces(const Mechanism& mechanism, const VectorIn& q, const std::vector<PointForce>& forces,
                                   const std::vector<Eigen::Vector3d>& joint_torques = {});
// Torques on the links, along the world's axes, that do what torques in the joints do (68): τ' = Dᵀ R τ̂.
std::vector<Eigen::Vector3d> body_torques(const Mechanism& mechanism, const VectorIn& q,
                                          const std::vector<Eigen::Vector3d>& joint_torques);
// And back. Torques in the joints for Q, where no linear forces are wanted (71): τ̂_k = (Ĵ_ωkᵀ)⁺ Q_k; what Q asks of
// axes along which a joint slides is returned in `unmet`.
struct JointTorques {
  std::vector<Eigen::Vector3d> torques;
  Eigen::VectorXd unmet;
};
JointTorques joint_torques(const Mechanism& mechanism, const VectorIn& q, const VectorIn& Q);
// Forces at the links' origins and torques on them, the smallest that give Q (70): F = (Jᵀ)⁺ Q.
std::vector<Vector6> body_forces(const Mechanism& mechanism, const VectorIn& q, const VectorIn& Q);

}  // namespace lissom::formulations
