// Arms that hang.
#include <algorithm>
#include <cmath>

#include "lissom/geometry/vectors.h"
#include "lissom/limbs/nominal_posture.h"

namespace lissom::limbs {

namespace {

constexpr double hangs = .6;           // of its length, how far down an arm reaches that hangs already
constexpr double outward = .08;        // of its length, how far outside of the shoulder the hand is at least
constexpr double rotation_cost = .02;  // of the arm's length, for a joint that turns by 1 rad²
constexpr double inward_cost = 4;      // of the arm's length, per length
constexpr int samples = 48, sweeps = 3;
constexpr std::size_t max_joints = 4;  // from the shoulder on

class Arm {
 public:
  Arm(BodyTree& tree, const Limb& limb) : tree_(tree), limb_(limb) {
    for (int b = limb.end;; b = tree.body(b).parent) {
      chain_.insert(chain_.begin(), b);
      if (b == limb.first) break;
    }
  }

  void relax(Eigen::VectorXd& q) {
    tree_.move(q);
    const auto shoulder = tree_.body(limb_.first).joint_at;
    if (shoulder.z - tree_.body(limb_.end).joint_at.z > hangs * limb_.length) return;
    const Eigen::VectorXd start = q;
    for (int sweep = 0; sweep < sweeps; ++sweep)
      for (std::size_t k = 0; k < std::min(max_joints, chain_.size()); ++k) improve(chain_[k], start, q);
  }

 private:
  // The best position of one joint, the others as they are.
  void improve(int body, const Eigen::VectorXd& start, Eigen::VectorXd& q) {
    const auto& joint = tree_.model().joints()[std::size_t(tree_.body(body).joint)];
    if (joint.nq != 1 || joint.nv != 1) return;
    const auto i = std::size_t(joint.q_index);
    double low = std::max(-3.1, tree_.model().lower()[i]), high = std::min(3.1, tree_.model().upper()[i]);
    const double margin = .03 * (high - low);
    low += margin, high -= margin;
    double best = q[joint.q_index], least = cost(start, q);
    for (int s = 0; s <= samples; ++s) {
      q[joint.q_index] = low + (high - low) * s / samples;
      if (const double c = cost(start, q); c < least - 1e-6) least = c, best = q[joint.q_index];
    }
    q[joint.q_index] = best;
  }

  // How high the arm is on average, in its lengths; with costs for turns, and for a hand that enters the trunk.
  double cost(const Eigen::VectorXd& start, const Eigen::VectorXd& q) {
    tree_.move(q);
    const auto shoulder = tree_.body(limb_.first).joint_at;
    double sum = 0;
    for (const int b : chain_) {
      const auto at = tree_.body(b).joint_at;
      sum += (at.z - shoulder.z) / (limb_.length * double(chain_.size()));
      const double inside = limb_.side * (shoulder.y - at.y) + outward * limb_.length;
      if (b == limb_.end && inside > 0) sum += inward_cost * inside / limb_.length;
    }
    return sum + rotation_cost * (q - start).squaredNorm();
  }

  BodyTree& tree_;
  const Limb& limb_;
  std::vector<int> chain_;
};

}  // namespace

Eigen::VectorXd relax_arms(BodyTree& tree, const Eigen::VectorXd& upright, const Limbs& limbs) {
  auto q = upright;
  for (const auto& arm : limbs.arms) Arm(tree, arm).relax(q);
  return q;
}

}  // namespace lissom::limbs
