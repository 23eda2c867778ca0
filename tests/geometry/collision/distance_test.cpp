// Distances of all pairs of kinds, proved by bounds from both sides: two points of the shapes cannot be nearer than the
// shapes, and the gap along any direction is never larger than the distance.
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "collision_cases.h"
#include "largest.h"

namespace lissom::test {
namespace {

struct DistanceCase {
  Collider a, b;
  Pose<double> X_a, X_b;
};

DistanceCase random_pair(std::uint64_t seed, Kind a, Kind b, double apart) {
  Random random(seed);
  const auto ca = random_collider(random, a), cb = random_collider(random, b);
  const auto p = random.vec3(2);
  return {ca, cb, pose_at(random, p), pose_at(random, p + apart * direction(random))};
}

void expect_proved(const DistanceCase& c, const std::string& which) {
  const auto d = distance(c.a, c.X_a, c.b, c.X_b);
  EXPECT_NEAR(length(d.normal), 1, 1e-12) << which;
  EXPECT_LT(length(d.point_a - d.point_b - d.distance * d.normal), 1e-8) << which;
  EXPECT_LT(outside(c.a, c.X_a, d.point_a), 1e-8) << which;
  EXPECT_LT(outside(c.b, c.X_b, d.point_b), 1e-8) << which;
  EXPECT_NEAR(gap_along(c.a, c.X_a, c.b, c.X_b, d.normal), d.distance, 1e-8) << which;
  if (d.distance > 0) return;
  // There is no shorter way out: in none of many directions.
  constexpr int directions = 400;
  for (int i = 0; i < directions; ++i) {
    const double z = 1 - (2 * i + 1.) / directions, angle = i * std::numbers::pi * (3 - std::sqrt(5.));
    const Vec3<double> n(std::sqrt(1 - z * z) * std::cos(angle), std::sqrt(1 - z * z) * std::sin(angle), z);
    EXPECT_LE(gap_along(c.a, c.X_a, c.b, c.X_b, n), d.distance + 1e-8) << which << ", direction " << i;
  }
}

TEST(Distance, IsProvedForAllPairs) {
  for (const auto a : convex_kinds)
    for (const auto b : convex_kinds)
      for (std::uint64_t seed = 0; seed < 60; ++seed)
        for (const double apart : {.2, .9, 1.3, 3.}) {
          expect_proved(random_pair(seed, a, b, apart), std::string(name_of(a)) + "–" + name_of(b) + ", seed " +
                                                            std::to_string(seed) + ", apart " + std::to_string(apart));
          if (HasFailure()) break;
        }
}

}  // namespace
}  // namespace lissom::test
