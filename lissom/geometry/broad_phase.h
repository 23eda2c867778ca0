#pragma once
// Which of many shapes are near each other, by boxes around them. Boxes in a tree are larger than the shapes, so that
// a shape that moves little leaves the tree, and the list of near pairs, as they are.
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lissom/geometry/bounds.h"

namespace lissom {

namespace collision {
class BoundsTree;
}

/// What a shape belongs to, which decides with whom it may collide.
struct CollisionFilter {
  int body = 0;                      ///< shapes of the same body never collide
  bool fixed = false;                ///< does not move: two of these never collide
  std::uint32_t group = 1;           ///< bits of the groups that it is in
  std::uint32_t mask = 0xffffffffu;  ///< bits of the groups that it collides with
};

/// The pairs of shapes whose boxes overlap. Nothing is allocated by set_bounds() and update() once the lists have
/// reached their size. The pairs depend only on the boxes of the last update, not on what came before.
class BroadPhase {
 public:
  /// Indices of two shapes, a < b.
  struct Pair {
    int a, b;
    friend auto operator<=>(const Pair&, const Pair&) = default;
  };

  BroadPhase();
  ~BroadPhase();
  BroadPhase(BroadPhase&&) noexcept;
  BroadPhase& operator=(BroadPhase&&) noexcept;

  /// Adds a shape and returns its index: 0, 1, 2 and so on. It has no box yet, and collides with nothing.
  int add(const CollisionFilter& filter);
  int size() const { return int(items_.size()); }
  /// The shapes of these two bodies do not collide: adjacent links of a robot, and pairs that the user excludes.
  void exclude(int body_a, int body_b);
  /// Whether two shapes may collide: they belong to different bodies that are not excluded, not both are fixed, and one
  /// of them is in a group of the other's mask (as MuJoCo's contype and conaffinity).
  bool may_collide(int a, int b) const;

  /// The box around a shape, grown by half of the margin of contacts. It may be unbounded; NaN: collides with nothing.
  void set_bounds(int index, const Bounds& bounds);
  const Bounds& bounds(int index) const { return items_[std::size_t(index)].bounds; }
  /// Finds all pairs that may collide and whose boxes overlap, in increasing order.
  std::span<const Pair> update();
  /// What the last update() found.
  std::span<const Pair> pairs() const { return pairs_; }

 private:
  struct Item {
    CollisionFilter filter;
    Bounds bounds{}, fat{};
    int leaf = -1;
    bool has_bounds = false, unbounded = false, moved = false;
  };
  void find_all_candidates();
  void find_candidates_of(int index);

  std::vector<Item> items_;
  std::vector<std::pair<int, int>> excluded_;  // bodies, sorted
  std::unique_ptr<collision::BoundsTree> tree_;
  std::vector<int> moved_;
  std::vector<Pair> candidates_, found_, merged_, pairs_;
  bool all_anew_ = true;
};

}  // namespace lissom
