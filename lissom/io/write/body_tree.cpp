#include "lissom/io/write/body_tree.h"

#include <algorithm>

#include "lissom/io/write/prepare.h"
#include "lissom/model/interpretation.h"

namespace lissom::io::write {

BodyTree::BodyTree(const Description& description, const Allowed& allowed) : description_(description) {
  for (const auto& link : description.links) links_[link.name] = &link;
  for (const auto& joint : description.joints) below_[joint.parent].push_back(&joint);
  for (const auto& frame : description.frames) ++used_[frame.link];
  for (const auto& loop : description.loops) ++used_[loop.a.frame], ++used_[loop.b.frame];
  for (const auto& spring : description.springs) ++used_[spring.a.frame], ++used_[spring.b.frame];
  for (const auto& root : roots_of(description)) walk(description, allowed, root);
}

// Depth first, without recursion: chains may be long.
void BodyTree::walk(const Description& description, const Allowed& allowed, const std::string& root) {
  const RootDescription said = root_of(description, root);
  std::vector<BodyNode> waiting;
  BodyNode first{links_.at(root)};
  first.pose = said.placement;
  first.is_static = said.base != Base::free;
  waiting.push_back(std::move(first));
  while (!waiting.empty()) {
    const int index = int(nodes_.size());
    nodes_.push_back(std::move(waiting.back()));
    waiting.pop_back();
    BodyNode& node = nodes_.back();
    index_[node.link->name] = index;
    if (node.parent >= 0) nodes_[std::size_t(node.parent)].children.push_back(index);
    const auto below = below_.find(node.link->name);
    if (below == below_.end()) continue;
    const bool is_static = node.is_static;
    for (auto joint = below->second.rbegin(); joint != below->second.rend(); ++joint) {
      BodyNode child = chain(**joint, allowed);
      child.parent = index;
      child.is_static = is_static && child.joints.empty();
      waiting.push_back(std::move(child));
    }
  }
}

// A link that has no other purpose than to connect joints.
bool BodyTree::folds(const LinkDescription& link) const {
  const auto below = below_.find(link.name);
  return link.connects_joints && is_massless(link) && link.visuals.empty() && link.collisions.empty() &&
         below != below_.end() && below->second.size() == 1 && !used_.contains(link.name);
}

BodyNode BodyTree::chain(const JointDescription& first, const Allowed& allowed) const {
  BodyNode node{links_.at(first.child)};
  const auto extend = [&](const JointDescription& joint) {
    node.link = links_.at(joint.child);
    node.pose = node.pose * joint.origin;
    const Pose<double> back = inverse(joint.origin);
    for (auto& before : node.joints) before.frame = back * before.frame;
    if (joint.type != JointType::fixed) node.joints.push_back({&joint, {}, {}, {}});
    node.fixed = node.joints.empty() ? &joint : nullptr;
  };
  extend(first);
  while (folds(*node.link)) {
    const JointDescription& next = *below_.at(node.link->name)[0];
    BodyNode before = node;
    extend(next);
    if (node.joints.size() > before.joints.size() && !allowed(node.joints)) {
      node = std::move(before);
      break;
    }
  }
  for (auto& joint : node.joints) {
    joint.axis = joint.frame.R * joint.joint->axis;
    joint.axis2 = joint.frame.R * joint.joint->axis2;
  }
  return node;
}

Pose<double> BodyTree::in_world(const BodyNode& node) const {
  Pose<double> X = node.pose;
  for (int p = node.parent; p >= 0; p = nodes_[std::size_t(p)].parent) X = nodes_[std::size_t(p)].pose * X;
  return X;
}

BodyTree::Place BodyTree::place(const AttachmentDescription& attachment) const {
  if (const auto known = index_.find(attachment.frame); known != index_.end())
    return {&nodes_[std::size_t(known->second)], attachment.placement};
  const auto frame = std::ranges::find(description_.frames, attachment.frame, &FrameDescription::name);
  if (frame == description_.frames.end() || !index_.contains(frame->link)) return {nullptr, attachment.placement};
  return {&node(frame->link), frame->origin * attachment.placement};
}

}  // namespace lissom::io::write
