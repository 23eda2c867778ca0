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

void fix(JointDescription& joint, double q) {
  joint.origin = joint.origin * moved(joint, q);
  joint.type = JointType::fixed;
  joint.lower.clear(), joint.upper.clear();
  joint.mimic.reset();
  joint.velocity_limit = joint.effort_limit = JointDescription::unlimited;
  joint.damping = joint.dry_friction = joint.spring_stiffness = joint.spring_rest = 0;
  joint.armature = 0;
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

void drop_masses_of_world(Description& robot, const BuildOptions& options) {
  const auto model = build(robot, options);
  if (model.moving_mass() == model.mass()) return;
  for (auto& link : robot.links)
    if (model.link(link.name).body == 0) link.mass = 0, link.inertia = {0, 0, 0, 0, 0, 0};
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
