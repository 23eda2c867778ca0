#pragma once
// A description as MJCF and SDF see it: bodies with joints that have an anchor. Links without mass that connect the
// joints of a body are folded back into it. Not installed.
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lissom/model/description.h"

namespace lissom::io::write {

// A joint that moves a body; in the body's frame at q = 0.
struct BodyJoint {
  const JointDescription* joint;
  Pose<double> frame;
  Vec3<double> axis, axis2;
};

struct BodyNode {
  const LinkDescription* link;
  int parent = -1;                          // index in BodyTree::nodes; -1: a root
  Pose<double> pose{};                      // in the parent's frame at q = 0; of a root: in the world
  std::vector<BodyJoint> joints{};          // those that move
  const JointDescription* fixed = nullptr;  // the fixed joint to the parent, if no joint moves
  std::vector<int> children{};
  bool is_static = false;  // relative to the world
};

class BodyTree {
 public:
  // Whether a body may have these joints.
  using Allowed = std::function<bool(const std::vector<BodyJoint>&)>;
  BodyTree(const Description& description, const Allowed& allowed);

  const std::vector<BodyNode>& nodes() const { return nodes_; }  // depth first, roots in the order of the description
  const BodyNode& node(const std::string& link) const { return nodes_[std::size_t(index_.at(link))]; }
  bool has(const std::string& link) const { return index_.contains(link); }
  // The pose of a body in the world at q = 0.
  Pose<double> in_world(const BodyNode& node) const;
  // Where an attachment is: a node (null: the world), and the pose in its frame.
  struct Place {
    const BodyNode* node;
    Pose<double> pose;
  };
  Place place(const AttachmentDescription& attachment) const;

 private:
  void walk(const Description& description, const Allowed& allowed, const std::string& root);
  BodyNode chain(const JointDescription& first, const Allowed& allowed) const;
  bool folds(const LinkDescription& link) const;

  const Description& description_;
  std::unordered_map<std::string, std::vector<const JointDescription*>> below_;
  std::unordered_map<std::string, const LinkDescription*> links_;
  std::unordered_map<std::string, int> used_;  // by frames, loops, springs
  std::vector<BodyNode> nodes_;
  std::unordered_map<std::string, int> index_;
};

}  // namespace lissom::io::write
