#include "lissom/geometry/bounds_tree.h"

#include "lissom/geometry/vectors.h"

namespace lissom::collision {

namespace {

// Half the surface, which is proportional to the probability that a query enters the box.
double surface(const Bounds& b) {
  const Vec d = b.upper - b.lower;
  return d.x * d.y + d.y * d.z + d.z * d.x;
}

}  // namespace

int BoundsTree::new_node() {
  if (free_ == none) {
    nodes_.push_back({});
    return int(nodes_.size()) - 1;
  }
  const int i = free_;
  free_ = node(i).parent;
  return i;
}

// Walks down while that costs less surface than a new parent here would.
int BoundsTree::best_sibling(const Bounds& bounds) {
  int at = root_;
  while (node(at).item == none) {
    const double whole = surface(joined(node(at).bounds, bounds)), grown_by = whole - surface(node(at).bounds);
    const auto cost = [&](int child) {
      const auto& c = node(child);
      const double joint = surface(joined(c.bounds, bounds));
      return grown_by + (c.item != none ? joint : joint - surface(c.bounds));
    };
    const double left = cost(node(at).left), right = cost(node(at).right);
    if (whole <= left && whole <= right) break;
    at = left <= right ? node(at).left : node(at).right;
  }
  return at;
}

void BoundsTree::replace_child(int parent, int from, int to) {
  if (parent == none)
    root_ = to;
  else
    (node(parent).left == from ? node(parent).left : node(parent).right) = to;
  if (to != none) node(to).parent = parent;
}

int BoundsTree::insert(int item, const Bounds& bounds) {
  const int leaf = new_node();
  node(leaf) = {bounds, none, none, none, item};
  if (root_ == none) return root_ = leaf;
  const int sibling = best_sibling(bounds), parent = new_node(), above = node(sibling).parent;
  node(parent) = {joined(node(sibling).bounds, bounds), above, sibling, leaf, none};
  replace_child(above, sibling, parent);
  node(sibling).parent = node(leaf).parent = parent;
  refit(above);
  return leaf;
}

void BoundsTree::remove(int leaf) {
  const int parent = node(leaf).parent;
  if (parent == none) {
    root_ = none;
  } else {
    const int sibling = node(parent).left == leaf ? node(parent).right : node(parent).left, above = node(parent).parent;
    replace_child(above, parent, sibling);
    node(parent).parent = free_, free_ = parent;
    refit(above);
  }
  node(leaf).parent = free_, free_ = leaf;
}

void BoundsTree::refit(int from) {
  for (int at = from; at != none; at = node(at).parent) {
    rotate(at);
    node(at).bounds = joined(node(node(at).left).bounds, node(node(at).right).bounds);
  }
}

// Exchanges a child with a grandchild on the other side, if that makes the box of the other child smaller.
void BoundsTree::rotate(int at) {
  double best = 0;
  int child = none, grandchild = none;
  for (const int low : {node(at).left, node(at).right}) {
    const int high = low == node(at).left ? node(at).right : node(at).left;
    if (node(high).item != none) continue;
    for (const int take : {node(high).left, node(high).right}) {
      const int keep = take == node(high).left ? node(high).right : node(high).left;
      const double gain = surface(node(high).bounds) - surface(joined(node(low).bounds, node(keep).bounds));
      if (gain > best) best = gain, child = low, grandchild = take;
    }
  }
  if (child == none) return;
  const int high = node(grandchild).parent;
  replace_child(high, grandchild, child);
  replace_child(at, child, grandchild);
  node(high).bounds = joined(node(node(high).left).bounds, node(node(high).right).bounds);
}

}  // namespace lissom::collision
