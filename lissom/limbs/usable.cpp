#include "lissom/limbs/usable.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "lissom/limbs/standing_robot.h"
#include "lissom/model/text.h"
#include "lissom/model/validate.h"
#include "lissom/spatial/quaternion.h"

namespace lissom {

namespace limbs {

namespace {

// A joint with a spring needs no motor.
bool cannot_move(const JointDescription& joint) {
  return joint.velocity_limit[0] == 0 || (joint.effort_limit[0] == 0 && joint.spring_stiffness[0] == 0);
}

// The name in "joint 'NAME'".
std::string joint_of(const Diagnostic& d) {
  const auto begin = d.subject.find('\''), end = d.subject.rfind('\'');
  return begin == end ? "" : d.subject.substr(begin + 1, end - begin - 1);
}

double neutral_position(const JointDescription& joint) {
  const double low = joint.lower.empty() ? 0 : joint.lower[0], high = joint.upper.empty() ? 0 : joint.upper[0];
  return low > 0 ? low : high < 0 ? high : 0;
}

Pose<double> moved(const JointDescription& joint, double q) {
  const double norm = std::sqrt(dot(joint.axis, joint.axis));
  const auto axis = (1 / norm) * joint.axis;
  if (joint.type == JointType::prismatic) return {identity3<double>(), q * axis};
  const double s = std::sin(q / 2);
  return {matrix(Quaternion<double>{std::cos(q / 2), s * axis.x, s * axis.y, s * axis.z}), {0, 0, 0}};
}

void make_fixed(JointDescription& joint) {
  joint.type = JointType::fixed;
  joint.lower.clear(), joint.upper.clear();
  joint.mimic.reset();
  joint.velocity_limit = joint.effort_limit = JointDescription::unlimited;
  joint.damping = joint.dry_friction = joint.spring_stiffness = joint.spring_rest = 0;
  joint.armature = 0;
}

void fix(JointDescription& joint, double q) {
  joint.origin = joint.origin * moved(joint, q);
  make_fixed(joint);
}

bool may_be_fixed(const JointDescription& joint) {
  return joint.type == JointType::revolute || joint.type == JointType::prismatic;
}

}  // namespace

void fix_useless_joints(Description& robot, RobotContacts& contacts) {
  std::set<std::string> legs, useless;
  for (const auto& c : contacts.limbs)
    if (c.role == ContactRole::foot) legs.insert(c.joints.begin(), c.joints.end());
  for (const auto& d : validate(robot, {.base = Base::free}))
    if (d.code == "dynamics-singular") useless.insert(joint_of(d));
  for (const auto& joint : robot.joints)
    if (may_be_fixed(joint) && cannot_move(joint)) useless.insert(joint.name);
  std::erase_if(useless, [&](const std::string& name) {
    const auto joint = std::ranges::find(robot.joints, name, &JointDescription::name);
    return joint == robot.joints.end() || legs.contains(name) || !may_be_fixed(*joint);
  });
  if (useless.empty()) return;
  // Those that mimic them cannot move either.
  for (bool more = true; more;) {
    more = false;
    for (const auto& joint : robot.joints)
      if (joint.mimic && useless.contains(joint.mimic->joint) && may_be_fixed(joint))
        more = useless.insert(joint.name).second || more;
  }
  for (auto& joint : robot.joints) {
    if (!useless.contains(joint.name)) continue;
    fix(joint, neutral_position(joint));
    contacts.posture.erase(joint.name);
  }
  std::erase_if(robot.actuators, [&](const auto& a) { return useless.contains(a.joint); });
  contacts.remarks.push_back(
      counted(useless.size(), "joint") + (useless.size() == 1 ? " is" : " are") + " taken as fixed, such as " +
      in_quotes(*useless.begin()) +
      ": the limits of velocity or effort are zero, or it moves no mass (lissom check says which); give real limits "
      "and masses if they shall move");
}

namespace {

// The trees of bodies that a file has: a robot, and perhaps a ball, a door, a second robot.
class Trees {
 public:
  explicit Trees(const Model& model) : model_(model), top_(std::size_t(model.body_count()) + 1, 0) {
    std::vector<int> size(top_.size(), 0);
    for (const auto& joint : model.joints()) {
      if (joint.type == JointType::fixed) continue;
      const bool root = model.is_root_joint(joint) || !model.has_link(joint.parent);
      const int parent = root ? 0 : model.link(joint.parent).body;
      int& top = top_[std::size_t(joint.body)];
      top = parent == 0 ? joint.body : top_[std::size_t(parent)];
      if (parent == 0 && joint.type == JointType::free) floating_.insert(joint.body);
      if (const int now = ++size[std::size_t(top)]; now > size[std::size_t(robot_)]) robot_ = top;
    }
  }
  bool is_robot(const std::string& link) const { return top(link) == robot_; }
  bool floats(const std::string& link) const { return floating_.contains(top(link)); }

 private:
  int top(const std::string& link) const { return top_[std::size_t(model_.link(link).body)]; }

  const Model& model_;
  std::vector<int> top_;  // of each body, the one that its tree begins with; 0: fixed to the world
  std::set<int> floating_;
  int robot_ = 0;
};

}  // namespace

void keep_only_robot(Description& robot, const BuildOptions& options) {
  const auto model = build(robot, options);
  const Trees trees(model);
  std::set<std::string> stopped, children, left_out;
  for (auto& joint : robot.joints) {
    children.insert(joint.child);
    if (joint.type == JointType::fixed || trees.is_robot(joint.child)) continue;
    make_fixed(joint);
    stopped.insert(joint.name);
  }
  for (auto& link : robot.links) {
    if (trees.is_robot(link.name)) continue;
    link.mass = 0, link.inertia = {0, 0, 0, 0, 0, 0};
    if (!trees.floats(link.name)) continue;
    for (const auto& collision : link.collisions) left_out.insert(collision.name);
    link.collisions.clear();  // it would hang in the air
    if (children.contains(link.name)) continue;
    auto root = std::ranges::find(robot.roots, link.name, &RootDescription::link);
    if (root == robot.roots.end()) root = robot.roots.insert(root, RootDescription{.link = link.name});
    root->base = Base::fixed, root->is_ground = true;
  }
  const auto is_stopped = [&](const std::string& joint) { return stopped.contains(joint); };
  const auto pulls_stopped = [&](const auto& tendon) {
    return std::ranges::any_of(tendon.terms, [&](const auto& term) { return is_stopped(term.joint); });
  };
  std::set<std::string> slack;
  for (const auto& tendon : robot.tendons)
    if (pulls_stopped(tendon)) slack.insert(tendon.name);
  std::erase_if(robot.tendons, pulls_stopped);
  std::erase_if(robot.actuators, [&](const auto& a) { return is_stopped(a.joint) || slack.contains(a.tendon); });
  std::erase_if(robot.couplings, [&](const auto& c) { return is_stopped(c.joint) || is_stopped(c.of); });
  std::erase_if(robot.contact_pairs, [&](const auto& p) { return left_out.contains(p.a) || left_out.contains(p.b); });
  for (auto& posture : robot.postures)
    std::erase_if(posture.positions, [&](const auto& position) { return is_stopped(position.joint); });
}

}  // namespace limbs

void expect_usable(const Model& model) {
  if (!(model.moving_mass() > 0))
    throw Error("robot " + in_quotes(model.name()) + " has no mass: give its links mass and inertia");
  const bool no_motor =
      std::ranges::none_of(model.effort_limit(), [](double limit) { return std::isfinite(limit) && limit > 0; }) &&
      std::ranges::any_of(model.effort_limit(), [](double limit) { return limit == 0; });
  std::vector<Diagnostic> bad;
  for (auto& d : validate(model.description(), model.options())) {
    bool matters = d.code == "dynamics-singular" || d.code == "dynamics-indefinite";
    if (d.code == "limit-zero") {
      const auto name = limbs::joint_of(d);
      matters = no_motor || (model.has_joint(name) && model.joint(name).velocity_limit[0] == 0);
    }
    if (!matters) continue;
    d.severity = Severity::error;
    bad.push_back(std::move(d));
  }
  if (!bad.empty()) throw Error(std::move(bad));
}

}  // namespace lissom
