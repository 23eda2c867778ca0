// <keyframe> becomes postures; so does qpos0, the configuration in which MuJoCo starts.
#include <cmath>

#include "lissom/io/mjcf/parts.h"
#include "lissom/io/mjcf/references.h"
#include "lissom/model/text.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::io::mjcf {
namespace {

const JointDescription& joint_named(const std::string& name, const Reading& reading) {
  return reading.out.joints[reading.joints.at(name).index];
}

// Whether a joint belongs to a model, or to one that is attached to it.
bool belongs_to(const ModelPart& model, const JointRecord& joint) {
  const ModelPart* part = joint.owner;
  while (part && part != &model) part = part->attached_to;
  return part != nullptr;
}

// The joints of a model, in the order of qpos. Names do not tell: a prefix may also begin the name of another joint.
std::vector<std::string> joints_of(const ModelPart& model, const Reading& reading) {
  std::vector<std::string> names;
  for (const auto& name : reading.joint_order)
    if (belongs_to(model, reading.joints.at(name))) names.push_back(name);
  return names;
}

// Whether the neutral position, the nearest to zero within limits, is not zero.
bool excludes_zero(const JointDescription& joint) {
  return joint.lower.size() == 1 && joint.upper.size() == 1 && (joint.lower[0] > 0 || joint.upper[0] < 0);
}

void normalize(std::vector<double>& q, std::size_t at) {
  const double n = std::sqrt(q[at] * q[at] + q[at + 1] * q[at + 1] + q[at + 2] * q[at + 2] + q[at + 3] * q[at + 3]);
  for (std::size_t i = 0; i < 4; ++i) q[at + i] = n > 0 ? q[at + i] / n : (i == 0 ? 1. : 0.);
}

// Whether qpos has as many numbers as the joints have coordinates; otherwise it is said. Where models are attached,
// MuJoCo takes fewer numbers for the first joints, and leaves the others at qpos0: those are removed from the list.
bool fits(const Element& element, std::size_t count, const ModelPart& model, const Reading& reading,
          std::vector<std::string>& joints) {
  std::size_t nq = 0, given = 0;
  bool whole = count == 0;  // the numbers end where a joint ends
  for (const auto& joint : joints) {
    nq += std::size_t(joint_traits(joint_named(joint, reading).type).nq());
    if (nq <= count) ++given;
    whole = whole || nq == count;
  }
  if (nq == count) return true;
  const std::string found = "attribute 'qpos' has " + counted(count, "number");
  if (!model.complete) {
    element.note("attach-left-out",
                 found + ", but what is attached of its model has " + std::to_string(nq) + "; the key is left out",
                 "none needed, if it is not used; otherwise attach the whole model");
    return false;
  }
  if (whole && count < nq && model.depth == 0 && reading.parts.size() > 1) {
    element.note("key-short",
                 found + ", and the model, with those that are attached, has " + std::to_string(nq) +
                     "; as in MuJoCo, they are those of the first joints, and the others stay at qpos0",
                 "write one number for each element of qpos, in the order of the joints");
    joints.resize(given);
    return true;
  }
  element.error("key-size", found + ", expected " + std::to_string(nq),
                "write one number for each element of qpos, in the order of the joints");
  return false;
}

void read_key(const Element& element, const std::string& name, const ModelPart& model, Reading& reading) {
  for (const char* other : {"time", "qvel", "act", "ctrl", "mpos", "mquat", "plastic"})
    if (element.has(other))
      reading.out.kept.push_back({shown("key", name), other, std::string(element.text(other)), element.line()});
  if (!element.has("qpos")) return;
  std::vector<double> qpos;
  if (const auto problem = parse_numbers(element.text("qpos"), qpos))
    return element.error(problem->code, "attribute 'qpos': " + problem->message, problem->remedy);
  auto joints = joints_of(model, reading);
  if (!fits(element, qpos.size(), model, reading, joints)) return;
  PostureDescription posture{name, {}, element.line()};
  std::size_t at = 0;
  for (const auto& joint : joints) {
    const JointTraits& traits = joint_traits(joint_named(joint, reading).type);
    const auto count = std::size_t(traits.nq());
    PostureDescription::JointPosition position{
        joint, {qpos.begin() + std::ptrdiff_t(at), qpos.begin() + std::ptrdiff_t(at + count)}};
    if (traits.has_quaternion()) normalize(position.q, std::size_t(traits.quaternion()));
    posture.positions.push_back(std::move(position));
    at += count;
  }
  reading.out.postures.push_back(std::move(posture));
}

}  // namespace

void read_keyframes(const Element& section, ModelPart& model, Reading& reading) {
  for (const pugi::xml_node node : section.children()) {
    if (std::string_view(node.name()) != "key") continue;
    const Element unnamed(node, reading.report, "key");
    std::string name = Reference{model, reading, ""}.name_of(unnamed.text("name"));
    if (name.empty()) name = made_up_name("key" + std::to_string(++reading.key_count), reading);
    const std::string subject = shown("key", name);
    read_key(unnamed.with_subject(subject), name, model, reading);
  }
}

namespace {

// Joints that a key of an attached model, or a short one, does not name stay at qpos0.
void complete_keys(const std::vector<PostureDescription::JointPosition>& start, Reading& reading) {
  const Element root(reading.parts.front().root, reading.report, "keyframe");
  for (auto& posture : reading.out.postures) {
    if (posture.positions.size() == reading.joint_order.size()) continue;
    std::unordered_set<std::string> named;
    for (const auto& position : posture.positions) named.insert(position.joint);
    for (const auto& position : start) {
      if (named.contains(position.joint)) continue;
      if (!reading.may_add(root)) return;
      posture.positions.push_back(position);
    }
  }
}

}  // namespace

void add_initial_posture(Reading& reading) {
  PostureDescription posture{"qpos0", {}, 0};
  for (const auto& name : reading.joint_order) {
    const JointRecord& record = reading.joints.at(name);
    const JointDescription& joint = reading.out.joints[record.index];
    if (joint.type == JointType::free) {
      const auto& X = reading.bodies.at(record.body).world;
      const auto q = quaternion(X.R);
      const double sign = q.w < 0 ? -1 : 1;
      const bool neutral = X.p.x == 0 && X.p.y == 0 && X.p.z == 0 && X.R.xx == 1 && X.R.yy == 1 && X.R.zz == 1;
      if (!neutral)
        posture.positions.push_back({name, {X.p.x, X.p.y, X.p.z, sign * q.w, sign * q.x, sign * q.y, sign * q.z}});
    } else if (record.ref != 0 || excludes_zero(joint)) {
      posture.positions.push_back({name, {record.ref}});
    }
  }
  if (posture.positions.empty()) return;
  complete_keys(posture.positions, reading);
  for (auto& other : reading.out.postures)
    if (other.name == posture.name) return;  // a key of that name counts
  reading.out.postures.insert(reading.out.postures.begin(), std::move(posture));
}

}  // namespace lissom::io::mjcf
