// Hulls: convex, closed, and around all points, whatever these are.
#include "lissom/mesh/convex_hull.h"

#include <algorithm>
#include <random>

#include "largest.h"
#include "lissom/mesh/hull_points.h"
#include "mesh_test_support.h"

namespace lissom::test::mesh_hull {
namespace {

using namespace mesh;
using Points = std::vector<Vec3<double>>;

double extent_of(const Points& points) {
  const auto b = bounds({points, {}});
  return std::max({b.upper.x - b.lower.x, b.upper.y - b.lower.y, b.upper.z - b.lower.z});
}

// How far the farthest point lies outside, relative to the extent; by planes in long double.
double outside(const ConvexHull& hull, const Points& points) {
  long double worst = -1;
  for (const auto& t : hull.mesh.triangles) {
    const auto a = cast<long double>(hull.mesh.vertices[t[0]]), b = cast<long double>(hull.mesh.vertices[t[1]]),
               c = cast<long double>(hull.mesh.vertices[t[2]]);
    const auto n = cross(b - a, c - a);
    const long double length = std::sqrt(dot(n, n));
    if (!(length > 0)) return 1;
    for (const auto& p : points) worst = larger(worst, dot(n, cast<long double>(p) - a) / length);
  }
  return double(worst) / extent_of(points);
}

void expect_hull(const ConvexHull& hull, const Points& points, const std::string& what) {
  SCOPED_TRACE(what);
  ASSERT_EQ(hull.kind, HullKind::solid);
  EXPECT_LT(outside(hull, points), 1e-9);
  const auto edges = count_edges(hull.mesh);
  EXPECT_EQ(edges.open + edges.non_manifold + edges.disagreeing, 0u);
  // Euler: a closed surface without handles, all of whose vertices are used.
  EXPECT_EQ(hull.mesh.vertices.size() + hull.mesh.triangles.size(), edges.edges + 2);
  EXPECT_GT(mass_properties(hull.mesh).mass, 0);
  ASSERT_EQ(hull.points.size(), hull.mesh.vertices.size());
  for (std::size_t i = 0; i < hull.points.size(); ++i) EXPECT_EQ(hull.mesh.vertices[i].x, points[hull.points[i]].x);
}

Points random_points(int n, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  Points points;
  for (int i = 0; i < n; ++i) points.push_back({number(random), number(random), number(random)});
  return points;
}

Points rotated(Points points) {
  const double c = std::cos(0.3), s = std::sin(0.3);
  const Mat3<double> R = Mat3<double>(c, -s, 0, s, c, 0, 0, 0, 1) * Mat3<double>(1, 0, 0, 0, c, -s, 0, s, c);
  for (auto& p : points) p = R * p;
  return points;
}

// Points in a plane, and one unit beside it, with 38 bits each: the determinant has 120.
TEST(ConvexHull, SidesOfPlanesAreExact) {
  std::mt19937_64 random(8);
  const auto number = [&](int bits) {
    return double(std::int64_t(random() >> (64 - bits)) - (std::int64_t{1} << (bits - 1)));
  };
  for (int k = 0; k < 2000; ++k) {
    const Vec3<double> a{number(36), number(36), number(36)}, u{number(16), number(16), number(16)},
        v{number(16), number(16), number(16)};
    const auto p = a + number(18) * u + number(18) * v;
    const HullPoints points(Points{a, a + u, a + v, p, p + Vec3<double>{1, 0, 0}, p - Vec3<double>{0, 1, 0}});
    const HullPlane plane(points, 0, 1, 2);
    const auto n = cross(u, v);
    const auto sign = [](double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; };
    EXPECT_EQ(plane.exact_side(points[3]), 0);
    EXPECT_EQ(plane.exact_side(points[4]), sign(n.x));
    EXPECT_EQ(plane.exact_side(points[5]), sign(-n.y));
    EXPECT_EQ(plane.sees(points[4]), n.x > 0);
  }
}

TEST(ConvexHull, OfABox) {
  const auto corners = box({1, 2, 3}, {2, 4, 6}).vertices;
  const auto hull = convex_hull(corners);
  expect_hull(hull, corners, "box");
  EXPECT_EQ(hull.mesh.vertices.size(), 8u);
  EXPECT_EQ(hull.mesh.triangles.size(), 12u);
  EXPECT_NEAR(mass_properties(hull.mesh).mass, 6, 1e-12);
}

// Many points in the faces and edges, each of them several times: only the corners remain, also of a rotated grid,
// whose points are in the planes only up to rounding.
TEST(ConvexHull, LeavesOutPointsInFacesAndEdges) {
  Points grid;
  for (int x = 0; x <= 6; ++x)
    for (int y = 0; y <= 6; ++y)
      for (int z = 0; z <= 6; ++z)
        for (int copy = 0; copy < 2; ++copy) grid.push_back({0.1 * x, 0.1 * y, 0.1 * z});
  std::mt19937 random(6);
  for (int k = 0; k < 10; ++k) {
    std::shuffle(grid.begin(), grid.end(), random);
    const auto points = k % 2 == 1 ? rotated(grid) : grid;
    const auto hull = convex_hull(points);
    expect_hull(hull, points, k % 2 == 1 ? "rotated" : "straight");
    EXPECT_EQ(hull.mesh.vertices.size(), 8u) << k;
    EXPECT_NEAR(mass_properties(hull.mesh).mass, 0.216, 1e-12);
  }
}

TEST(ConvexHull, OfPointsOnASphere) {
  std::mt19937 random(1);
  for (const int n : {10, 100, 2000}) {
    auto points = random_points(n, random);
    for (auto& p : points) p = (1 / std::sqrt(dot(p, p))) * p;
    const auto hull = convex_hull(points);
    expect_hull(hull, points, "sphere");
    EXPECT_EQ(hull.mesh.vertices.size(), std::size_t(n));
    EXPECT_EQ(hull.mesh.triangles.size(), std::size_t(2 * n - 4));
  }
}

TEST(ConvexHull, OfRandomPointsNearAndFar) {
  std::mt19937 random(2);
  for (int k = 0; k < 60; ++k) {
    auto points = random_points(4 + k * 3, random);
    const double size = std::pow(10.0, k % 13 - 6);
    for (auto& p : points) {
      if (k % 3 == 1) p.z *= 1e-7;  // nearly flat
      if (k % 3 == 2) p = {std::round(3 * p.x), std::round(3 * p.y), std::round(3 * p.z)};
      p = size * p + (k % 2) * size * Vec3<double>{10, -20, 30};
    }
    const auto hull = convex_hull(points);
    expect_hull(hull, points, "random set " + std::to_string(k));
    EXPECT_EQ(hull.max_error, 0);
  }
}

// Cones and prisms of many sides have thin triangles and large faces.
TEST(ConvexHull, OfConesAndPrisms) {
  for (const double height : {1e-3, 1.0, 1e3}) {
    Points cone{{0, 0, height}}, prism;
    for (int i = 0; i < 500; ++i) {
      const double a = 2 * M_PI * i / 500;
      cone.push_back({std::cos(a), std::sin(a), 0});
      for (const double z : {0.0, height}) prism.push_back({std::cos(a), std::sin(a), z});
    }
    expect_hull(convex_hull(cone), cone, "cone");
    expect_hull(convex_hull(rotated(prism)), rotated(prism), "prism");
    const double area = 250 * std::sin(2 * M_PI / 500);
    EXPECT_NEAR(mass_properties(convex_hull(prism).mesh).mass / (area * height), 1, 1e-6);
  }
}

TEST(ConvexHull, SaysWhereThePointsAreFlatter) {
  EXPECT_EQ(convex_hull(Points{}).kind, HullKind::none);
  for (const double wrong : {std::nan(""), double(INFINITY), -1e200}) {
    auto points = box({0, 0, 0}, {1, 1, 1}).vertices;
    points.push_back({0, wrong, 0});
    EXPECT_EQ(convex_hull(points).kind, HullKind::none);
    EXPECT_EQ(mass_properties({points, {}}).mass, 0);
  }
  const auto point = convex_hull(Points(5, {1, 2, 3}));
  EXPECT_EQ(point.kind, HullKind::point);
  EXPECT_EQ(point.mesh.vertices.size(), 1u);
  Points line;
  for (int i = 0; i < 9; ++i) line.push_back({0.1 * i, 0.3 * i, 1 - 0.7 * i});
  const auto ends = convex_hull(line);
  EXPECT_EQ(ends.kind, HullKind::line);
  ASSERT_EQ(ends.mesh.vertices.size(), 2u);
  EXPECT_NEAR(std::abs(ends.mesh.vertices[0].x - ends.mesh.vertices[1].x), 0.8, 1e-15);
  Points flat;
  for (int i = 0; i < 9; ++i)
    for (int k = 0; k < 9; ++k) flat.push_back({0.1 * i, 0.1 * k, 0});
  for (const bool turned : {false, true}) {
    const auto square = convex_hull(turned ? rotated(flat) : flat);
    EXPECT_EQ(square.kind, HullKind::flat);
    EXPECT_EQ(square.mesh.vertices.size(), 4u);
    EXPECT_EQ(square.mesh.triangles.size(), 4u);
    EXPECT_NEAR(surface_area(square.mesh), 2 * 0.64, 1e-12);
  }
}

TEST(ConvexHull, WithFewerVertices) {
  std::mt19937 random(4);
  auto points = random_points(1000, random);
  for (auto& p : points) p = (1 / std::sqrt(dot(p, p))) * p;
  double before = 0;
  for (const std::size_t n : {4, 8, 32, 200}) {
    const auto hull = convex_hull(points, {n});
    EXPECT_LE(hull.mesh.vertices.size(), n);
    EXPECT_GT(hull.mesh.vertices.size(), n / 2);
    EXPECT_GT(hull.max_error, 0);
    EXPECT_NEAR(outside(hull, points) * extent_of(points), hull.max_error, 1e-9);
    const double volume = mass_properties(hull.mesh).mass;
    EXPECT_GT(volume, before);
    before = volume;
  }
  EXPECT_LT(before, 4 * M_PI / 3);
  EXPECT_EQ(convex_hull(points, {5000}).mesh.vertices.size(), 1000u);
}

TEST(ConvexHull, IsTheSameEveryTime) {
  std::mt19937 random(5);
  const auto points = random_points(500, random);
  const auto a = convex_hull(points), b = convex_hull(points);
  EXPECT_EQ(a.points, b.points);
  EXPECT_EQ(a.mesh.triangles, b.mesh.triangles);
}

}  // namespace
}  // namespace lissom::test::mesh_hull
