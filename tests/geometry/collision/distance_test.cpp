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
  // Where a curved shape overlaps another, points on flat faces are not as good as the distance.
  const auto curved = [](Kind kind) { return kind == Kind::cylinder || kind == Kind::ellipsoid; };
  const double on_surface = d.distance < 0 && (curved(c.a.kind()) || curved(c.b.kind())) ? 1e-4 : 1e-8;
  EXPECT_LT(length(d.point_a - d.point_b - d.distance * d.normal), 1e-8) << which;
  EXPECT_LT(outside(c.a, c.X_a, d.point_a), on_surface) << which;
  EXPECT_LT(outside(c.b, c.X_b, d.point_b), on_surface) << which;
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

// Shapes that are moved until they touch, within as little as rounding: distances and normals stay good.
TEST(Distance, IsSharpWhereShapesTouch) {
  for (const auto a : convex_kinds)
    for (const auto b : convex_kinds)
      for (std::uint64_t seed = 100; seed < 140; ++seed) {
        auto c = random_pair(seed, a, b, 2.5);
        const auto d = distance(c.a, c.X_a, c.b, c.X_b);
        ASSERT_GT(d.distance, 0);
        const auto start = c.X_a.p;
        for (const double gap : {1e-5, 1e-8, 1e-12, 0., -1e-12, -1e-8, -1e-5}) {
          c.X_a.p = start - (d.distance - gap) * d.normal;
          const auto moved = distance(c.a, c.X_a, c.b, c.X_b);
          const auto which = std::string(name_of(a)) + "–" + name_of(b) + ", seed " + std::to_string(seed);
          EXPECT_NEAR(length(moved.normal), 1, 1e-12) << which;
          EXPECT_NEAR(gap_along(c.a, c.X_a, c.b, c.X_b, moved.normal), moved.distance, 3e-9) << which << " at " << gap;
          if (gap >= 0) EXPECT_NEAR(moved.distance, gap, 3e-9) << which;
          // (A corner may be pushed back on a shorter way than it came.)
          if (gap < 0) EXPECT_GE(moved.distance, 1.01 * gap - 1e-9) << which;
        }
      }
}

// d distance = normal · (v_a - v_b), with the velocities of the points where the shapes are nearest.
TEST(Distance, ChangesWithTheVelocityOfTheNearestPoints) {
  int compared = 0;
  for (const auto a : convex_kinds)
    for (const auto b : convex_kinds)
      for (std::uint64_t seed = 200; seed < 220; ++seed) {
        const auto c = random_pair(seed, a, b, 2.2);
        const auto d = distance(c.a, c.X_a, c.b, c.X_b);
        Random random(seed);
        const auto w_a = random.vec3(1), v_a = random.vec3(1), w_b = random.vec3(1), v_b = random.vec3(1);
        const auto moved = [](const Pose<double>& X, const Vec3<double>& w, const Vec3<double>& v, double h) {
          // A rotation by h w, to second order, made orthogonal again.
          auto x = column_x(X.R) + h * cross(w, column_x(X.R)) + .5 * h * h * cross(w, cross(w, column_x(X.R)));
          auto y = column_y(X.R) + h * cross(w, column_y(X.R)) + .5 * h * h * cross(w, cross(w, column_y(X.R)));
          x = (1 / length(x)) * x, y = y - dot(x, y) * x, y = (1 / length(y)) * y;
          return Pose<double>{transpose(from_rows(x, y, cross(x, y))), X.p + h * v};
        };
        const double h = 1e-5;
        const auto at = [&](double t) {
          return distance(c.a, moved(c.X_a, w_a, v_a, t), c.b, moved(c.X_b, w_b, v_b, t));
        };
        const auto after = at(h), before = at(-h);
        if (length(after.point_a - before.point_a) > 1e-3) continue;  // the nearest points jumped
        const auto u_a = v_a + cross(w_a, d.point_a - c.X_a.p), u_b = v_b + cross(w_b, d.point_b - c.X_b.p);
        EXPECT_NEAR((after.distance - before.distance) / (2 * h), dot(d.normal, u_a - u_b), 3e-5)
            << name_of(a) << "–" << name_of(b) << ", seed " << seed;
        ++compared;
      }
  EXPECT_GT(compared, 650);  // of 720
}

TEST(Distance, OfAPlane) {
  Random random(1);
  for (const auto kind : convex_kinds) {
    const auto c = random_collider(random, kind);
    const auto X = pose_at(random, random.vec3(1)), plane = pose_at(random, random.vec3(1));
    const auto n = column_z(plane.R);
    const auto d = distance(c, X, Collider::plane(), plane);
    EXPECT_NEAR(d.distance, -reach_along(c, X, -n) - dot(n, plane.p), 1e-12) << name_of(kind);
    const auto back = distance(Collider::plane(), plane, c, X);
    EXPECT_NEAR(back.distance, d.distance, 1e-12);
    EXPECT_LT(length(back.normal + n), 1e-12);
    EXPECT_LT(length(back.point_b - d.point_a), 1e-12);
  }
  EXPECT_THROW(distance(Collider::plane(), {}, Collider::plane(), {}), Error);
}

}  // namespace
}  // namespace lissom::test
