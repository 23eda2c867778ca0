// Faces on which a robot can stand.
#include "lissom/geometry/contact_polygon.h"

#include <gtest/gtest.h>

#include "lissom/api/load.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

double doubled_area(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Every point lies to the left of every edge, and every corner is one of the points.
TEST(ConvexHull, ContainsAllPoints) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    std::vector<Vec3<double>> points;
    for (int i = 0; i < 20; ++i) points.push_back(random.vec3(1));
    const auto hull = convex_hull(points);
    ASSERT_GE(hull.size(), 3u);
    for (std::size_t i = 0; i < hull.size(); ++i) {
      const auto &a = hull[i], &b = hull[(i + 1) % hull.size()];
      for (const auto& p : points) ASSERT_GE(doubled_area(a, b, p), -1e-9) << "seed " << seed;
      ASSERT_GT(doubled_area(a, b, hull[(i + 2) % hull.size()]), 0) << "seed " << seed;
    }
  }
}

TEST(ConvexHull, LeavesOutPointsOnAnEdge) {
  const auto hull = convex_hull({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {1, 1, 0}, {0, 1, 0}});
  EXPECT_EQ(hull.size(), 4u);
}

TEST(ContactPolygon, IsScaledAboutItsMean) {
  std::vector<Vec3<double>> points{{0, 0, 0}, {4, 0, 0}, {4, 2, 0}, {0, 2, 0}};
  scale_about_mean(points, .5);
  EXPECT_EQ(points[0].x, 1);
  EXPECT_EQ(points[0].y, .5);
  EXPECT_EQ(points[2].x, 3);
  EXPECT_EQ(points[2].y, 1.5);
}

TEST(ContactPolygon, HasTheCornersOfASole) {
  const auto model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  const auto corners = contact_polygon(model, model.frame("left_sole"));
  EXPECT_EQ(corners.size(), 4u);
  for (const auto& p : corners) EXPECT_EQ(p.z, 0);
  EXPECT_THROW(contact_polygon(model, model.frame("head_camera")), Error);
  EXPECT_TRUE(find_contact_polygon(model, CollisionGeometry(model), model.frame("head_camera")).empty());
}

}  // namespace
}  // namespace lissom::test
