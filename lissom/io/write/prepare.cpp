#include "lissom/io/write/prepare.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "lissom/model/interpretation.h"
#include "lissom/model/text.h"
#include "lissom/model/validate.h"
#include "lissom/spatial/rotation.h"

namespace lissom::io::write {
namespace {

// A base that moves in a plane is a joint of the file.
void add_planar_joints(Description& d) {
  const BaseJoints joints(d, Base::planar);
  std::vector<JointDescription> added;
  for (int i = 0; i < int(d.links.size()); ++i)
    if (joints.is_root(i) && joints.of(i).type == JointType::planar) added.push_back(joints.of(i));
  if (added.empty()) return;
  LinkDescription ground;
  ground.name = added[0].parent;
  d.links.insert(d.links.begin(), std::move(ground));
  d.joints.insert(d.joints.begin(), added.begin(), added.end());
  d.roots.clear();
}

// A mimic on a fixed joint, or of one, has no effect, which validate() says; other readers would stumble over it.
void drop_mimics_without_effect(Description& d) {
  for (auto& joint : d.joints) {
    if (!joint.mimic) continue;
    const auto leader = std::ranges::find(d.joints, joint.mimic->joint, &JointDescription::name);
    if (leader == d.joints.end() || !can_follow(joint, *leader)) joint.mimic.reset();
  }
}

}  // namespace

Description prepared(const Description& description, const WriteOptions& options) {
  const BuildOptions build{options.base};
  if (auto findings = validate(description, build); any_error(findings)) throw Error(std::move(findings));
  const auto released = without_mounts(description, options.base);
  Description d = released ? *released : description;
  drop_mimics_without_effect(d);
  if (options.base == Base::planar) add_planar_joints(d);
  if (options.base == Base::free || options.base == Base::fixed) {
    const BaseJoints joints(released ? *released : description, options.base);
    for (int i = 0; i < int(d.links.size()); ++i) {
      if (!joints.is_root(i)) continue;
      auto root = root_of(d, d.links[std::size_t(i)].name);
      root.base = joints.of(i).type == JointType::free ? Base::free : Base::fixed;
      std::erase_if(d.roots, [&](const RootDescription& old) { return old.link == root.link; });
      d.roots.push_back(std::move(root));
    }
  }
  return d;
}

std::vector<std::string> roots_of(const Description& description) {
  std::unordered_set<std::string_view> children;
  for (const auto& joint : description.joints) children.insert(joint.child);
  std::vector<std::string> roots;
  for (const auto& link : description.links)
    if (!children.contains(link.name)) roots.push_back(link.name);
  return roots;
}

RootDescription root_of(const Description& description, const std::string& link) {
  const auto said = std::ranges::find(description.roots, link, &RootDescription::link);
  if (said != description.roots.end()) return *said;
  RootDescription root;
  root.link = link;
  return root;
}

Pose<double> starting_pose(const Description& description, const std::string& joint) {
  for (const auto& posture : description.postures) {
    if (posture.name != "qpos0" && posture.name != "initial") continue;
    for (const auto& position : posture.positions)
      if (position.joint == joint && position.q.size() == 7) {
        const auto& q = position.q;
        return {matrix(q[3], q[4], q[5], q[6]), {q[0], q[1], q[2]}};
      }
  }
  return {};
}

std::string link_subject(const std::string& name) {
  return "link " + in_quotes(name);
}
std::string joint_subject(const std::string& name) {
  return "joint " + in_quotes(name);
}

double length(const Vec3<double>& v) {
  return std::hypot(v.x, v.y, v.z);
}

bool is_limited(const JointDescription& joint) {
  const auto range = position_range(joint);
  return !range.lower.empty() || !range.upper.empty();
}

}  // namespace lissom::io::write
