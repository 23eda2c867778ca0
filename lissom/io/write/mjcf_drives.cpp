#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/io/write/mjcf_writer.h"
#include "lissom/io/write/prepare.h"
#include "lissom/io/write/xml_output.h"
#include "lissom/model/text.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom::io::write {
namespace {

// Two numbers for a range, of which one may be missing.
void put_range(pugi::xml_node node, const char* name, double lower, double upper) {
  constexpr double no_limit = 1e16;
  if (std::isinf(lower) && std::isinf(upper)) return;
  put(node, name, numbers_text(std::array{std::max(lower, -no_limit), std::min(upper, no_limit)}));
}

}  // namespace

void MjcfWriter::write_tendons(Node mujoco) {
  if (d_.tendons.empty()) return;
  auto section = add(mujoco, "tendon");
  for (const auto& t : d_.tendons) {
    auto node = add(section, "fixed");
    put(node, "name", t.name);
    put_range(node, "range", t.lower, t.upper);
    put_unless(0, node, "stiffness", t.stiffness), put_unless(0, node, "damping", t.damping);
    if (t.stiffness != 0 || t.rest != 0) put(node, "springlength", t.rest);
    put_unless(0, node, "frictionloss", t.dry_friction), put_unless(0, node, "armature", t.armature);
    elements_["tendon " + in_quotes(t.name)] = node;
    for (const auto& term : t.terms) {
      auto joint = add(node, "joint");
      put(joint, "joint", term.joint), put(joint, "coef", term.coefficient);
    }
  }
}

void MjcfWriter::write_law(const ActuatorDescription& a, Node node) {
  using Kind = ActuatorDescription::Kind;
  if (a.kind == Kind::position) {
    put(node, "kp", a.gain);
    put_unless(0, node, "kv", -a.bias[2]);
  } else if (a.kind == Kind::velocity) {
    put(node, "kv", a.gain);
  } else if (a.kind == Kind::general) {
    put(node, "gaintype", "fixed"), put(node, "gainprm", a.gain);
    if (a.bias[0] != 0 || a.bias[1] != 0 || a.bias[2] != 0)
      put(node, "biastype", "affine"), put(node, "biasprm", numbers_text(a.bias));
  }
}

void MjcfWriter::write_actuators(Node mujoco) {
  using Kind = ActuatorDescription::Kind;
  auto section = add(mujoco, "actuator");
  const auto kept = kept_actuators();  // in the order of the file, as the commands of keys are
  actuators_in_order_ = are_ordered(kept);
  auto next = kept.begin();
  const auto write_before = [&](int line) {
    for (; next != kept.end() && next->front()->line < line; ++next) write_whole(*next, section);
  };
  for (auto a : d_.actuators) {
    write_before(a.line);
    const auto joint = std::ranges::find(joints_, a.joint, &Written::name);
    const JointType type = joint == joints_.end() ? JointType::revolute : joint->type;
    const bool feedback = a.bias[0] != 0 || a.bias[1] != 0 || a.bias[2] != 0;
    if ((type == JointType::free && a.component < 3) || (joint_traits(type).nv() > 1 && feedback)) {
      extras_.rest.actuators.push_back(a);
      losses_.extended("actuator", a.line, "actuator " + in_quotes(a.name),
                       "it drives a joint along an axis of the body");
      continue;
    }
    // The names of MuJoCo's laws, if they are those.
    const bool is_motor = a.gain == 1 && !feedback;
    const bool is_position = a.bias[0] == 0 && a.bias[1] == -a.gain;
    const bool is_velocity = a.bias[0] == 0 && a.bias[1] == 0 && a.bias[2] == -a.gain;
    if ((a.kind == Kind::motor && !is_motor) || (a.kind == Kind::position && !is_position) ||
        (a.kind == Kind::velocity && !is_velocity))
      a.kind = Kind::general;
    auto node = add(section, a.kind == Kind::motor      ? "motor"
                             : a.kind == Kind::position ? "position"
                             : a.kind == Kind::velocity ? "velocity"
                                                        : "general");
    put(node, "name", a.name);
    if (a.tendon.empty())
      put(node, "joint", a.joint);
    else
      put(node, "tendon", a.tendon);
    std::vector<double> gear(std::size_t(a.component) + 1, 0);
    gear.back() = a.gear;
    if (gear.size() > 1 || a.gear != 1) put(node, "gear", numbers_text(gear));
    put_range(node, "ctrlrange", a.min_command, a.max_command);
    put_range(node, "forcerange", a.min_force, a.max_force);
    write_law(a, node);
    elements_["actuator " + in_quotes(a.name)] = node;
  }
  write_before(std::numeric_limits<int>::max());
  if (!section.first_child()) mujoco.remove_child(section);
}

// The elements of qpos for a joint.
std::vector<double> MjcfWriter::position(const Written& joint, const PostureDescription& posture) const {
  const JointTraits& traits = joint_traits(joint.type);
  std::vector<double> q(std::size_t(traits.nq()), 0);
  if (traits.has_quaternion()) q[std::size_t(traits.quaternion())] = 1;
  const auto said = std::ranges::find(posture.positions, joint.name, &PostureDescription::JointPosition::joint);
  const auto described = std::ranges::find(d_.joints, joint.name, &JointDescription::name);
  if (said != posture.positions.end() && said->q.size() == q.size())
    q = said->q;
  else if (described != d_.joints.end() && described->mimic) {
    const auto& mimic = *described->mimic;
    const auto leader = std::ranges::find(joints_, mimic.joint, &Written::name);
    if (leader != joints_.end() && leader->name != joint.name)
      q[0] = mimic.ratio * position(*leader, posture)[0] + mimic.offset;
  }
  if (joint.type != JointType::free) return q;
  const Pose<double> X = joint.origin * Pose<double>{matrix(q[3], q[4], q[5], q[6]), {q[0], q[1], q[2]}};
  if (is_identity(joint.origin)) return q;
  const auto r = quaternion_of(X.R);
  return {X.p.x, X.p.y, X.p.z, r.w, r.x, r.y, r.z};
}

void MjcfWriter::write_keyframes(Node mujoco) {
  if (d_.postures.empty()) return;
  auto section = add(mujoco, "keyframe");
  for (const auto& posture : d_.postures) {
    auto key = add(section, "key");
    std::vector<double> q;
    for (const auto& joint : joints_)
      for (const double x : position(joint, posture)) q.push_back(x);
    put(key, "name", posture.name), put(key, "qpos", numbers_text(q));
    elements_["key " + in_quotes(posture.name)] = key;
  }
}

}  // namespace lissom::io::write
