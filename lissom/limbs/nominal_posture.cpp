#include "lissom/limbs/nominal_posture.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/postures.h"
#include "lissom/api/state.h"
#include "lissom/geometry/vectors.h"
#include "lissom/ik/solver.h"
#include "lissom/model/text.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::limbs {

namespace {

constexpr double biped_bend = .07, other_bend = .12;  // by how much of its length a leg is shortened
constexpr double limit_margin = .05;                  // of a joint's range, kept from its limits

Eigen::VectorXd within_limits(const Model& model, Eigen::VectorXd q) {
  for (Eigen::Index i = 0; i < q.size(); ++i)
    q[i] = std::clamp(q[i], model.lower()[std::size_t(i)], model.upper()[std::size_t(i)]);
  return q;
}

// Within the limits, the base at the origin, turned such that its x axis points forward, and then by R.
Eigen::VectorXd faced_forward(const Model& model, Eigen::VectorXd q,
                              const Mat3<double>& rotation = identity3<double>()) {
  q = within_limits(model, std::move(q));
  for (const auto& joint : model.joints()) {
    if (joint.type != JointType::free || !model.is_root_joint(joint)) continue;
    const auto i = joint.q_index;
    const auto R = matrix(Quaternion<double>{q[i + 3], q[i + 4], q[i + 5], q[i + 6]});
    const auto turned = quaternion(rotation * transpose(heading(R)) * R);
    q.segment(i, 7) << 0, 0, 0, turned.w, turned.x, turned.y, turned.z;
    break;
  }
  return q;
}

// One leg: its hip, the joint whose bending shortens it, and how long it is for each angle of that joint.
class LegBend {
 public:
  struct Bend {
    bool biped, forward;  // forward: where the knee goes
    double shrink;
  };
  LegBend(BodyTree& tree, const Eigen::VectorXd& upright, const Foot& foot, const Bend& bend)
      : tree_(tree), upright_(upright), foot_(foot), bend_(bend) {
    find_knee();
  }

  bool found() const { return knee_ > 0 && hip_ > 0; }

  // Changes the knee's element of q, and returns where the foot shall be.
  Vec3<double> bend(Eigen::VectorXd& q) {
    scan();
    const auto best = std::ranges::max_element(samples_, {}, &Sample::length);
    const double wanted = (1 - bend_.shrink) * best->length;
    const Sample* chosen = nullptr;
    double least = 1e9;
    for (const auto& s : samples_) {
      const double score = std::abs(s.length - wanted) / best->length + (bends_well(s) ? 0 : .05);
      if (score < least) least = score, chosen = &s;
    }
    const auto& joint = knee_joint();
    q[joint.q_index] = chosen->angle;
    tree_.move(upright_);
    auto target = foot_at();
    const auto hip = tree_.body(hip_).joint_at;
    if (!bend_.biped || std::abs(target.x - hip.x) > .15 * best->length) target.x = hip.x;
    const double aside = target.y - hip.y,
                 down = std::sqrt(std::max(.01, chosen->length * chosen->length - aside * aside));
    target.z = hip.z - down;
    return target;
  }

  int knee() const { return knee_; }

 private:
  struct Sample {
    double angle, length;
    Vec3<double> knee, middle;  // where the knee is, and the point of the line from hip to foot beside it
  };

  const Joint& knee_joint() const { return tree_.model().joints()[std::size_t(tree_.body(knee_).joint)]; }
  Vec3<double> foot_at() const { return tree_.body(foot_.leg.end).pose * foot_.touch.frame.p; }

  // The knee is the joint with a level axis that is farthest from both ends of the leg; the hip the last one before it.
  void find_knee() {
    tree_.move(upright_);
    std::vector<int> chain;
    for (int b = foot_.leg.end;; b = tree_.body(b).parent) {
      chain.push_back(b);
      if (b == foot_.leg.first) break;
    }
    std::ranges::reverse(chain);
    const auto level = [&](int b) {
      const auto& axis = tree_.body(b).axis;
      return dot(axis, axis) > .5 && std::abs(axis.z) < .5;
    };
    const auto foot = foot_at(), root = tree_.body(foot_.leg.first).joint_at;
    double farthest = .1 * foot_.leg.length;
    for (std::size_t k = 1; k < chain.size(); ++k) {
      const auto at = tree_.body(chain[k]).joint_at;
      const double away = std::min(collision::norm(at - foot), collision::norm(at - root));
      if (level(chain[k]) && away > farthest) farthest = away, knee_ = chain[k];
    }
    for (const int b : chain) {
      if (b == knee_) break;
      if (level(b)) hip_ = b;
    }
  }

  void scan() {
    const auto& joint = knee_joint();
    const auto i = std::size_t(joint.q_index);
    double low = tree_.model().lower()[i], high = tree_.model().upper()[i];
    const double range = high - low;
    if (std::isfinite(range)) low += limit_margin * range, high -= limit_margin * range;
    low = std::max(low, -2.5), high = std::min(high, 2.5);
    constexpr int steps = 100;
    auto q = upright_;
    for (int k = 0; k <= steps; ++k) {
      q[joint.q_index] = low + (high - low) * k / steps;
      tree_.move(q);
      const auto hip = tree_.body(hip_).joint_at, foot = foot_at(), knee = tree_.body(knee_).joint_at;
      const double l = collision::norm(foot - hip), t = dot(knee - hip, foot - hip) / std::max(1e-9, l * l);
      samples_.push_back({q[joint.q_index], l, knee, hip + t * (foot - hip)});
    }
  }

  // People's knees bend forward. Of four legs, knees bend towards the middle.
  bool bends_well(const Sample& s) const { return (s.knee.x > s.middle.x) == bend_.forward; }

  BodyTree& tree_;
  const Eigen::VectorXd& upright_;
  const Foot& foot_;
  Bend bend_;
  int knee_ = 0, hip_ = 0;
  std::vector<Sample> samples_;
};

}  // namespace

Eigen::VectorXd standing_keyframe(const Model& model) {
  for (const auto* word : {"stand", "standing", "home", "nominal"})
    for (const auto& posture : model.description().postures)
      if (same_but_for_case(posture.name, word)) return faced_forward(model, posture_of_file(model, posture.name));
  return {};
}

Eigen::VectorXd initial_posture(const Model& model, const Mat3<double>& R) {
  return faced_forward(model, initial_configuration(model), R);
}

Eigen::VectorXd upright_posture(const Model& model, const Mat3<double>& R) {
  const auto keyframe = standing_keyframe(model);
  return keyframe.size() > 0 ? faced_forward(model, keyframe, R) : initial_posture(model, R);
}

Eigen::VectorXd middle_posture(const Model& model, const Mat3<double>& R) {
  auto q = upright_posture(model, R);
  for (const auto& joint : model.joints()) {
    if (joint.type != JointType::revolute || joint.nq != 1) continue;
    const auto i = std::size_t(joint.q_index);
    const double low = model.lower()[i], high = model.upper()[i];
    if (std::isfinite(low) && std::isfinite(high)) q[joint.q_index] = (low + high) / 2;
  }
  return q;
}

namespace {

// How legs are bent.
struct Bending {
  bool biped;
  double middle;  // x of the middle of all legs
  double shrink;  // by how much of its length each becomes shorter
  bool reversed;  // knees bend the other way
};

// Bends all legs; `solved` tells whether all feet are where they shall be.
Eigen::VectorXd bent(BodyTree& tree, const Eigen::VectorXd& upright, const std::vector<Foot>& feet,
                     const Bending& bending, bool& solved) {
  const auto& model = tree.model();
  auto q = upright;
  std::vector<ik::Target> targets;
  std::vector<std::string> legs;
  for (const auto& foot : feet) {
    tree.move(upright);
    const bool front = tree.body(foot.leg.first).joint_at.x > bending.middle;
    const auto pose = tree.body(foot.leg.end).pose * foot.touch.frame;
    const bool forward = (bending.biped || !front) != bending.reversed;
    LegBend bend(tree, upright, foot, {.biped = bending.biped, .forward = forward, .shrink = bending.shrink});
    if (!bend.found()) continue;
    const auto target = bend.bend(q);
    const auto& link = model.link(tree.body(foot.leg.end).link);
    const auto frame = model.frame(link.name);
    const auto in_link = inverse(link.placement) * foot.touch.frame;
    if (foot.touch.kind == ContactKind::point)
      targets.push_back(ik::point(frame, in_link.p, target));
    else
      targets.push_back(ik::pose(frame, Pose<double>{heading(pose.R), target} * inverse(in_link)));
    for (auto& name : tree.joints_to(foot.leg.end, tree.body(foot.leg.first).parent)) legs.push_back(std::move(name));
  }
  solved = true;
  if (targets.empty()) return q;
  std::vector<std::string> locked;
  for (const auto& joint : model.joints())
    if (joint.nv > 0 && std::ranges::find(legs, joint.name) == legs.end()) locked.push_back(joint.name);
  ik::Solver solver(model, targets, {}, locked);
  const auto& result = solver.solve(q, {.tolerance = {1e-4, 1e-3}, .starts = 1});
  solved = result.status == ik::Status::solved;
  return within_limits(model, result.q);
}

}  // namespace

Eigen::VectorXd bend_legs(BodyTree& tree, const Eigen::VectorXd& upright, const std::vector<Foot>& feet) {
  const bool biped = feet.size() == 2;
  double middle = 0;
  tree.move(upright);
  for (const auto& foot : feet) middle += tree.body(foot.leg.first).joint_at.x / double(feet.size());
  // All legs bend as they do in most robots, or all the other way, or each as its limits allow.
  for (const double part : {1., .5, .25}) {
    const double shrink = part * (biped ? biped_bend : other_bend);
    bool solved = false;
    for (const bool reversed : {false, true}) {
      const auto q = bent(tree, upright, feet, {biped, middle, shrink, reversed}, solved);
      if (solved) return q;
    }
    auto q = upright;
    for (const auto& foot : feet) {
      for (const bool reversed : {false, true}) {
        const auto with_leg = bent(tree, q, {foot}, {biped, middle, shrink, reversed}, solved);
        if (solved) q = with_leg;
        if (solved) break;
      }
      if (!solved) break;
    }
    if (solved) return q;
  }
  return upright;
}

}  // namespace lissom::limbs
