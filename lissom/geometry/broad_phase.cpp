#include "lissom/geometry/broad_phase.h"

#include <algorithm>

#include "lissom/geometry/bounds_tree.h"
#include "lissom/model/diagnostic.h"

namespace lissom {

namespace {

bool is_finite(const Bounds& b) {
  const double sum = b.lower.x + b.lower.y + b.lower.z + b.upper.x + b.upper.y + b.upper.z;
  return sum - sum == 0;
}
// The box that is kept in the tree: a quarter of the size larger on each side.
Bounds fat_bounds(const Bounds& b) {
  const auto size = b.upper - b.lower;
  return grown(b, .25 * std::max({size.x, size.y, size.z}));
}

}  // namespace

BroadPhase::BroadPhase() : tree_(std::make_unique<collision::BoundsTree>()) {}
BroadPhase::~BroadPhase() = default;
BroadPhase::BroadPhase(BroadPhase&&) noexcept = default;
BroadPhase& BroadPhase::operator=(BroadPhase&&) noexcept = default;

int BroadPhase::add(const CollisionFilter& filter) {
  items_.push_back({.filter = filter});
  all_anew_ = true;
  return int(items_.size()) - 1;
}

void BroadPhase::exclude(int body_a, int body_b) {
  const auto pair = std::minmax(body_a, body_b);
  const std::pair<int, int> key(pair.first, pair.second);
  const auto at = std::lower_bound(excluded_.begin(), excluded_.end(), key);
  if (at != excluded_.end() && *at == key) return;
  excluded_.insert(at, key);
  all_anew_ = true;
}

bool BroadPhase::may_collide(int a, int b) const {
  const auto &x = items_[std::size_t(a)].filter, &y = items_[std::size_t(b)].filter;
  if (x.body == y.body || (x.fixed && y.fixed)) return false;
  if (!(x.group & y.mask) && !(y.group & x.mask)) return false;
  return !std::binary_search(excluded_.begin(), excluded_.end(),
                             std::pair<int, int>(std::min(x.body, y.body), std::max(x.body, y.body)));
}

void BroadPhase::set_bounds(int index, const Bounds& bounds) {
  if (index < 0 || index >= size())
    throw Error("index of a shape is " + std::to_string(index) + ", expected 0 to " + std::to_string(size() - 1));
  auto& item = items_[std::size_t(index)];
  item.bounds = bounds;
  const bool unbounded = !is_finite(bounds);
  if (!item.has_bounds || unbounded != item.unbounded) {
    item.has_bounds = true, item.unbounded = unbounded;
    all_anew_ = true;
  }
  if (unbounded || all_anew_ || item.moved || contains(item.fat, bounds)) return;
  item.moved = true;
  moved_.push_back(index);
}

// Appends the pairs of a shape with all that are near, except those that have moved too and come later.
void BroadPhase::find_candidates_of(int index) {
  tree_->query(items_[std::size_t(index)].fat, [&](int other) {
    if (other == index || (items_[std::size_t(other)].moved && other < index)) return;
    if (may_collide(index, other)) found_.push_back({std::min(index, other), std::max(index, other)});
  });
}

void BroadPhase::find_all_candidates() {
  tree_->clear();
  candidates_.clear(), found_.clear(), moved_.clear();
  for (int i = 0; i < size(); ++i) {
    auto& item = items_[std::size_t(i)];
    item.moved = false;
    if (!item.has_bounds || item.unbounded) continue;
    // (All that are in the tree already come earlier, so that each pair is found once.)
    item.fat = fat_bounds(item.bounds);
    find_candidates_of(i);
    item.leaf = tree_->insert(i, item.fat);
  }
  for (int i = 0; i < size(); ++i)
    for (int j = 0; j < size(); ++j) {
      const auto &a = items_[std::size_t(i)], &b = items_[std::size_t(j)];
      if (!a.unbounded || !b.has_bounds || i == j || (b.unbounded && j < i)) continue;
      if (may_collide(i, j)) found_.push_back({std::min(i, j), std::max(i, j)});
    }
  std::sort(found_.begin(), found_.end());
  candidates_.swap(found_);
  all_anew_ = false;
}

std::span<const BroadPhase::Pair> BroadPhase::update() {
  if (all_anew_) find_all_candidates();
  if (!moved_.empty()) {
    for (const int i : moved_) {
      auto& item = items_[std::size_t(i)];
      tree_->remove(item.leaf);
      item.fat = fat_bounds(item.bounds);
      item.leaf = tree_->insert(i, item.fat);
    }
    // Pairs with a moved shape are found again.
    std::erase_if(candidates_, [&](const Pair& p) {
      const auto &a = items_[std::size_t(p.a)], &b = items_[std::size_t(p.b)];
      return (a.moved || b.moved) && !a.unbounded && !b.unbounded;
    });
    found_.clear();
    for (const int i : moved_) find_candidates_of(i);
    std::sort(found_.begin(), found_.end());
    merged_.resize(candidates_.size() + found_.size());
    std::merge(candidates_.begin(), candidates_.end(), found_.begin(), found_.end(), merged_.begin());
    candidates_.swap(merged_);
    for (const int i : moved_) items_[std::size_t(i)].moved = false;
    moved_.clear();
  }
  pairs_.clear();
  for (const auto& p : candidates_)
    if (overlap(items_[std::size_t(p.a)].bounds, items_[std::size_t(p.b)].bounds)) pairs_.push_back(p);
  return pairs_;
}

}  // namespace lissom
