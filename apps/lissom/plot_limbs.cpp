#include "plot_limbs.h"

#include <unordered_map>
#include <vector>

#include "lissom/recording/header.h"

namespace {

using lissom::Joint;

// Smaller subtrees are drawn with the joints from which they hang.
constexpr int small_subtree = 3;

class Limbs {
 public:
  explicit Limbs(const lissom::Model& model) {
    for (const auto& joint : model.joints()) children_[joint.parent].push_back(&joint);
    std::map<std::string, bool> is_child;
    for (const auto& joint : model.joints()) is_child[joint.child] = true;
    for (const auto& [link, joints] : children_)
      if (!is_child.contains(link)) add_subtrees(link);
  }
  std::map<std::string, std::string> take() { return std::move(limb_of_); }

 private:
  // Degrees of freedom of the joint and of everything that it carries. A base that floats counts for itself.
  int size(const Joint& joint) {
    if (const auto known = sizes_.find(&joint); known != sizes_.end()) return known->second;
    int sum = joint.type == lissom::JointType::free ? 0 : joint.nv;
    if (const auto found = children_.find(joint.child); found != children_.end())
      for (const auto* child : found->second) sum += size(*child);
    return sizes_[&joint] = sum;
  }
  // Begins a new limb if this one is full.
  void put(const Joint& joint) {
    if (joint.nv == 0) return;
    if (limb_.empty() || count_ + std::size_t(joint.nv) > max_panel_lines) limb_ = joint.name, count_ = 0;
    count_ += std::size_t(joint.nv);
    limb_of_[joint.name] = limb_;
  }
  void put_subtree(const Joint& joint) {
    put(joint);
    if (const auto found = children_.find(joint.child); found != children_.end())
      for (const auto* child : found->second) put_subtree(*child);
  }
  void add_subtrees(const std::string& link) {
    const auto found = children_.find(link);
    if (found == children_.end()) return;
    for (const auto* joint : found->second) {
      limb_.clear();
      add(*joint);
    }
  }
  void add(const Joint& joint) {
    const bool base = joint.type == lissom::JointType::free;
    if (!base && size(joint) <= int(max_panel_lines)) return put_subtree(joint);
    put(joint);
    if (base) return add_subtrees(joint.child);
    const auto found = children_.find(joint.child);
    if (found == children_.end()) return;
    std::vector<const Joint*> large;
    for (const auto* child : found->second)
      if (size(*child) > small_subtree)
        large.push_back(child);
      else
        put_subtree(*child);
    if (large.size() == 1) return add(*large.front());  // the chain goes on
    for (const auto* child : large) {
      limb_.clear();
      add(*child);
    }
  }

  std::map<std::string, std::vector<const Joint*>> children_;  // joints, by their parent links
  std::unordered_map<const Joint*, int> sizes_;                // as far as they are known
  std::map<std::string, std::string> limb_of_;
  std::string limb_;
  std::size_t count_ = 0;
};

}  // namespace

std::map<std::string, std::string> limbs_of(const lissom::recording::Header& header) {
  if (!lissom::recording::has_robot(header)) return {};
  try {
    return Limbs(lissom::recording::rebuild(header)).take();
  } catch (const lissom::Error&) {
    return {};  // the robot file is not one that this lissom reads; lines are then grouped by their order
  }
}
