#include "lissom/limbs/propose.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lissom/api/state.h"
#include "lissom/limbs/facing.h"
#include "lissom/limbs/names.h"
#include "lissom/limbs/nominal_posture.h"
#include "lissom/model/text.h"

namespace lissom {

using namespace limbs;

namespace {

// "left_foot"; "front_left_foot" if there are more pairs than one.
std::string limb_name(std::size_t pair, std::size_t pairs, int side, const char* what) {
  std::string name = std::string(side > 0 ? "left_" : "right_") + what;
  if (pairs <= 1) return name;
  if (pair == 0) return "front_" + name;
  if (pair + 1 == pairs) return "rear_" + name;
  return (pairs == 3 ? "middle_" : "middle" + std::to_string(pair) + "_") + name;
}

// The link of the body whose shape is nearest to a point; where none has a shape, the one that its joint moves.
std::string carrier(const BodyTree& tree, int body, const Vec3<double>& point) {
  const auto& model = tree.model();
  std::string nearest;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& link : model.links()) {
    if (link.body != body) continue;
    const auto& description = model.link_description(link.name);
    for (const auto* shapes : {&description.collisions, &description.visuals})
      for (const auto& g : *shapes) {
        const auto d = link.placement * g.origin.p - point;
        if (const double away = dot(d, d); away < least - 1e-12) least = away, nearest = link.name;
      }
    if (nearest.empty() && !description.connects_joints) nearest = link.name;
  }
  return nearest.empty() ? tree.body(body).link : nearest;
}

LimbContact contact_of(const BodyTree& tree, const Limb& limb, const Touch& touch, std::string name) {
  LimbContact c;
  c.name = free_name(tree.model(), name);
  c.link = carrier(tree, limb.end, touch.frame.p);
  c.kind = touch.kind;
  c.pose = inverse(tree.model().link(c.link).placement) * touch.frame;
  c.points = touch.points, c.radius = touch.radius;
  c.joints = tree.joints_to(limb.end, tree.body(limb.first).parent);
  c.why = touch.why;
  return c;
}

// Joints that are not named in it are at the keyframe or, where there is none, at zero (nominal_configuration).
void add_posture(const Model& model, const Eigen::VectorXd& q, RobotContacts& to) {
  const auto neutral_q = neutral(model), keyframe = standing_keyframe(model);
  for (const auto& joint : model.joints()) {
    if (joint.nq == 0 || model.is_root_joint(joint)) continue;
    const auto part = [&](const Eigen::VectorXd& of) { return of.segment(joint.q_index, joint.nq); };
    const auto differs_from = [&](const Eigen::VectorXd& other) {
      return (part(q) - part(other)).cwiseAbs().maxCoeff() > 1e-9;
    };
    const auto now = part(q);
    if (differs_from(neutral_q) || (keyframe.size() > 0 && differs_from(keyframe)))
      to.posture[joint.name] = {now.begin(), now.end()};
  }
}

// How robots stand that do not have z up and x forward: y forward; y up, and x or z forward.
std::vector<Mat3<double>> other_bases() {
  return {{0, 1, 0, -1, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 0, -1, 0, 1, 0}, {0, 0, 1, 1, 0, 0, 0, 1, 0}};
}

// The posture in which limbs are looked for.
enum class Start { keyframe, initial, middle };

// How a robot stands: in which posture, with its base how.
struct Upright {
  Limbs limbs;
  Eigen::VectorXd q;
  Mat3<double> base = identity3<double>();
  Start start = Start::initial;
};

Upright upright_at(BodyTree& tree, const Mat3<double>& base, Start start) {
  const auto& model = tree.model();
  Upright found{.limbs = {}, .q = {}, .base = base, .start = start};
  found.q = start == Start::keyframe  ? upright_posture(model, base)
            : start == Start::initial ? initial_posture(model, base)
                                      : middle_posture(model, base);
  tree.move(found.q);
  found.limbs = find_limbs(tree);
  return found;
}

// Distances of the joints of a limb, from the trunk on.
std::vector<double> segments(const BodyTree& tree, const Limb& limb) {
  std::vector<double> lengths;
  for (int b = limb.end; b != limb.first; b = tree.body(b).parent) {
    const auto d = tree.body(b).joint_at - tree.body(tree.body(b).parent).joint_at;
    lengths.push_back(std::sqrt(dot(d, d)));
  }
  std::ranges::reverse(lengths);
  return lengths;
}

// Whether some of its arms may be legs that point elsewhere in this posture: their joints are as far from each other.
bool has_arms_like_legs(const BodyTree& tree, const Limbs& limbs) {
  const auto alike = [&](const Limb& arm, const Limb& leg) {
    const double tolerance = .05 * leg.length;
    return std::ranges::equal(segments(tree, arm), segments(tree, leg),
                              [&](double a, double b) { return std::abs(a - b) < tolerance; });
  };
  return std::ranges::any_of(limbs.arms, [&](const Limb& arm) {
    return std::ranges::any_of(limbs.legs, [&](const Limb& leg) { return alike(arm, leg); });
  });
}

// Turns the robot until it has legs, and then such that it faces along x. The tree is at the posture afterwards.
Upright find_upright(BodyTree& tree) {
  const bool keyframe = standing_keyframe(tree.model()).size() > 0;
  auto best = upright_at(tree, identity3<double>(), keyframe ? Start::keyframe : Start::initial);
  const auto unsure = [&] { return best.limbs.legs.empty() || has_arms_like_legs(tree, best.limbs); };
  const auto prefer = [&](const Mat3<double>& base, Start start) {
    if (!unsure() || (start == Start::keyframe && !keyframe)) return;
    if (auto other = upright_at(tree, base, start); other.limbs.legs.size() > best.limbs.legs.size())
      best = std::move(other);
  };
  if (unsure() && !best.limbs.on_wheels) {
    prefer(identity3<double>(), Start::initial);
    prefer(identity3<double>(), Start::middle);
    for (const auto& base : other_bases())
      for (const auto start : {Start::keyframe, Start::initial, Start::middle}) prefer(base, start);
  }
  const auto rotate_base = [&](const Mat3<double>& by) {
    auto other = upright_at(tree, by * best.base, best.start);
    if (other.limbs.legs.size() == best.limbs.legs.size()) best = std::move(other);
    tree.move(best.q);
  };
  tree.move(best.q);
  if (best.limbs.legs.size() > 2 && legs_swing_sideways(tree, best.limbs)) rotate_base(other_bases()[0]);
  if (!best.limbs.legs.empty() && names_in_favor(tree, best.limbs) < 0) rotate_base({-1, 0, 0, 0, -1, 0, 0, 0, 1});
  return best;
}

// One line for all links of which the same is to be said.
void add_remarks(const std::vector<std::pair<std::string, std::string>>& said, RobotContacts& to) {
  std::vector<std::string> done;
  for (const auto& [link, text] : said) {
    if (std::ranges::find(done, text) != done.end()) continue;
    done.push_back(text);
    std::string links;
    for (const auto& [other, same] : said)
      if (same == text) links += (links.empty() ? "" : ", ") + in_quotes(other);
    to.remarks.push_back((links.find(',') == std::string::npos ? "link " : "links ") + links + ": " + text);
  }
}

}  // namespace

const char* to_string(ContactRole role) {
  constexpr const char* words[] = {"foot", "hand", "pad"};
  return words[int(role)];
}

std::vector<const LimbContact*> RobotContacts::of_role(ContactRole role) const {
  std::vector<const LimbContact*> found;
  for (const auto& limb : limbs)
    if (limb.role == role) found.push_back(&limb);
  return found;
}

RobotContacts propose_contacts(const Description& robot) {
  const auto model = build(robot, {.base = Base::free});
  BodyTree tree(model, upright_posture(model, identity3<double>()));
  const auto [limbs, upright, base, start] = find_upright(tree);
  const bool bent = start != Start::initial;  // the posture need not be changed
  RobotContacts found;
  found.base = base;
  const auto name = in_quotes(robot.name.empty() ? robot.file : robot.name);
  if (limbs.legs.empty())
    throw NoFeet("robot " + name + " has no feet: " + limbs.why_no_legs +
                 "; write its contacts to a file if it can stand nevertheless (docs/contacts-file.md)");
  std::vector<Foot> feet;
  std::vector<std::pair<std::string, std::string>> remarks;  // links, and what is to be said of them
  const auto add = [&](const std::vector<Limb>& list, ContactRole role) {
    for (std::size_t k = 0; k < list.size(); ++k) {
      const auto joints = tree.joints_to(list[k].end, tree.body(list[k].first).parent).size();
      auto touch = role == ContactRole::foot ? find_foot(tree, list[k], int(joints)) : find_hand(tree, list[k]);
      for (const auto& remark : touch.remarks) remarks.emplace_back(carrier(tree, list[k].end, touch.frame.p), remark);
      const auto beside = [&](const Limb& other) { return other.side == list[k].side; };
      const auto before = std::count_if(list.begin(), list.begin() + std::ptrdiff_t(k), beside);
      const auto all = std::ranges::count_if(list, beside);
      found.limbs.push_back(contact_of(
          tree, list[k], touch, limb_name(std::size_t(before), std::size_t(all), list[k].side, to_string(role))));
      found.limbs.back().role = role;
      if (role == ContactRole::foot) feet.push_back({list[k], touch});
    }
  };
  add(limbs.legs, ContactRole::foot);
  add(limbs.arms, ContactRole::hand);
  add_remarks(remarks, found);
  auto q = bent ? upright : bend_legs(tree, upright, feet);
  if (!bent && q == upright)
    found.remarks.push_back(
        "its knees stay straight: within the joint limits, bent legs do not put the feet flat below the hips");
  if (start != Start::keyframe) q = relax_arms(tree, q, limbs);
  add_posture(model, q, found);
  return found;
}

void add_contact_frames(Description& robot, const RobotContacts& contacts) {
  for (const auto& c : contacts.limbs) {
    const auto called = [&](const auto& x) { return x.name == c.name; };
    if (std::ranges::any_of(robot.links, called) || std::ranges::any_of(robot.frames, called))
      throw Error("contact " + in_quotes(c.name) + ": the robot has a link or frame of this name already");
    if (std::ranges::none_of(robot.links, [&](const auto& l) { return l.name == c.link; }))
      throw Error("contact " + in_quotes(c.name) + ": the robot has no link " + in_quotes(c.link));
    robot.frames.push_back({.name = c.name, .link = c.link, .origin = c.pose});
  }
}

}  // namespace lissom
