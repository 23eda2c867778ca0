// What holds for the contact points of all pairs: they prove the distance, belong to both shapes, do not depend on the
// order of the pair or on the frame, and keep their features.
#include <cmath>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "collision_cases.h"
#include "largest.h"

namespace lissom::test {
namespace {

struct LawCase {
  Collider a, b;
  Pose<double> X_a, X_b;
  std::string name;
};

// Two shapes at this gap, where `seed` tells how they are turned; every third time with parallel frames, so that faces
// meet.
LawCase near_pair(std::uint64_t seed, Kind a, Kind b, double gap) {
  Random random(seed);
  LawCase c{random_collider(random, a), random_collider(random, b), {}, {}, {}};
  c.X_a = pose_at(random, random.vec3(1)), c.X_b = pose_at(random, c.X_a.p + 4. * direction(random));
  if (seed % 3 == 0) c.X_b.R = c.X_a.R, c.X_b.p = c.X_a.p + c.X_a.R * Vec3<double>(.1, .05, seed % 2 ? 3 : -3);
  const auto d = distance(c.a, c.X_a, c.b, c.X_b);
  c.X_b.p = c.X_b.p + (d.distance - gap) * d.normal;
  c.name = std::string(name_of(a)) + "–" + name_of(b) + ", seed " + std::to_string(seed);
  return c;
}
ContactPoints points_of(const LawCase& c, double margin) {
  ContactPoints points;
  collide(c.a, c.X_a, c.b, c.X_b, margin, points);
  return points;
}
template <class Check>
void for_all_pairs(std::uint64_t from, std::uint64_t to, double gap, const Check& check) {
  for (const auto a : convex_kinds)
    for (const auto b : convex_kinds)
      for (std::uint64_t seed = from; seed < to; ++seed) check(near_pair(seed, a, b, gap));
}
bool is_curved(const Collider& c) {
  return c.kind() == Kind::cylinder || c.kind() == Kind::ellipsoid;
}
// The points of a contact on the surfaces of a and b.
std::pair<Vec3<double>, Vec3<double>> surface_points(const LawCase& c, const ContactPoint& p) {
  const int rounder = c.a.roundness() - c.b.roundness();
  const double above = rounder > 0 ? 0 : rounder < 0 ? p.gap : .5 * p.gap;
  const auto on_a = p.point + above * p.normal;
  return {on_a, on_a - p.gap * p.normal};
}

TEST(ContactLaws, PointsBelongToBothShapesAndTheNearestIsTheDistance) {
  for (const double gap : {.004, 1e-9, -1e-5})
    for_all_pairs(0, 60, gap, [&](const LawCase& c) {
      const auto d = distance(c.a, c.X_a, c.b, c.X_b).distance;
      const auto points = points_of(c, .01);
      const double tolerance = gap < 0 && (is_curved(c.a) || is_curved(c.b)) ? 1e-5 : 3e-8;
      ASSERT_FALSE(points.empty()) << c.name;
      double nearest = 1;
      for (const auto& p : points) {
        nearest = smaller(nearest, p.gap);
        EXPECT_LE(p.gap, .01) << c.name;
        EXPECT_NEAR(length(p.normal), 1, 1e-12) << c.name;
        const auto [on_a, on_b] = surface_points(c, p);
        EXPECT_LT(outside(c.a, c.X_a, on_a), tolerance) << c.name;
        EXPECT_LT(outside(c.b, c.X_b, on_b), tolerance) << c.name;
      }
      EXPECT_NEAR(nearest, d, tolerance) << c.name << " at " << gap;
    });
}

TEST(ContactLaws, OrderDoesNotMatter) {
  for (const double gap : {.004, -1e-3})
    for_all_pairs(0, 40, gap, [&](const LawCase& c) {
      const auto points = points_of(c, .01);
      ContactPoints swapped;
      collide(c.b, c.X_b, c.a, c.X_a, .01, swapped);
      // Between shapes of the same kind, another face may be the one to which distances are taken, if both are as good.
      ASSERT_EQ(points.size(), swapped.size()) << c.name << " at " << gap;
      for (const auto& p : points) {
        double best = 1;
        for (const auto& q : swapped)
          best = smaller(best, length(p.point - q.point) + length(p.normal + q.normal) + std::abs(p.gap - q.gap));
        EXPECT_LT(best, 1e-6) << c.name << " at " << gap;
      }
    });
}

TEST(ContactLaws, TheFrameDoesNotMatter) {
  Random random(7);
  for_all_pairs(0, 20, .003, [&](const LawCase& c) {
    const auto points = points_of(c, .01);
    const auto X = pose_at(random, random.vec3(5));
    ContactPoints moved;
    collide(c.a, X * c.X_a, c.b, X * c.X_b, .01, moved);
    ASSERT_EQ(points.size(), moved.size()) << c.name;
    for (const auto& p : points) {
      double best = 1;
      for (const auto& q : moved)
        if (q.feature == p.feature)
          best = smaller(best, length(X * p.point - q.point) + length(X.R * p.normal - q.normal));
      EXPECT_LT(best, 1e-5) << c.name;
    }
  });
}

TEST(ContactLaws, FeaturesAreDifferentAndStayTheSame) {
  int same = 0, all = 0;
  for_all_pairs(0, 40, 1e-4, [&](const LawCase& c) {
    const auto points = points_of(c, .01);
    std::map<std::uint32_t, Vec3<double>> features;
    for (const auto& p : points) features[p.feature] = p.point;
    EXPECT_EQ(int(features.size()), points.size()) << c.name;
    auto later = c;
    Random random(5);
    later.X_a.p += 1e-7 * direction(random);
    for (const auto& p : points_of(later, .01)) {
      ++all;
      if (const auto found = features.find(p.feature); found != features.end()) {
        ++same;
        EXPECT_LT(length(found->second - p.point), .02) << c.name;
      }
    }
  });
  EXPECT_GT(same, .98 * all) << same << " of " << all;
}

// Equal boxes on each other, moved by rounding errors only: the case in which corners and edges coincide.
TEST(ContactLaws, FeaturesOfAStackDoNotFlicker) {
  const auto box = Collider::box({.1, .1, .1});
  std::set<std::uint32_t> first;
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    Pose<double> lower, upper;
    lower.p = 1e-14 * direction(random), upper.p = Vec3<double>(0, 0, .1) + 1e-14 * direction(random);
    const auto e = 1e-14 * direction(random);
    upper.R = {1, -e.z, e.y, e.z, 1, -e.x, -e.y, e.x, 1};
    ContactPoints points;
    collide(box, upper, box, lower, .01, points);
    std::set<std::uint32_t> features;
    for (const auto& p : points) features.insert(p.feature);
    ASSERT_EQ(features.size(), 4u);
    if (i == 0) first = features;
    EXPECT_EQ(features, first) << "step " << i;
  }
}

}  // namespace
}  // namespace lissom::test
