#include "lissom/limbs/propose.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/state.h"
#include "lissom/limbs/names.h"
#include "lissom/limbs/nominal_posture.h"
#include "lissom/model/text.h"

namespace lissom {

using namespace limbs;

namespace {

// "left_foot"; "front_left_foot" if there are more pairs than one.
std::string limb_name(std::size_t pair, std::size_t pairs, int side, const char* what) {
  const std::string name = std::string(side > 0 ? "left_" : "right_") + what;
  if (pairs <= 1) return name;
  if (pair == 0) return "front_" + name;
  if (pair + 1 == pairs) return "rear_" + name;
  return (pairs == 3 ? "middle_" : "middle" + std::to_string(pair) + "_") + name;
}

LimbContact contact_of(const BodyTree& tree, const Limb& limb, const Touch& touch, std::string name) {
  const auto& body = tree.body(limb.end);
  LimbContact c;
  c.name = free_name(tree.model(), name);
  c.link = body.link;
  c.kind = touch.kind;
  c.pose = inverse(tree.model().link(body.link).placement) * touch.frame;
  c.points = touch.points, c.radius = touch.radius;
  c.joints = tree.joints_to(limb.end, tree.body(limb.first).parent);
  c.why = touch.why;
  return c;
}

void add_posture(const Model& model, const Eigen::VectorXd& q, RobotContacts& to) {
  const auto neutral_q = neutral(model);
  for (const auto& joint : model.joints()) {
    if (joint.nq == 0 || model.is_root_joint(joint)) continue;
    const auto now = q.segment(joint.q_index, joint.nq);
    if ((now - neutral_q.segment(joint.q_index, joint.nq)).cwiseAbs().maxCoeff() > 1e-9)
      to.posture[joint.name] = {now.begin(), now.end()};
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
  const auto upright = upright_posture(model);
  BodyTree tree(model, upright);
  const auto limbs = find_limbs(tree);
  const auto name = in_quotes(robot.name.empty() ? robot.file : robot.name);
  if (limbs.legs.empty())
    throw Error("robot " + name + " has no feet: " + limbs.why_no_legs +
                "; write its contacts to a file if it can stand nevertheless (docs/stance.md)");
  RobotContacts found;
  std::vector<Foot> feet;
  const auto add = [&](const std::vector<Limb>& list, ContactRole role) {
    for (std::size_t k = 0; k < list.size(); ++k) {
      const auto joints = tree.joints_to(list[k].end, tree.body(list[k].first).parent).size();
      auto touch = role == ContactRole::foot ? find_foot(tree, list[k], int(joints)) : find_hand(tree, list[k]);
      for (const auto& remark : touch.remarks)
        if (std::ranges::find(found.remarks, remark) == found.remarks.end()) found.remarks.push_back(remark);
      found.limbs.push_back(
          contact_of(tree, list[k], touch, limb_name(k / 2, list.size() / 2, list[k].side, to_string(role))));
      found.limbs.back().role = role;
      if (role == ContactRole::foot) feet.push_back({list[k], touch});
    }
  };
  add(limbs.legs, ContactRole::foot);
  add(limbs.arms, ContactRole::hand);
  add_posture(model, nominal_posture(tree, upright, feet), found);
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
