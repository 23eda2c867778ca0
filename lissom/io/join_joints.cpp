#include <algorithm>
#include <array>
#include <cmath>

#include "lissom/io/extras.h"
#include "lissom/model/axes.h"
#include "lissom/model/interpretation.h"

namespace lissom::io {
namespace {

constexpr double rounding = 1e-9;  // of poses and axes that a file gives

double length(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}
bool is_near_identity(const Pose<double>& X) {
  return length(X.p) < rounding && std::abs(X.R.xx - 1) + std::abs(X.R.yy - 1) + std::abs(X.R.zz - 1) < rounding;
}
bool are_parallel(const Vec3<double>& a, const Vec3<double>& b) {
  return length(unit(a) - unit(b)) < rounding;
}

class Joiner {
 public:
  Joiner(const JoinedJoint& whole, Description& description) : whole_(whole), d_(description) {}

  bool run() {
    for (const auto& name : whole_.parts) {
      const auto found = std::ranges::find(d_.joints, name, &JointDescription::name);
      if (found == d_.joints.end()) return false;
      parts_.push_back(*found);
    }
    if (!is_chain() || !fits()) return false;
    const JointDescription joint = joined();
    const auto place = std::ranges::find(d_.joints, parts_[0].name, &JointDescription::name);
    *place = joint;
    for (std::size_t i = 1; i < parts_.size(); ++i) {
      std::erase_if(d_.joints,
                    [&](const JointDescription& j) { return j.name == parts_[i].name && j.name != joint.name; });
      std::erase_if(d_.links, [&](const LinkDescription& link) { return link.name == parts_[i].parent; });
    }
    if (joint_traits(whole_.type).has_pitch)
      std::erase_if(d_.couplings, [&](const JointCoupling& c) { return c.joint == parts_[1].name; });
    rename_users();
    return true;
  }

 private:
  // Whether links without mass, and nothing else, connect the parts, all at the same place.
  bool is_chain() const {
    for (std::size_t i = 1; i < parts_.size(); ++i) {
      const auto& between = parts_[i].parent;
      const auto link = std::ranges::find(d_.links, between, &LinkDescription::name);
      if (parts_[i - 1].child != between || link == d_.links.end() || !is_massless(*link)) return false;
      if (!link->visuals.empty() || !link->collisions.empty() || !is_near_identity(parts_[i].origin)) return false;
      if (std::ranges::count(d_.joints, between, &JointDescription::parent) != 1) return false;
      if (std::ranges::count(d_.frames, between, &FrameDescription::link) != 0) return false;
    }
    return true;
  }

  // Whether the parts are those of this joint type, along its axes.
  bool fits() const {
    const auto expected = split_parts(whole_.type);
    if (expected.empty() || expected.size() != parts_.size()) return false;
    const JointDescription axes = with_axes();
    return std::ranges::equal(expected, parts_, [&](const JointPart& part, const JointDescription& found) {
      const auto& traits = joint_traits(found.type);
      if (!traits.is_elementary() || traits.parts[0].type != part.type) return false;
      return part.type == JointType::spherical || are_parallel(found.axis, direction_of(axes, part.along));
    });
  }
  // A joint with the axes that the parts have.
  JointDescription with_axes() const {
    JointDescription joint;
    const auto expected = split_parts(whole_.type);
    for (std::size_t i = expected.size(); i-- > 0;) {
      if (expected[i].along == Direction::axis && expected[i].type != JointType::spherical) joint.axis = parts_[i].axis;
      if (expected[i].along == Direction::axis2) joint.axis2 = parts_[i].axis;
    }
    return joint;
  }

  JointDescription joined() const {
    JointDescription joint = parts_[0];
    joint.name = whole_.name, joint.type = whole_.type;
    joint.child = parts_.back().child;
    joint.pitch = whole_.pitch;
    const JointDescription axes = with_axes();
    joint.axis = axes.axis, joint.axis2 = axes.axis2;
    if (joint_traits(whole_.type).has_pitch) return joint;
    join_limits(joint);
    if (joint_traits(whole_.type).limits == PositionLimits::none) joint.lower.clear(), joint.upper.clear();
    for (const auto property :
         {&JointDescription::velocity_limit, &JointDescription::effort_limit, &JointDescription::damping,
          &JointDescription::dry_friction, &JointDescription::spring_stiffness, &JointDescription::spring_rest})
      join_values(joint, property);
    if (!joint_traits(whole_.type).takes_armature) joint.armature = 0;
    return joint;
  }
  void join_limits(JointDescription& joint) const {
    joint.lower.clear(), joint.upper.clear();
    if (std::ranges::all_of(parts_, [](const auto& part) { return part.lower.empty() && part.upper.empty(); })) return;
    for (const auto& part : parts_) {
      joint.lower.push_back(part.lower.empty() ? -JointDescription::unlimited : part.lower[0]);
      joint.upper.push_back(part.upper.empty() ? JointDescription::unlimited : part.upper[0]);
    }
  }
  void join_values(JointDescription& joint, PerDof JointDescription::* property) const {
    std::vector<double> values;
    for (const auto& part : parts_)
      for (int k = 0; k < joint_traits(part.type).nv(); ++k) values.push_back((part.*property)[k]);
    const bool all_equal = std::ranges::all_of(values, [&](double x) { return x == values[0]; });
    joint.*property = all_equal ? PerDof(values[0]) : PerDof(values);
  }

  // Actuators and postures of the parts are then of the joint.
  void rename_users() {
    int component = 0;
    for (const auto& part : parts_) {
      for (auto& actuator : d_.actuators)
        if (actuator.joint == part.name) actuator.joint = whole_.name, actuator.component += component;
      component += joint_traits(part.type).nv();
    }
    for (auto& posture : d_.postures) join_positions(posture);
  }
  void join_positions(PostureDescription& posture) const {
    if (whole_.type == JointType::spherical) return;  // its position is a quaternion already
    PostureDescription::JointPosition whole{whole_.name, {}};
    bool any = false;
    for (const auto& part : parts_) {
      const auto found = std::ranges::find(posture.positions, part.name, &PostureDescription::JointPosition::joint);
      std::vector<double> q(std::size_t(joint_traits(part.type).nq()), 0);
      if (part.type == JointType::spherical) q[0] = 1;
      if (found != posture.positions.end()) {
        any = true;
        if (found->q.size() == q.size()) q = found->q;
        posture.positions.erase(found);
      }
      if (!joint_traits(whole_.type).has_pitch || whole.q.empty()) whole.q.insert(whole.q.end(), q.begin(), q.end());
    }
    if (any) posture.positions.push_back(std::move(whole));
  }

  const JoinedJoint& whole_;
  Description& d_;
  std::vector<JointDescription> parts_;
};

}  // namespace

std::span<const JointPart> split_parts(JointType type) {
  if (type == JointType::spherical) return ball_hinges;
  const auto& traits = joint_traits(type);
  return traits.is_elementary() ? std::span<const JointPart>() : traits.parts;
}

bool join(const JoinedJoint& joint, Description& description) {
  return !joint.parts.empty() && Joiner(joint, description).run();
}

}  // namespace lissom::io
