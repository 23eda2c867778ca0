#include "lissom/model/interpretation.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "lissom/model/axes.h"
#include "lissom/spatial/quaternion.h"

namespace lissom {

std::string inertial_frame_name(const Description& description) {
  const auto taken = [&](const std::string& name) {
    return std::ranges::find(description.links, name, &LinkDescription::name) != description.links.end() ||
           std::ranges::find(description.frames, name, &FrameDescription::name) != description.frames.end();
  };
  if (!taken("world")) return "world";
  std::string name = "universe";
  while (taken(name)) name += '_';
  return name;
}

PositionRange position_range(const JointDescription& joint) {
  PositionRange range{joint.lower, joint.upper};
  bool any = false;
  for (double& x : range.lower) {
    if (x <= -max_position_limit) range.any_far |= std::isfinite(x), x = -JointDescription::unlimited;
    any |= std::isfinite(x);
  }
  for (double& x : range.upper) {
    if (x >= max_position_limit) range.any_far |= std::isfinite(x), x = JointDescription::unlimited;
    any |= std::isfinite(x);
  }
  if (!any) range.lower.clear(), range.upper.clear();
  return range;
}

PerDof magnitude_limit(const PerDof& limit) {
  std::vector<double> each(limit.values().begin(), limit.values().end());
  for (double& x : each)
    if (x < 0 || x >= max_magnitude_limit) x = JointDescription::unlimited;
  return each.size() == 1 ? PerDof(each[0]) : PerDof(each);
}

Vec3<double> direction_of(const JointDescription& joint, Direction along) {
  switch (along) {
    case Direction::axis:
      return joint.axis;
    case Direction::axis2:
      return joint.axis2;
    case Direction::plane_x:
      return column_x(rotation_from_z_to(unit(joint.axis)));
    case Direction::plane_y:
      return column_y(rotation_from_z_to(unit(joint.axis)));
    case Direction::x:
      return {1, 0, 0};
    case Direction::y:
      return {0, 1, 0};
    case Direction::z:
      return {0, 0, 1};
  }
  return {0, 0, 0};
}

bool can_follow(const JointDescription& follower, const JointDescription& leader) {
  return joint_traits(follower.type).may_mimic() && joint_traits(leader.type).may_mimic();
}

BaseJoints::BaseJoints(const Description& description, Base base)
    : description_(description), base_(base), world_(inertial_frame_name(description)) {
  const auto n = description.links.size();
  for (std::size_t i = 0; i < n; ++i) link_of_[description.links[i].name] = int(i);
  std::vector<std::vector<int>> joints_below(n);
  is_root_.assign(n, true);
  for (std::size_t j = 0; j < description.joints.size(); ++j) {
    const auto& joint = description.joints[j];
    joints_below[std::size_t(link_of_.at(joint.parent))].push_back(int(j));
    is_root_[std::size_t(link_of_.at(joint.child))] = false;
    name_taken_ = name_taken_ || joint.name == "base";
  }
  std::unordered_set<std::string_view> grounds;
  for (const auto& root : description.roots)
    if (root.is_ground) grounds.insert(root.link);
  std::size_t movable = 0;
  for (std::size_t i = 0; i < n; ++i) movable += is_root_[i] && !grounds.contains(description.links[i].name) ? 1 : 0;
  only_root_ = movable == 1;
  find_floating(joints_below);
}

void BaseJoints::find_floating(const std::vector<std::vector<int>>& joints_below) {
  // The first free joint that leads away from the rigid body of a root; -1 if another joint does, or if it has mass.
  const auto floating_joint = [&](int root) {
    int found = -1;
    std::vector<int> waiting{root};
    while (!waiting.empty()) {
      const auto link = std::size_t(waiting.back());
      waiting.pop_back();
      if (!is_massless(description_.links[link])) return -1;
      for (const int j : joints_below[link]) {
        const auto& joint = description_.joints[std::size_t(j)];
        if (joint.type == JointType::fixed)
          waiting.push_back(link_of_.at(joint.child));
        else if (joint.type != JointType::free)
          return -1;
        else if (found < 0)
          found = j;
      }
    }
    return found;
  };
  floats_by_.assign(is_root_.size(), -1);
  for (std::size_t i = 0; i < is_root_.size(); ++i)
    if (is_root_[i]) floats_by_[i] = floating_joint(int(i));
}

JointDescription BaseJoints::of(int root) const {
  const auto& link = description_.links[std::size_t(root)];
  JointDescription joint;
  joint.parent = world_;
  joint.child = link.name;
  joint.axis = {0, 0, 1};
  joint.line = link.line;
  const auto said = std::ranges::find(description_.roots, link.name, &RootDescription::link);
  const bool in_file = said != description_.roots.end(), is_ground = in_file && said->is_ground;
  joint.name = only_root_ && !name_taken_ && !is_ground ? "base" : "base:" + link.name;
  const bool asked = base_ != Base::file && !is_ground;
  const Base base = asked ? base_ : in_file ? said->base : Base::fixed;
  if (base == Base::free && floats_by(root) < 0)
    joint.type = JointType::free;
  else if (base == Base::planar && floats_by(root) < 0)
    joint.type = JointType::planar;
  else if (in_file)
    joint.origin = said->placement;
  return joint;
}

namespace {

// Links from which a joint that moves leads away, directly or further out.
std::unordered_set<std::string_view> links_that_carry(const Description& description) {
  std::unordered_map<std::string_view, const JointDescription*> above;
  for (const auto& joint : description.joints) above[joint.child] = &joint;
  std::unordered_set<std::string_view> carrying;
  for (const auto& joint : description.joints) {
    if (joint.type == JointType::fixed) continue;
    std::string_view link = joint.parent;
    while (carrying.insert(link).second) {
      const auto next = above.find(link);
      if (next == above.end()) break;
      link = next->second->parent;
    }
  }
  return carrying;
}

// Where the posture of the start has a robot that was mounted there.
void start_at(const Pose<double>& placement, const JointDescription& joint, Description& description) {
  auto start = std::ranges::find(description.postures, "qpos0", &PostureDescription::name);
  if (start == description.postures.end())
    start = description.postures.insert(description.postures.begin(), {"qpos0", {}, joint.line});
  const auto& p = placement.p;
  const auto r = quaternion(placement.R);
  start->positions.push_back({joint.name, {p.x, p.y, p.z, r.w, r.x, r.y, r.z}});
}

}  // namespace

std::optional<Description> without_mounts(const Description& description, Base base) {
  if (base != Base::free && base != Base::planar) return std::nullopt;
  std::unordered_map<std::string_view, Pose<double>> grounds;
  for (const auto& root : description.roots)
    if (root.is_ground) grounds[root.link] = root.placement;
  if (grounds.empty()) return std::nullopt;
  const auto carrying = links_that_carry(description);
  const auto is_mount = [&](const JointDescription& joint) {
    return joint.type == JointType::fixed && grounds.contains(joint.parent) && carrying.contains(joint.child);
  };
  const auto count = std::ranges::count_if(description.joints, is_mount);
  if (count == 0) return std::nullopt;
  const bool taken = std::ranges::find(description.joints, "base", &JointDescription::name) != description.joints.end();
  Description result = description;
  for (auto& joint : result.joints) {
    if (!is_mount(joint)) continue;
    const Pose<double> placement = grounds.at(joint.parent) * joint.origin;
    joint.name = count == 1 && !taken ? "base" : "base:" + joint.child;
    joint.type = base == Base::free ? JointType::free : JointType::planar;
    joint.origin = {}, joint.axis = {0, 0, 1};
    if (base == Base::free) start_at(placement, joint, result);
  }
  return result;
}

bool is_massless(const LinkDescription& link) {
  const auto& I = link.inertia;
  return link.mass == 0 && I.xx == 0 && I.yy == 0 && I.zz == 0 && I.xy == 0 && I.xz == 0 && I.yz == 0;
}

RigidInertia<double> inertia_about_origin(const LinkDescription& link, const Pose<double>& X_BL) {
  const double m = link.mass;
  const auto c = X_BL * link.com;
  const auto I = congruence(X_BL.R, link.inertia);
  const auto cc = dot(c, c);
  return {m,
          m * c,
          {I.xx + m * (cc - c.x * c.x), I.xy - m * c.x * c.y, I.xz - m * c.x * c.z, I.yy + m * (cc - c.y * c.y),
           I.yz - m * c.y * c.z, I.zz + m * (cc - c.z * c.z)}};
}

}  // namespace lissom
