// Capsules around links, and nearest points of segments.
#include "lissom/geometry/capsule.h"

#include <cmath>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/api/load.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

double length(const Vec3<double>& x) {
  return std::sqrt(dot(x, x));
}
double distance(const Vec3<double>& a0, const Vec3<double>& a1, const Vec3<double>& b0, const Vec3<double>& b1,
                double s, double t) {
  return length(a0 + s * (a1 - a0) - b0 - t * (b1 - b0));
}

TEST(Capsule, NearestPointsOfSegments) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    const auto a0 = random.vec3(1), b0 = random.vec3(1);
    auto a1 = random.vec3(1), b1 = random.vec3(1);
    if (random.chance(.1)) a1 = a0;
    if (random.chance(.1)) b1 = b0;
    if (random.chance(.2)) b1 = b0 + random.uniform(-2, 2) * (a1 - a0);  // parallel
    const auto found = nearest_points(a0, a1, b0, b1);
    EXPECT_TRUE(found.s >= 0 && found.s <= 1 && found.t >= 0 && found.t <= 1);
    const double least = distance(a0, a1, b0, b1, found.s, found.t);
    const int n = 40;
    for (int i = 0; i <= n; ++i)
      for (int k = 0; k <= n; ++k)
        ASSERT_LE(least, distance(a0, a1, b0, b1, double(i) / n, double(k) / n) + 1e-9) << "seed " << seed;
  }
}

// Corners and points on the surface of all collision shapes of a link, in its frame.
std::vector<Vec3<double>> surface(const LinkDescription& link) {
  std::vector<Vec3<double>> points;
  for (const auto& g : link.collisions) {
    const auto& shape = g.shape;
    const auto put = [&](const Vec3<double>& p) { points.push_back(g.origin * p); };
    const bool round = shape.kind == Shape::Kind::sphere || shape.kind == Shape::Kind::capsule;
    for (const double sx : {-1., 1.})
      for (const double sy : {-1., 1.})
        for (const double sz : {-1., 1.})
          if (shape.kind == Shape::Kind::box)
            put({sx * shape.size.x / 2, sy * shape.size.y / 2, sz * shape.size.z / 2});
    const double half = shape.kind == Shape::Kind::sphere ? 0 : shape.length / 2;
    for (int i = 0; i < 36 && shape.kind != Shape::Kind::box; ++i)
      for (const double end : {-1., 1.})
        for (double up = 0; up < (round ? 1.58 : .1); up += .1)
          put({shape.radius * std::cos(up) * std::cos(i / 36. * 6.2832),
               shape.radius * std::cos(up) * std::sin(i / 36. * 6.2832), end * (half + shape.radius * std::sin(up))});
  }
  return points;
}

TEST(Capsule, ACapsuleCoversTheShapesOfItsLink) {
  int links = 0;
  for (const std::string file : {"humanoid.urdf", "quadruped.urdf", "arm7.urdf"}) {
    const auto model = load(LISSOM_MODELS_DIR "/" + file);
    for (const auto& link : model.description().links) {
      const auto points = surface(link);
      if (points.empty()) continue;
      const auto capsule = bounding_capsule(model, link.name);
      EXPECT_EQ(capsule.frame, link.name);
      double most = 0;
      for (const auto& p : points) {
        const auto near = nearest_points(capsule.from, capsule.to, p, p);
        most = larger(most, length(capsule.from + near.s * (capsule.to - capsule.from) - p));
      }
      EXPECT_LE(most, capsule.radius + 1e-9) << file << ", " << link.name;
      EXPECT_GE(most, .9 * capsule.radius) << file << ", " << link.name << ": it could be smaller";
      ++links;
    }
  }
  EXPECT_GE(links, 20);
}
TEST(Capsule, ACapsuleAroundASphereIsTheSphere) {
  Description d;
  LinkDescription link;
  link.name = "ball", link.mass = 1, link.inertia = {1, 0, 0, 1, 0, 1};
  Geometry g;
  g.shape.kind = Shape::Kind::sphere, g.shape.radius = .2, g.origin.p = {1, 2, 3};
  link.collisions.push_back(g);
  d.links.push_back(link);
  auto capsule = bounding_capsule(build(d), "ball");
  EXPECT_NEAR(capsule.radius, .2, 1e-12);
  EXPECT_NEAR(length(capsule.from - Vec3<double>(1, 2, 3)), 0, 1e-12);
  d.links[0].collisions[0].shape.kind = Shape::Kind::capsule, d.links[0].collisions[0].shape.length = .6;
  capsule = bounding_capsule(build(d), "ball");
  EXPECT_NEAR(capsule.radius, .2, 1e-12);
  EXPECT_NEAR(length(capsule.to - capsule.from), .6, 1e-12);
  d.links[0].collisions.clear();
  EXPECT_THROW(bounding_capsule(build(d), "ball"), Error);
}

}  // namespace
}  // namespace lissom::test
