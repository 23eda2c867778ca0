// Shapes on height fields: flat ones are planes, inclined ones inclined planes, and edges inside of a smooth surface
// are not felt.
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "collision_cases.h"
#include "largest.h"

namespace lissom::test {
namespace {

template <class Height>
Collider field_of(int points, double size, const Height& height) {
  std::vector<double> heights;
  for (int row = 0; row < points; ++row)
    for (int column = 0; column < points; ++column)
      heights.push_back(height(-.5 * size + size * column / (points - 1), -.5 * size + size * row / (points - 1)));
  return Collider::height_field(std::make_shared<HeightField>(points, points, size, size, heights));
}
double lowest_gap(const ContactPoints& points) {
  double lowest = 1e9;
  for (const auto& p : points) lowest = smaller(lowest, p.gap);
  return lowest;
}

TEST(HeightFields, InclinedOnesAreInclinedPlanes) {
  const double slope_x = .3, slope_y = -.2;
  const auto field = field_of(21, 10, [&](double x, double y) { return slope_x * x + slope_y * y + .1; });
  const Vec3<double> n =
      (1 / std::sqrt(1 + slope_x * slope_x + slope_y * slope_y)) * Vec3<double>(-slope_x, -slope_y, 1);
  for (const auto kind : convex_kinds)
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      Random random(seed);
      const auto shape = random_collider(random, kind);
      const auto ground = pose_at(random, random.vec3(1));
      for (const double gap : {.02, -.03}) {
        auto local = pose_at(random, {random.uniform(-2, 2), random.uniform(-2, 2), 0});
        // Down until the distance from the plane n · p = n.z .1 is `gap`.
        local.p = local.p - (-reach_along(shape, local, -n) - .1 * n.z - gap) * n;
        ContactPoints points, swapped;
        collide(shape, ground * local, field, ground, .05, points);
        ASSERT_FALSE(points.empty()) << name_of(kind) << ", seed " << seed << ", gap " << gap;
        EXPECT_NEAR(lowest_gap(points), gap, kind == Kind::cylinder ? 1e-6 : 1e-9)
            << name_of(kind) << ", seed " << seed;
        for (const auto& p : points) {
          EXPECT_LT(length(p.normal - ground.R * n), 1e-6) << name_of(kind) << ", seed " << seed << ", gap " << gap;
          // (Below a tilted capsule, the point of its upper end lies inside.)
          EXPECT_LT(outside(shape, ground * local, p.point), 1e-6) << name_of(kind) << ", seed " << seed;
        }
        collide(field, ground, shape, ground * local, .05, swapped);
        ASSERT_EQ(swapped.size(), points.size());
        for (int i = 0; i < points.size(); ++i) EXPECT_LT(length(swapped[i].normal + points[i].normal), 1e-12);
      }
    }
}

TEST(HeightFields, SpheresRollOverEdgesAndPeaks) {
  // A ridge along y: roof-shaped.
  const auto field = field_of(11, 10, [](double x, double) { return -std::abs(x); });
  ContactPoints points;
  collide(Collider::sphere(.5), {identity3<double>(), {.01, .3, .49}}, field, {}, .1, points);
  ASSERT_EQ(points.size(), 1);
  EXPECT_NEAR(points[0].gap, std::hypot(.01, .49) - .5, 1e-12);
  EXPECT_GT(points[0].normal.z, .999);
  // A valley: both sides.
  const auto valley = field_of(11, 10, [](double x, double) { return std::abs(x); });
  collide(Collider::sphere(.5), {identity3<double>(), {0, .3, .5 * std::sqrt(2.) - .001}}, valley, {}, .1, points);
  ASSERT_EQ(points.size(), 2);
  for (const auto& p : points) EXPECT_NEAR(p.gap, -.001 / std::sqrt(2.), 1e-12);
  EXPECT_LT(points[0].normal.x * points[1].normal.x, 0);
  // A peak under the face of a box, which has no corner near.
  const auto peak = field_of(11, 10, [](double x, double y) { return std::max(0., 1 - std::hypot(x, y)); });
  for (const double gap : {.01, -.01}) {
    collide(Collider::box({1.8, 1.8, 1}), {identity3<double>(), {.1, .2, 1.5 + gap}}, peak, {}, .05, points);
    ASSERT_EQ(points.size(), 1);
    EXPECT_NEAR(points[0].gap, gap, 1e-9);
    EXPECT_NEAR(points[0].normal.z, 1, 1e-9);
    EXPECT_NEAR(std::hypot(points[0].point.x, points[0].point.y), 0, 1e-9);
  }
}

TEST(HeightFields, EndAtTheirSides) {
  const auto field = field_of(5, 2, [](double, double) { return 0; });
  ContactPoints points;
  collide(Collider::sphere(.5), {identity3<double>(), {5, 0, .4}}, field, {}, .1, points);
  EXPECT_TRUE(points.empty());
  collide(Collider::sphere(.5), {identity3<double>(), {1.2, 0, .1}}, field, {}, .1, points);
  ASSERT_EQ(points.size(), 1);
  EXPECT_NEAR(points[0].gap, std::hypot(.2, .1) - .5, 1e-12) << "at the border";
  EXPECT_TRUE(contains(unbounded(), bounds(field, {})));
}

}  // namespace
}  // namespace lissom::test
