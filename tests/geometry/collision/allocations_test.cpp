// Collision detection does not allocate: no pair of shapes at any time, and the broad phase not after its lists have
// grown.
#include <gtest/gtest.h>

#include "allocation_counter.h"
#include "collision_cases.h"
#include "lissom/geometry/broad_phase.h"

namespace lissom::test {
namespace {

TEST(CollisionAllocations, PairsOfShapesMakeNone) {
  if (!counting_allocations) GTEST_SKIP() << "allocations cannot be counted here";
  Random random(1);
  std::vector<Collider> shapes;
  for (const auto kind : convex_kinds) shapes.push_back(random_collider(random, kind));
  shapes.push_back(Collider::plane());
  std::vector<double> heights(100);
  for (auto& h : heights) h = random.uniform(0, .3);
  shapes.push_back(Collider::height_field(std::make_shared<HeightField>(10, 10, 4, 4, heights)));
  long points_found = 0;
  const long before = allocations;
  for (int i = 0; i < 50; ++i)
    for (const auto& a : shapes)
      for (const auto& b : shapes) {
        ContactPoints points;
        const auto X_a = pose_at(random, random.vec3(.6)), X_b = pose_at(random, {0, 0, 0});
        collide(a, X_a, b, b.is_convex() ? X_b : Pose<double>{}, .05, points);
        if (a.is_convex() && b.is_convex()) points_found += distance(a, X_a, b, X_b).distance < 0;
        points_found += points.size();
      }
  EXPECT_EQ(allocations - before, 0);
  EXPECT_GT(points_found, 1000);
}

TEST(CollisionAllocations, TheBroadPhaseMakesNoneInTheLongRun) {
  if (!counting_allocations) GTEST_SKIP() << "allocations cannot be counted here";
  constexpr int count = 300;
  BroadPhase broad;
  for (int i = 0; i < count; ++i) broad.add({.body = i});
  const auto run = [&](std::uint64_t seed) {
    Random random(seed);
    std::vector<Vec3<double>> centers(count);
    for (auto& c : centers) c = random.vec3(2);
    const long before = allocations;
    for (int step = 0; step < 100; ++step) {
      for (int i = 0; i < count; ++i) {
        centers[std::size_t(i)] += .03 * random.vec3(1);
        broad.set_bounds(i, grown({centers[std::size_t(i)], centers[std::size_t(i)]}, .1));
      }
      broad.update();
    }
    return allocations - before;
  };
  EXPECT_GT(run(1), 0) << "the lists have to grow once";
  run(1), run(1);  // lists change places
  EXPECT_EQ(run(1), 0);
}

}  // namespace
}  // namespace lissom::test
