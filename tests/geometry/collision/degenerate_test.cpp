// Shapes without size, in the same place, far away, or not a number: bounded answers, and never NaN.
#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "collision_cases.h"

namespace lissom::test {
namespace {

std::vector<std::pair<std::string, Collider>> degenerate_shapes() {
  const std::vector<Vec3<double>> one{{0, 0, 0}}, two{{-.5, 0, 0}, {.5, 0, 0}}, three{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<Hull::Triangle> both{{0, 1, 2}, {0, 2, 1}};
  return {{"point", Collider()},
          {"sphere", Collider::sphere(.5)},
          {"capsule without radius", Collider::capsule(0, 1)},
          {"capsule without length", Collider::capsule(.5, 0)},
          {"box without size", Collider::box({0, 0, 0})},
          {"segment as box", Collider::box({1, 0, 0})},
          {"flat box", Collider::box({1, 1, 0})},
          {"box", Collider::box({1, 1, 1})},
          {"wholly rounded box", Collider::box({1, 1, 1}, .5)},
          {"slender box", Collider::box({1, 1e-7, 1e-7})},
          {"cylinder without radius", Collider::cylinder(0, 1)},
          {"disc", Collider::cylinder(.5, 0)},
          {"cylinder", Collider::cylinder(.5, 1)},
          {"ellipsoid without size", Collider::ellipsoid({0, 0, 0})},
          {"flat ellipsoid", Collider::ellipsoid({.5, .5, 0})},
          {"slender ellipsoid", Collider::ellipsoid({.5, 0, 0})},
          {"ellipsoid", Collider::ellipsoid({.5, .4, .3})},
          {"hull of a point", Collider::convex_hull(std::make_shared<Hull>(one, std::vector<Hull::Triangle>{}))},
          {"hull of two points", Collider::convex_hull(std::make_shared<Hull>(two, std::vector<Hull::Triangle>{}))},
          {"hull of a triangle", Collider::convex_hull(std::make_shared<Hull>(three, both))},
          {"hull", Collider::convex_hull(box_hull({.5, .5, .5}))},
          {"plane", Collider::plane()}};
}

bool finite(const Vec3<double>& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
void expect_bounded(const Collider& a, const Pose<double>& X_a, const Collider& b, const Pose<double>& X_b,
                    const std::string& which) {
  ContactPoints points;
  collide(a, X_a, b, X_b, .1, points);
  for (const auto& p : points) {
    EXPECT_TRUE(finite(p.point) && std::isfinite(p.gap)) << which;
    EXPECT_NEAR(length(p.normal), 1, 1e-9) << which;
    EXPECT_LE(p.gap, .1) << which;
    EXPECT_GE(p.gap, -3) << which << ": deeper than both are large";
    EXPECT_LT(length(p.point - X_a.p), 4) << which;
  }
  if (!a.is_convex() && !b.is_convex()) return;
  const auto d = distance(a, X_a, b, X_b);
  EXPECT_TRUE(std::isfinite(d.distance) && finite(d.point_a) && finite(d.point_b)) << which;
  EXPECT_NEAR(length(d.normal), 1, 1e-9) << which;
  if (d.distance > 0 && d.distance < .09) EXPECT_FALSE(points.empty()) << which;
}

TEST(Degenerate, ShapesInTheSamePlace) {
  const auto shapes = degenerate_shapes();
  for (const auto& [name_a, a] : shapes)
    for (const auto& [name_b, b] : shapes) {
      Random random(11);
      for (int i = 0; i < 12; ++i) {
        // The same pose; the same axes; the same origin; any.
        const Pose<double> X_a = i < 3 ? Pose<double>{} : pose_at(random, random.vec3(.5));
        Pose<double> X_b = i % 4 == 3 ? pose_at(random, random.vec3(.5)) : X_a;
        if (i % 4 == 1) X_b.p += column_x(X_a.R);
        if (i % 4 == 2) X_b.R = random.rotation();
        expect_bounded(a, X_a, b, X_b, name_a + "–" + name_b + ", case " + std::to_string(i));
      }
    }
}

// Far from the world's origin, positions are coarse, but nothing else is.
TEST(Degenerate, FarAway) {
  Random random(1);
  for (const double far : {1e3, 1e6, 1e9})
    for (const auto a : convex_kinds)
      for (const auto b : convex_kinds) {
        const auto ca = random_collider(random, a), cb = random_collider(random, b);
        Pose<double> X_a = pose_at(random, {0, 0, 0}), X_b = pose_at(random, 2. * direction(random));
        const auto shift = far * direction(random);
        X_a.p += shift, X_b.p += shift;
        const auto away = distance(ca, X_a, cb, X_b);
        X_a.p -= shift, X_b.p -= shift;  // rounded as before
        const auto here = distance(ca, X_a, cb, X_b);
        EXPECT_NEAR(away.distance, here.distance, 1e-9 + 1e-15 * far) << name_of(a) << "–" << name_of(b);
        EXPECT_LT(length(away.normal - here.normal), 1e-6 + 1e-15 * far) << name_of(a) << "–" << name_of(b);
      }
}

TEST(Degenerate, PosesThatAreNotFiniteGiveNoPoints) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const auto& [name, shape] : degenerate_shapes())
    for (const double bad : {nan, infinity, -infinity, 1e200}) {
      ContactPoints points;
      collide(shape, {identity3<double>(), {bad, 0, 0}}, Collider::box({1, 1, 1}), {}, .1, points);
      if (bad != 1e200 || shape.is_convex()) EXPECT_TRUE(points.empty()) << name << " at " << bad;
      collide(shape, {identity3<double>(), {0, 0, bad}}, Collider::plane(), {}, .1, points);
      EXPECT_TRUE(points.empty()) << name << " at " << bad;
      collide(shape, {}, Collider::box({1, 1, 1}), {}, nan, points);
      EXPECT_TRUE(points.empty()) << name << ", margin " << bad;
    }
}

TEST(Degenerate, LargeAndSmallShapesTogether) {
  const auto large = Collider::box({1e6, 1e6, 1e6}), small = Collider::box({1e-4, 1e-4, 1e-4});
  Pose<double> X;
  X.p = {3e5, -2e5, 5e5 + .5e-4};
  ContactPoints points;
  collide(small, X, large, {}, 1e-3, points);
  ASSERT_EQ(points.size(), 4);
  for (const auto& p : points) EXPECT_NEAR(p.gap, 0, 1e-8);
}

// Sizes from 10 µm to 100 m in one shape, some of them zero.
Collider extreme_collider(Random& random, Kind kind) {
  const auto size = [&] { return random.chance(.1) ? 0 : std::pow(10., random.uniform(-5, 2)); };
  switch (kind) {
    case Kind::sphere:
      return Collider::sphere(size());
    case Kind::capsule:
      return Collider::capsule(size(), size());
    case Kind::cylinder:
      return Collider::cylinder(size(), size());
    case Kind::ellipsoid:
      return Collider::ellipsoid({size(), size(), size()});
    case Kind::hull: {
      auto vertices = random_hull(random, 8)->vertices();
      const Vec3<double> scale(size() + 1e-5, size() + 1e-5, size() + 1e-5);
      for (auto& p : vertices) p = {scale.x * p.x, scale.y * p.y, scale.z * p.z};
      return Collider::convex_hull(std::make_shared<Hull>(vertices, std::vector<Hull::Triangle>{}));
    }
    default: {
      const Vec3<double> edges(size(), size(), size());
      return Collider::box(edges, random.uniform(0, .5) * std::min({edges.x, edges.y, edges.z}));
    }
  }
}

TEST(Degenerate, ExtremeProportions) {
  for (const auto a : convex_kinds)
    for (const auto b : convex_kinds)
      for (std::uint64_t seed = 0; seed < 150; ++seed) {
        Random random(seed);
        const auto ca = extreme_collider(random, a), cb = extreme_collider(random, b);
        const double reach = ca.bounding_radius() + cb.bounding_radius();
        const auto X_a = pose_at(random, {0, 0, 0});
        auto X_b = pose_at(random, random.uniform(0, 1.1) * reach * direction(random));
        if (seed % 3 == 0) X_b.R = X_a.R;
        if (seed % 4 == 0) {
          const auto d = distance(ca, X_a, cb, X_b);
          X_b.p += d.distance * d.normal;  // touching
        }
        const auto which = std::string(name_of(a)) + "–" + name_of(b) + ", seed " + std::to_string(seed);
        const auto d = distance(ca, X_a, cb, X_b);
        EXPECT_NEAR(gap_along(ca, X_a, cb, X_b, d.normal), d.distance, 1e-3 * reach) << which;
        ContactPoints points;
        collide(ca, X_a, cb, X_b, .1 * reach, points);
        if (d.distance < .09 * reach) EXPECT_FALSE(points.empty()) << which;
        for (const auto& p : points) {
          EXPECT_TRUE(finite(p.point) && std::isfinite(p.gap)) << which;
          EXPECT_NEAR(length(p.normal), 1, 1e-9) << which;
          EXPECT_GE(p.gap, -(1 + 1e-6) * reach) << which;
          EXPECT_LE(length(p.point), 3 * reach) << which;
        }
      }
}

TEST(Degenerate, SizesThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {-1., nan, 1e10}) {
    EXPECT_THROW(Collider::sphere(bad), Error);
    EXPECT_THROW(Collider::capsule(.1, bad), Error);
    EXPECT_THROW(Collider::box({1, bad, 1}), Error);
    EXPECT_THROW(Collider::cylinder(bad, 1), Error);
    EXPECT_THROW(Collider::ellipsoid({1, 1, bad}), Error);
  }
  EXPECT_THROW(Collider::box({1, 1, 1}, .6), Error);
  Shape mesh;
  mesh.kind = Shape::Kind::mesh;
  EXPECT_THROW(Collider{mesh}, Error);
  const std::vector<Vec3<double>> tetrahedron{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_NO_THROW(Hull(tetrahedron, std::vector<Hull::Triangle>{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}));
  EXPECT_THROW(Hull(tetrahedron, std::vector<Hull::Triangle>{{0, 1, 2}}), Error) << "inside out";
  EXPECT_THROW(Hull(tetrahedron, std::vector<Hull::Triangle>{{0, 2, 4}}), Error) << "no such vertex";
  EXPECT_THROW(Hull({}, {}), Error);
  EXPECT_THROW(HeightField(2, 2, 1, 1, {0, 0, 0}), Error);
  EXPECT_THROW(HeightField(1, 2, 1, 1, {0, 0}), Error);
  EXPECT_THROW(HeightField(2, 2, 1, 1, {0, 0, nan, 0}), Error);
}

}  // namespace
}  // namespace lissom::test
