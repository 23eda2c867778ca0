#include "lissom/io/write/split_joints.h"

#include <algorithm>

#include "lissom/model/interpretation.h"

namespace lissom::io::write {
namespace {

PerDof part_of(const PerDof& values, int first, int count) {
  if (values.count() == 1) return values;
  return PerDof(values.values().subspan(std::size_t(first), std::size_t(count)));
}

class Splitter {
 public:
  explicit Splitter(Description& description) : d_(description) {}

  JoinedJoint split(std::size_t index) {
    const JointDescription joint = d_.joints[index];
    JoinedJoint whole{joint.name, joint.type, {}, joint.pitch};
    std::vector<JointDescription> chain;
    int v = 0;
    for (const JointPart& part : split_parts(joint.type)) {
      chain.push_back(made(joint, part, v));
      whole.parts.push_back(chain.back().name);
      v += joint_traits(part.type).nv();
    }
    connect(joint, chain);
    if (joint_traits(joint.type).has_pitch)
      d_.couplings.push_back({joint.name + "/pitch", chain[1].name, chain[0].name, {0, joint.pitch}, joint.line});
    follow(joint, chain);
    d_.joints[index] = chain[0];
    d_.joints.insert(d_.joints.begin() + std::ptrdiff_t(index) + 1, chain.begin() + 1, chain.end());
    return whole;
  }

 private:
  static JointDescription made(const JointDescription& joint, const JointPart& part, int v) {
    JointDescription one = joint;
    one.name = *part.name ? joint.name + "/" + part.name : joint.name;
    one.type = part.type;
    one.axis = part.type == JointType::spherical ? JointDescription{}.axis : direction_of(joint, part.along);
    one.axis2 = JointDescription{}.axis2, one.pitch = 0;
    const int nv = joint_traits(part.type).nv();
    if (part.by_pitch) {  // the part before it has all of it
      JointDescription slide;
      slide.name = one.name, slide.type = one.type, slide.axis = one.axis, slide.line = one.line;
      return slide;
    }
    if (!joint_traits(joint.type).has_pitch) {
      one.lower.clear(), one.upper.clear();
      if (nv == 1 && !joint.lower.empty()) one.lower = {joint.lower[std::size_t(v)]};
      if (nv == 1 && !joint.upper.empty()) one.upper = {joint.upper[std::size_t(v)]};
      for (const auto property :
           {&JointDescription::velocity_limit, &JointDescription::effort_limit, &JointDescription::damping,
            &JointDescription::dry_friction, &JointDescription::spring_stiffness, &JointDescription::spring_rest})
        one.*property = part_of(joint.*property, v, nv);
    }
    return one;
  }

  void connect(const JointDescription& joint, std::vector<JointDescription>& chain) {
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
      LinkDescription between;
      between.name = joint.child + "/" + chain[i].name;
      between.line = joint.line;
      between.connects_joints = true;
      chain[i].child = chain[i + 1].parent = between.name;
      chain[i + 1].origin = {};
      d_.links.push_back(std::move(between));
    }
    chain[0].parent = joint.parent;
    chain.back().child = joint.child;
  }

  void follow(const JointDescription& joint, const std::vector<JointDescription>& chain) {
    for (auto& actuator : d_.actuators) {
      if (actuator.joint != joint.name) continue;
      for (const auto& part : chain) {
        const int nv = joint_traits(part.type).nv();
        actuator.joint = part.name;
        if (actuator.component < nv) break;
        actuator.component -= nv;
      }
    }
    for (auto& posture : d_.postures) split_positions(posture, joint, chain);
  }
  static void split_positions(PostureDescription& posture, const JointDescription& joint,
                              const std::vector<JointDescription>& chain) {
    const auto found = std::ranges::find(posture.positions, joint.name, &PostureDescription::JointPosition::joint);
    // The quaternion of a spherical joint stays one: only lissom reads postures where the joint is split.
    if (found == posture.positions.end() || joint.type == JointType::spherical) return;
    auto q = found->q;
    posture.positions.erase(found);
    if (joint_traits(joint.type).has_pitch && !q.empty()) q.push_back(joint.pitch * q[0]);
    std::size_t at = 0;
    for (const auto& part : chain) {
      const auto nq = std::size_t(joint_traits(part.type).nq());
      if (at + nq > q.size()) return;
      posture.positions.push_back({part.name, {q.begin() + std::ptrdiff_t(at), q.begin() + std::ptrdiff_t(at + nq)}});
      at += nq;
    }
  }

  Description& d_;
};

}  // namespace

std::vector<JoinedJoint> split_joints(Description& description,
                                      const std::function<bool(const JointDescription&)>& splits) {
  std::vector<JoinedJoint> undo;
  for (std::size_t i = 0; i < description.joints.size(); ++i)
    if (!split_parts(description.joints[i].type).empty() && splits(description.joints[i]))
      undo.push_back(Splitter(description).split(i));
  return undo;
}

}  // namespace lissom::io::write
