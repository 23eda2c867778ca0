#include "lissom/formulations/maximal.h"

#include "lissom/formulations/com_frames.h"
#include "lissom/math/dense.h"

namespace lissom::formulations {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// A link and its parent joint, along the world's axes at the link's center of mass; linear above angular.
struct Block {
  int parent;
  Matrix6 M;
  Matrix6 Phi;        // takes the parent's motion to this link's center of mass
  Matrix6X S, S_hat;  // axes, and S (Sᵀ S)⁻¹: v̇ = Ŝᵀ (a_i - Φ a_p - c)
  // The constrained directions, a basis of the orthogonal complement of S. With a rotor, Ŝ is appended: these
  // directions are not free but have inertia.
  Matrix6X T;
  Vector6 c;
  int rigid;  // number of columns of T that are rigid
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
  b.rigid = 6 - k;
  const bool rotor = link.armature != 0;
  b.T.resize(6, rotor ? 6 : b.rigid);
  if (k) {
    b.T.leftCols(b.rigid) = dense::complement(b.S);
  } else {
    b.T = Matrix6::Identity();
  }
  if (rotor) b.T.rightCols(k) = b.S_hat;
  return b;
}

// The sparse system of all links. It has several right-hand sides: the actual one, then a unit load along the axis of
// each mimic joint. In the end, loads() finds the multiples of these loads that make the joints follow their leaders.
class System {
 public:
  System(const Mechanism& mechanism, const std::vector<ComFrame>& frames);
  void set_forces(const std::vector<ComFrame>& frames, const VectorIn& tau, const std::vector<Vector6>& external);
  void eliminate();   // from the tips inward
  void substitute();  // outward again
  VectorXd loads() const;
  MaximalSolution solution(const VectorXd& loads) const;

 private:
  void eliminate(std::size_t i);
  MatrixXd joint_accelerations(std::size_t i) const;  // v̇ of a joint, for each load

  const Mechanism& mechanism_;
  const std::vector<MechanismLink>& links_;
  std::vector<Block> blocks_;
  std::vector<std::size_t> followers_, leader_of_;
  std::vector<MatrixXd> force_;        // on a link, for each load
  std::vector<MatrixXd> joint_force_;  // along a joint's axes
  std::vector<MatrixXd> x_;            // (a_i, λ_i), before substitute() without -Y a_p
  std::vector<MatrixXd> a_, wrench_;
};

System::System(const Mechanism& mechanism, const std::vector<ComFrame>& frames)
    : mechanism_(mechanism), links_(mechanism.links), leader_of_(links_.size(), 0) {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    blocks_.push_back(block_of(links_[i], frames[i]));
    if (!links_[i].follows) continue;
    followers_.push_back(i);
    for (std::size_t k = 0; k < links_.size(); ++k)
      if (!links_[k].follows && links_[k].nv > 0 && links_[k].v_index == links_[i].v_index) leader_of_[i] = k;
  }
}

void System::set_forces(const std::vector<ComFrame>& frames, const VectorIn& tau,
                        const std::vector<Vector6>& external) {
  const long loads = 1 + long(followers_.size());
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto& link = links_[i];
    force_.emplace_back(MatrixXd::Zero(6, loads));
    const Vector3d omega = frames[i].R_W * frames[i].omega;
    const Matrix3d I = blocks_[i].M.bottomRightCorner<3, 3>();
    force_[i].col(0) << link.mass * mechanism_.gravity, -omega.cross(I * omega);
    if (!external.empty()) force_[i].col(0) += external[i];
    joint_force_.emplace_back(MatrixXd::Zero(blocks_[i].S.cols(), loads));
    if (!link.follows && link.nv > 0) joint_force_[i].col(0) = tau.segment(link.v_index, link.nv);
  }
  for (long e = 1; e < loads; ++e) {
    const auto f = followers_[std::size_t(e - 1)];
    joint_force_[f](0, e) = 1;
    joint_force_[leader_of_[f]](0, e) = -links_[f].ratio;
  }
}

void System::eliminate() {
  x_.resize(links_.size());
  for (std::size_t i = links_.size(); i-- > 0;) eliminate(i);
}

// (M -T; -Tᵀ -1/armature) (a; λ) + (0; Tᵀ Φ) a_p = right.
void System::eliminate(std::size_t i) {
  auto& b = blocks_[i];
  const long m = b.T.cols(), rotor = m - b.rigid;
  MatrixXd K = MatrixXd::Zero(6 + m, 6 + m), B = MatrixXd::Zero(6 + m, 6), right(6 + m, force_[i].cols());
  K.topLeftCorner<6, 6>() = b.M;
  K.topRightCorner(6, m) = -b.T;
  K.bottomLeftCorner(m, 6) = -b.T.transpose();
  B.bottomRows(m) = b.T.transpose() * b.Phi;
  right.topRows(6) = force_[i];
  right.bottomRows(m).setZero();
  right.bottomRows(m).col(0) = -b.T.transpose() * b.c;
  if (rotor) {
    // The rotor takes part of the torque: the link receives μ = τ - armature v̇.
    K.bottomRightCorner(rotor, rotor).diagonal().setConstant(-1 / b.armature);
    right.bottomRows(rotor) -= joint_force_[i] / b.armature;
  } else {
    right.topRows(6) += b.S_hat * joint_force_[i];
  }
  const MatrixXd K_inverse = dense::inverse(K);
  b.Y = K_inverse * B;
  x_[i] = K_inverse * right;
  if (b.parent < 0) return;
  // The reaction on the parent is -Φᵀ W with W = T λ + Ŝ τ, where λ is the lower part of x - Y a_p.
  const auto p = std::size_t(b.parent);
  blocks_[p].M -= b.Phi.transpose() * b.T * b.Y.bottomRows(m);
  force_[p] -= b.Phi.transpose() * b.T * x_[i].bottomRows(m);
  if (!rotor) force_[p] -= b.Phi.transpose() * b.S_hat * joint_force_[i];
}

void System::substitute() {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto& b = blocks_[i];
    if (b.parent >= 0) x_[i] -= b.Y * a_[std::size_t(b.parent)];
    a_.emplace_back(x_[i].topRows(6));
    wrench_.emplace_back(b.T * x_[i].bottomRows(b.T.cols()));
    if (b.T.cols() == b.rigid) wrench_[i] += b.S_hat * joint_force_[i];
  }
}

MatrixXd System::joint_accelerations(std::size_t i) const {
  const auto& b = blocks_[i];
  MatrixXd relative = a_[i];
  relative.col(0) -= b.c;
  if (b.parent >= 0) relative -= b.Phi * a_[std::size_t(b.parent)];
  return b.S_hat.transpose() * relative;
}

// The loads for which v̇_follower = ratio v̇_leader. The first element, 1, belongs to the actual right-hand side.
VectorXd System::loads() const {
  const long n = long(followers_.size());
  VectorXd amount = VectorXd::Ones(1 + n);
  if (n == 0) return amount;
  MatrixXd miss(n, 1 + n);
  for (long e = 0; e < n; ++e) {
    const auto f = followers_[std::size_t(e)];
    miss.row(e) = joint_accelerations(f).row(0) - links_[f].ratio * joint_accelerations(leader_of_[f]).row(0);
  }
  amount.tail(n) = dense::solve(miss.rightCols(n), -miss.col(0));
  return amount;
}

MaximalSolution System::solution(const VectorXd& loads) const {
  MaximalSolution solution;
  solution.a = VectorXd::Zero(mechanism_.nv);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto& link = links_[i];
    if (!link.follows && link.nv > 0) solution.a.segment(link.v_index, link.nv) = joint_accelerations(i) * loads;
    solution.accelerations.push_back(a_[i] * loads);
    solution.joint_wrenches.push_back(wrench_[i] * loads);
  }
  return solution;
}

}  // namespace

MaximalSolution maximal_dynamics(const Mechanism& mechanism, const VectorIn& q, const VectorIn& v, const VectorIn& tau,
                                 const std::vector<Vector6>& external) {
  check_vector(tau, mechanism.nv, "tau");
  const std::size_t n = mechanism.links.size();
  if (!external.empty() && external.size() != n)
    throw Error("external has " + std::to_string(external.size()) + " elements, expected " + std::to_string(n) +
                " (one for each link) or none");
  for (const auto& wrench : external) check_vector(wrench, 6, "external");
  const auto frames = com_frames(mechanism, q, v);
  System system(mechanism, frames);
  system.set_forces(frames, tau, external);
  system.eliminate();
  system.substitute();
  return system.solution(system.loads());
}

}  // namespace lissom::formulations
