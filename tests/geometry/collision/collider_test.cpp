// Shapes themselves: their boxes, and the faces, neighbors and farthest vertices of hulls.
#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "collision_cases.h"
#include "largest.h"

namespace lissom::test {
namespace {

TEST(Collider, BoundsAreTight) {
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    for (const auto kind : convex_kinds) {
      Random random(seed);
      const auto shape = random_collider(random, kind);
      const auto X = pose_at(random, random.vec3(3));
      const auto b = bounds(shape, X);
      EXPECT_NEAR(b.upper.x, reach_along(shape, X, {1, 0, 0}), 1e-12) << name_of(kind);
      EXPECT_NEAR(b.upper.y, reach_along(shape, X, {0, 1, 0}), 1e-12) << name_of(kind);
      EXPECT_NEAR(b.upper.z, reach_along(shape, X, {0, 0, 1}), 1e-12) << name_of(kind);
      EXPECT_NEAR(b.lower.x, -reach_along(shape, X, {-1, 0, 0}), 1e-12) << name_of(kind);
      EXPECT_NEAR(b.lower.z, -reach_along(shape, X, {0, 0, -1}), 1e-12) << name_of(kind);
      for (int i = 0; i < 20; ++i) {
        const auto d = direction(random);
        EXPECT_LE(reach_along(shape, {X.R, {0, 0, 0}}, d), shape.bounding_radius() + 1e-12) << name_of(kind);
      }
    }
}

TEST(Collider, IsMadeFromShapesOfDescriptions) {
  Shape shape;
  shape.kind = Shape::Kind::box, shape.size = {1, 2, 3};
  const Collider box(shape, .1);
  EXPECT_EQ(box.kind(), Kind::box);
  EXPECT_NEAR(box.half().y, .9, 1e-15) << "the core is smaller by the rounding";
  EXPECT_NEAR(box.radius(), .1, 1e-15);
  shape.kind = Shape::Kind::capsule, shape.radius = .2, shape.length = 1;
  EXPECT_NEAR(Collider(shape).half().z, .5, 1e-15);
  EXPECT_NEAR(Collider(shape).bounding_radius(), .7, 1e-15);
  shape.kind = Shape::Kind::ellipsoid;
  EXPECT_NEAR(Collider(shape).bounding_radius(), 3, 1e-15);
  shape.kind = Shape::Kind::plane;
  EXPECT_FALSE(Collider(shape).is_convex());
}

Hull prism(std::uint32_t sides) {
  std::vector<Vec3<double>> p;
  std::vector<Hull::Triangle> t;
  for (std::uint32_t i = 0; i < sides; ++i)
    for (const double z : {-.5, .5})
      p.push_back({std::cos(2 * std::numbers::pi * i / sides), std::sin(2 * std::numbers::pi * i / sides), z});
  for (std::uint32_t i = 0; i < sides; ++i) {
    const std::uint32_t j = (i + 1) % sides, a = 2 * i, b = 2 * j;
    t.push_back({a, b, b + 1}), t.push_back({a, b + 1, a + 1});
    if (i > 0 && j > 0) t.push_back({0, b, a}), t.push_back({1, a + 1, b + 1});
  }
  return Hull(p, t);
}

TEST(Hull, JoinsTrianglesToFaces) {
  const auto hull = prism(64);
  ASSERT_EQ(hull.faces().size(), 66u);
  for (const auto& face : hull.faces()) {
    EXPECT_EQ(hull.corners(face).size(), std::abs(face.normal.z) > .5 ? 64u : 4u);
    // Counterclockwise as seen from outside, and all in the plane.
    const auto corners = hull.corners(face);
    const auto& p = hull.vertices();
    Vec3<double> twice_area(0, 0, 0);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      twice_area += cross(p[corners[i]], p[corners[(i + 1) % corners.size()]]);
      EXPECT_NEAR(dot(face.normal, p[corners[i]]), face.offset, 1e-12);
    }
    EXPECT_GT(dot(twice_area, face.normal), .01);
  }
  const auto neighbors = hull.neighbors(10);
  const std::set<std::uint32_t> found(neighbors.begin(), neighbors.end());
  for (const std::uint32_t expected : {8u, 12u, 11u}) EXPECT_TRUE(found.count(expected)) << expected;
}

TEST(Hull, FindsTheFarthestVertex) {
  Random random(2);
  const auto large = prism(64);
  const auto odd = random_hull(random, 40);
  for (const Hull* hull : {&large, odd.get()})
    for (int i = 0; i < 500; ++i) {
      const auto d = direction(random);
      double most = -1;
      for (const auto& p : hull->vertices()) most = larger(most, dot(d, p));
      EXPECT_NEAR(dot(d, hull->vertices()[hull->support(d)]), most, 1e-15);
      const auto& nearest = hull->faces()[hull->nearest_face(d)];
      for (const auto& face : hull->faces()) EXPECT_LE(dot(face.normal, d), dot(nearest.normal, d));
    }
}

}  // namespace
}  // namespace lissom::test
