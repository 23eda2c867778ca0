#pragma once
// Conversions between maximal coordinates (the poses and velocities of all links) and the model's own q and v (Liu &
// Jain, section 6): positions, velocities (60–66), forces (67–71). Poses or velocities that no q or v gives violate
// joints; residuals tell which joints, and by how much.
#include <string>
#include <vector>

#include "lissom/formulations/mechanism.h"

namespace lissom::formulations {

/// The state of all links, in the order of Mechanism::links.
struct MaximalState {
  std::vector<Pose<double>> X;  ///< pose of each link's frame in the world
  std::vector<Vector6> V;       ///< velocity of its origin above its angular velocity, along the world's axes
};
/// The state of all links at q and v.
MaximalState to_maximal(const Mechanism& mechanism, const VectorIn& q, const VectorIn& v);

/// How far two links violate the joint between them: in m and rad, or in m/s and rad/s.
struct JointResidual {
  std::string joint;
  double linear = 0, angular = 0;
};
struct GeneralizedState {
  Eigen::VectorXd q, v;
  std::vector<JointResidual> position, velocity;  ///< joint by joint
  double position_total = 0, velocity_total = 0;  ///< root of the sum of squares
  /// A message about the joint with the largest residual; empty if all are within the tolerance.
  std::string worst(double tolerance) const;
};
/// q and v of a state of the links, joint by joint in O(n): q̇_k = Ĵ_k⁺ V_rel, with V_rel the velocity of the child
/// relative to the parent; (66), with linear and angular parts together. Angles lie within ±π of those in `near`, or of
/// 0 without it. Throws an Error if a pose is invalid or links are missing.
GeneralizedState to_generalized(const Mechanism& mechanism, const MaximalState& state,
                                const Eigen::VectorXd* near = nullptr);

/// The Jacobian of all links, 6 n × nv: V = J v.
Eigen::MatrixXd stacked_jacobian(const Mechanism& mechanism, const VectorIn& q);
struct LeastSquares {
  Eigen::VectorXd v;
  double residual = 0;  ///< ‖J v - V‖
};
/// The general form (61): the least-squares solution v = J⁺ V for any V. (V is at the links' origins; the tutorial
/// takes the centers of mass, which weights a V that violates joints a little differently.)
LeastSquares velocities_by_least_squares(const Mechanism& mechanism, const VectorIn& q, const std::vector<Vector6>& V);

/// ω̂ = Rᵀ D ω is the angular velocity of links relative to their parents, along the parents' axes (63–65). The matrix D
/// subtracts each parent's ω from its child's; R has the parents' rotation matrices on its diagonal. Both are 3 n × 3
/// n.
Eigen::MatrixXd difference_matrix(const Mechanism& mechanism);
Eigen::MatrixXd parent_rotations(const Mechanism& mechanism, const VectorIn& q);

/// A force at a point of a link, both in the world frame.
struct PointForce {
  int link = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero(), force = Eigen::Vector3d::Zero();
};
/// Generalized forces Q of Cartesian forces, and of torques τ̂ in the joints, each a 3-vector along the parent's axes
/// (67, 69).
Eigen::VectorXd generalized_forces(const Mechanism& mechanism, const VectorIn& q, const std::vector<PointForce>& forces,
                                   const std::vector<Eigen::Vector3d>& joint_torques = {});
/// Torques on the links, along the world's axes, that are equivalent to torques in the joints (68): τ' = Dᵀ R τ̂.
std::vector<Eigen::Vector3d> body_torques(const Mechanism& mechanism, const VectorIn& q,
                                          const std::vector<Eigen::Vector3d>& joint_torques);
struct JointTorques {
  std::vector<Eigen::Vector3d> torques;
  Eigen::VectorXd unmet;  ///< the part of Q along translational axes, which torques cannot give
};
/// Torques in the joints for Q, without linear forces (71): τ̂_k = (Ĵ_ωkᵀ)⁺ Q_k.
JointTorques joint_torques(const Mechanism& mechanism, const VectorIn& q, const VectorIn& Q);
/// The smallest forces at the links' origins and torques on them that give Q (70): F = (Jᵀ)⁺ Q.
std::vector<Vector6> body_forces(const Mechanism& mechanism, const VectorIn& q, const VectorIn& Q);

}  // namespace lissom::formulations
