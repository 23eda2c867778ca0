// The broad phase finds what comparing all boxes with all finds, in the same order.
#include "lissom/geometry/broad_phase.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "largest.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using Pairs = std::vector<BroadPhase::Pair>;

Pairs by_brute_force(const BroadPhase& broad) {
  Pairs pairs;
  for (int a = 0; a < broad.size(); ++a)
    for (int b = a + 1; b < broad.size(); ++b)
      if (broad.may_collide(a, b) && overlap(broad.bounds(a), broad.bounds(b))) pairs.push_back({a, b});
  return pairs;
}
Pairs found(BroadPhase& broad) {
  const auto pairs = broad.update();
  return {pairs.begin(), pairs.end()};
}
Bounds box_at(const Vec3<double>& center, double half) {
  return grown({center, center}, half);
}

struct MovingBoxes {
  Random random;
  std::vector<Vec3<double>> centers, velocities;
  std::vector<double> halves;
  MovingBoxes(std::uint64_t seed, int count) : random(seed) {
    for (int i = 0; i < count; ++i) {
      centers.push_back(random.vec3(2)), velocities.push_back(random.vec3(.05));
      halves.push_back(random.chance(.05) ? random.uniform(.3, 1) : random.uniform(.02, .2));
    }
  }
  void advance(BroadPhase& broad) {
    for (std::size_t i = 0; i < centers.size(); ++i) {
      centers[i] += velocities[i];
      if (random.chance(.02)) centers[i] = random.vec3(2);  // jumps
      if (random.chance(.05)) velocities[i] = random.chance(.5) ? Vec3<double>(0, 0, 0) : random.vec3(.05);
      broad.set_bounds(int(i), box_at(centers[i], halves[i]));
    }
  }
};

TEST(BroadPhase, FindsWhatBruteForceFinds) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    MovingBoxes boxes(seed, 120);
    BroadPhase broad;
    for (int i = 0; i < 120; ++i)
      broad.add({.body = i / 2,
                 .fixed = boxes.random.chance(.1),
                 .group = 1u << boxes.random.integer(0, 3),
                 .mask = boxes.random.chance(.8) ? ~0u : 1u});
    for (int i = 0; i < 100; ++i) broad.exclude(boxes.random.integer(0, 59), boxes.random.integer(0, 59));
    std::size_t most = 0;
    for (int step = 0; step < 150; ++step) {
      boxes.advance(broad);
      const auto pairs = found(broad);
      ASSERT_EQ(pairs, by_brute_force(broad)) << "seed " << seed << ", step " << step;
      most = larger(most, pairs.size());
    }
    EXPECT_GT(most, 10u);
  }
}

TEST(BroadPhase, ForgetsWhereBoxesCameFrom) {
  MovingBoxes boxes(3, 80);
  BroadPhase moved, fresh;
  for (int i = 0; i < 80; ++i) moved.add({.body = i}), fresh.add({.body = i});
  for (int step = 0; step < 50; ++step) boxes.advance(moved), moved.update();
  for (int i = 0; i < 80; ++i) fresh.set_bounds(i, moved.bounds(i));
  EXPECT_EQ(found(fresh), found(moved));
}

TEST(BroadPhase, UnboundedShapesAreNearToAll) {
  MovingBoxes boxes(4, 30);
  BroadPhase broad;
  const int ground = broad.add({.body = -1, .fixed = true});
  broad.set_bounds(ground, unbounded());
  for (int i = 0; i < 30; ++i) broad.add({.body = i});
  for (int i = 0; i < 30; ++i) broad.set_bounds(i + 1, box_at(boxes.centers[std::size_t(i)], .1));
  const auto pairs = found(broad);
  ASSERT_GE(pairs.size(), 30u);
  for (int i = 0; i < 30; ++i) EXPECT_EQ(pairs[std::size_t(i)], (BroadPhase::Pair{ground, i + 1}));
  // A box that has none any more: it touches nothing, until it has one again.
  const double nan = std::numeric_limits<double>::quiet_NaN();
  broad.set_bounds(5, {{nan, 0, 0}, {nan, 1, 1}});
  for (const auto& p : found(broad)) EXPECT_TRUE(p.a != 5 && p.b != 5);
  broad.set_bounds(5, box_at(boxes.centers[4], .1));
  EXPECT_EQ(found(broad), pairs);
}

TEST(BroadPhase, FiltersPairs) {
  BroadPhase broad;
  const auto everywhere = box_at({0, 0, 0}, 1);
  const int a = broad.add({.body = 1}), same = broad.add({.body = 1}), b = broad.add({.body = 2});
  const int floor = broad.add({.body = 3, .fixed = true}), wall = broad.add({.body = 4, .fixed = true});
  const int ghost = broad.add({.body = 5, .group = 0, .mask = 0});
  for (int i = 0; i < broad.size(); ++i) broad.set_bounds(i, everywhere);
  EXPECT_EQ(found(broad),
            (Pairs{{a, b}, {a, floor}, {a, wall}, {same, b}, {same, floor}, {same, wall}, {b, floor}, {b, wall}}));
  broad.exclude(2, 1);
  EXPECT_EQ(found(broad), (Pairs{{a, floor}, {a, wall}, {same, floor}, {same, wall}, {b, floor}, {b, wall}}));
  EXPECT_FALSE(broad.may_collide(ghost, a));
  EXPECT_THROW(broad.set_bounds(6, everywhere), Error);
}

}  // namespace
}  // namespace lissom::test
