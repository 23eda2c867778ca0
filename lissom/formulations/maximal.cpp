#include "lissom/formulations/maximal.h"

#include "lissom/formulations/com_frames.h"
#include "lissom/math/dense.h"

namespace lissom::formulations {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// A link and the joint above it, in the world's axes at the link's centre of mass; linear above angular.
struct Block {
  int parent;
  Matrix6 M;
  Matrix6 Phi;        // the motion here of a body that moves with the parent
  Matrix6X S, S_hat;  // axes, and S (Sᵀ S)⁻¹: v̇ = Ŝᵀ (a_i - Φ a_p - c)
  Matrix6X T;  // what the joint holds: at right angles to S; with a rotor also Ŝ, which is then not free but heavy
  Vector6 c;
  int held;  // columns of T that are rigid
  double armature;
  MatrixXd Y;  // after elimination, the unknowns (a_i, λ_i) are x - Y a_p
};

Block block_of(const MechanismLink& link, const ComFrame& frame) {
  Block b;
  b.parent = link.parent, b.armature = link.armature;
  const Matrix3d& R = frame.R_W;
  b.M = Matrix6::Zero();
  b.M.topLeftCorner<3, 3>() = link.mass * Matrix3d::Identity();
  b.M.bottomRightCorner<3, 3>() = R * link.inertia * R.transpose();
  b.Phi = Matrix6::Identity();
  b.Phi.topRightCorner<3, 3>() = -cross_matrix(R * frame.r);
  const int k = int(frame.axes.cols());
  b.S.resize(6, k);
  if (k) b.S << R * frame.axes.bottomRows<3>(), R * frame.axes.topRows<3>();
  b.c << R * frame.c.tail<3>(), R * frame.c.head<3>();
  b.S_hat = k ? Matrix6X(b.S * dense::inverse(b.S.transpose() * b.S)) : b.S;
  b.held = 6 - k;
  const bool rotor = link.armature != 0;
  b.T.resize(6, rotor ? 6 : b.held);
  if (k) {
    b.T.leftCols(b.held) = dense::complement(b.S);
  } else {
    b.T = Matrix6::Identity();
  }
  if (rotor) b.T.rightCols(k) = b.S_hat;
  return b;
}

}  // namespace

MaximalSolution maximal_dynamics(const Mechanism& mechanism, const VectorIn& q, const VectorIn& v, const VectorIn& tau,
                                 const std::vector<Vector6>& external) {
  check_numbers(tau, mechanism.nv, "tau");
  const auto& links = mechanism.links;
  const std::size_t n = links.size();
  if (!external.empty() && external.size() != n)
    throw Error("external: " + std::to_string(external.size()) + " forces; expected one for each of the " +
                std::to_string(n) + " links, or none");
  for (const auto& wrench : external) check_numbers(wrench, 6, "external");
  const auto frames = com_frames(mechanism, q, v);
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < n; ++i) blocks.push_back(block_of(links[i], frames[i]));

  // Followers: one more row and multiplier each. Right sides: the real one, then a unit load of each.
  std::vector<std::size_t> followers, leader_of(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (!links[i].follows) continue;
    followers.push_back(i);
    for (std::size_t k = 0; k < n; ++k)
      if (!links[k].follows && links[k].nv > 0 && links[k].v == links[i].v) leader_of[i] = k;
  }
  const long loads = 1 + long(followers.size());

  std::vector<MatrixXd> force(n, MatrixXd::Zero(6, loads));  // on a link
  std::vector<MatrixXd> joint_force(n);                      // along a joint's axes, for each load
  for (std::size_t i = 0; i < n; ++i) {
    joint_force[i] = MatrixXd::Zero(blocks[i].S.cols(), loads);
    if (!links[i].follows && links[i].nv > 0) joint_force[i].col(0) = tau.segment(links[i].v, links[i].nv);
  }
  for (long e = 1; e < loads; ++e) {
    const auto f = followers[std::size_t(e - 1)];
    joint_force[f](0, e) = 1;
    joint_force[leader_of[f]](0, e) = -links[f].ratio;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Vector3d omega = frames[i].R_W * frames[i].omega;
    const Matrix3d I = blocks[i].M.bottomRightCorner<3, 3>();
    force[i].col(0) << links[i].mass * mechanism.gravity, -omega.cross(I * omega);
    if (!external.empty()) force[i].col(0) += external[i];
  }

  // From the tips: (M -T; -Tᵀ -1/armature) (a; λ) + (0; Tᵀ Φ) a_p = right.
  std::vector<MatrixXd> x(n);
  for (std::size_t i = n; i-- > 0;) {
    auto& b = blocks[i];
    const long m = b.T.cols(), rotor = m - b.held;
    MatrixXd K = MatrixXd::Zero(6 + m, 6 + m), B = MatrixXd::Zero(6 + m, 6), right(6 + m, loads);
    K.topLeftCorner<6, 6>() = b.M;
    K.topRightCorner(6, m) = -b.T;
    K.bottomLeftCorner(m, 6) = -b.T.transpose();
    B.bottomRows(m) = b.T.transpose() * b.Phi;
    right.topRows(6) = force[i];
    right.bottomRows(m).setZero();
    right.bottomRows(m).col(0) = -b.T.transpose() * b.c;
    if (rotor) {
      // The rotor takes its share: what reaches the link is μ = τ - armature v̇.
      K.bottomRightCorner(rotor, rotor).diagonal().setConstant(-1 / b.armature);
      right.bottomRows(rotor) -= joint_force[i] / b.armature;
    } else {
      right.topRows(6) += b.S_hat * joint_force[i];
    }
    const MatrixXd K_inverse = dense::inverse(K);
    b.Y = K_inverse * B;
    x[i] = K_inverse * right;
    if (b.parent < 0) continue;
    auto& p = blocks[std::size_t(b.parent)];
    // The parent feels -Φᵀ W, W = T λ + Ŝ τ, with λ = (x - Y a_p) below.
    p.M -= b.Phi.transpose() * b.T * b.Y.bottomRows(m);
    force[std::size_t(b.parent)] -= b.Phi.transpose() * b.T * x[i].bottomRows(m);
    if (!rotor) force[std::size_t(b.parent)] -= b.Phi.transpose() * b.S_hat * joint_force[i];
  }
  // Back outward.
  std::vector<MatrixXd> a(n), wrench(n);
  const auto joint_rates = [&](std::size_t i) -> MatrixXd {  // v̇ of a joint, for each load
    MatrixXd relative = a[i];
    relative.col(0) -= blocks[i].c;
    if (blocks[i].parent >= 0) relative -= blocks[i].Phi * a[std::size_t(blocks[i].parent)];
    return blocks[i].S_hat.transpose() * relative;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const auto& b = blocks[i];
    if (b.parent >= 0) x[i] -= b.Y * a[std::size_t(b.parent)];
    a[i] = x[i].topRows(6);
    wrench[i] = b.T * x[i].bottomRows(b.T.cols());
    if (b.T.cols() == b.held) wrench[i] += b.S_hat * joint_force[i];
  }
  // The loads that make the followers follow: v̇_f = ratio v̇_leader.
  VectorXd amount = VectorXd::Zero(loads);
  amount[0] = 1;
  if (loads > 1) {
    MatrixXd miss(loads - 1, loads);
    for (long e = 1; e < loads; ++e) {
      const auto f = followers[std::size_t(e - 1)];
      miss.row(e - 1) = joint_rates(f).row(0) - links[f].ratio * joint_rates(leader_of[f]).row(0);
    }
    amount.tail(loads - 1) = dense::solve(miss.rightCols(loads - 1), -miss.col(0));
  }

  MaximalSolution solution;
  solution.a = VectorXd::Zero(mechanism.nv);
  for (std::size_t i = 0; i < n; ++i) {
    if (!links[i].follows && links[i].nv > 0) solution.a.segment(links[i].v, links[i].nv) = joint_rates(i) * amount;
    solution.accelerations.push_back(a[i] * amount);
    solution.joint_wrenches.push_back(wrench[i] * amount);
  }
  return solution;
}

}  // namespace lissom::formulations
