#pragma once
// A binary tree of boxes, each around those of its children: finds all items whose box overlaps a given one. Items come
// and go one by one; the tree keeps itself balanced by rotations that make its boxes smaller. Not for users.
#include <vector>

#include "lissom/geometry/bounds.h"

namespace lissom::collision {

class BoundsTree {
 public:
  /// Returns the leaf, by which the item can be removed.
  int insert(int item, const Bounds& bounds);
  void remove(int leaf);
  void clear() { nodes_.clear(), root_ = none, free_ = none; }

  /// Calls found(item) for each item whose box overlaps this one.
  template <class Found>
  void query(const Bounds& bounds, Found&& found) {
    stack_.clear();
    if (root_ != none) stack_.push_back(root_);
    while (!stack_.empty()) {
      const auto& node = nodes_[std::size_t(stack_.back())];
      stack_.pop_back();
      if (!overlap(node.bounds, bounds)) continue;
      if (node.item != none) {
        found(node.item);
      } else {
        stack_.push_back(node.left);
        stack_.push_back(node.right);
      }
    }
  }

 private:
  static constexpr int none = -1;
  struct Node {
    Bounds bounds;
    int parent, left, right;  // a free node: parent is the next free one
    int item;                 // none: not a leaf
  };
  Node& node(int i) { return nodes_[std::size_t(i)]; }
  int new_node();
  int best_sibling(const Bounds& bounds);
  void replace_child(int parent, int from, int to);
  void refit(int from);
  void rotate(int at);

  std::vector<Node> nodes_;
  std::vector<int> stack_;
  int root_ = none, free_ = none;
};

}  // namespace lissom::collision
