// Decomposition into hulls: few, tight, and around all of the mesh.
#include "lissom/mesh/decompose.h"

#include <algorithm>

#include "lissom/mesh/write.h"
#include "mesh_test_support.h"

namespace lissom::test::mesh_decompose {
namespace {

using namespace mesh;

DecomposeOptions without_cache() {
  DecomposeOptions options;
  options.use_cache = false;
  options.max_vertices = 0;
  return options;
}

double volume_of_all(const ConvexDecomposition& d) {
  double sum = 0;
  for (const auto& hull : d.hulls) sum += mass_properties(hull).mass;
  return sum;
}

bool is_inside(const TriangleMesh& hull, const Vec3<double>& p) {
  for (const auto& t : hull.triangles) {
    const auto &a = hull.vertices[t[0]], &b = hull.vertices[t[1]], &c = hull.vertices[t[2]];
    const auto n = cross(b - a, c - a);
    if (dot(n, p - a) > 1e-6 * std::sqrt(dot(n, n))) return false;
  }
  return true;
}

// Points of all triangles lie in a hull; and each hull is convex.
void expect_covered(const TriangleMesh& m, const ConvexDecomposition& d) {
  const auto covered = [&](const Vec3<double>& p) {
    return std::ranges::any_of(d.hulls, [&](const auto& hull) { return is_inside(hull, p); });
  };
  for (const auto& t : m.triangles) {
    const auto &a = m.vertices[t[0]], &b = m.vertices[t[1]], &c = m.vertices[t[2]];
    for (int i = 0; i <= 4; ++i)
      for (int k = 0; i + k <= 4; ++k) EXPECT_TRUE(covered(0.25 * (i * a + k * b + (4 - i - k) * c)));
  }
  for (const auto& hull : d.hulls)
    for (const auto& p : hull.vertices) EXPECT_TRUE(is_inside(hull, p));
}

TEST(Decompose, ConvexBodiesStayWhole) {
  for (const auto& m : {box({0, 0, 0}, {1, 2, 3}), convex_hull(torus(1, 0.5, 30, 20)).mesh}) {
    const auto d = decompose(m, without_cache());
    ASSERT_EQ(d.hulls.size(), 1u);
    EXPECT_NEAR(volume_of_all(d), mass_properties(m).mass, 1e-9);
    EXPECT_NEAR(d.concavity, 0, 1e-9);
  }
}

TEST(Decompose, AnLIsTwoBoxes) {
  const auto m = read_good(l_shape_obj(), "l.obj");
  const auto d = decompose(m, without_cache());
  ASSERT_EQ(d.hulls.size(), 2u);
  EXPECT_NEAR(volume_of_all(d), 1.6875, 1e-9);  // cut at the inner edge
  EXPECT_NEAR(d.concavity, 0, 1e-9);
  for (const auto& hull : d.hulls) EXPECT_EQ(hull.vertices.size(), 8u);
  expect_covered(m, d);
}

TEST(Decompose, ATableIsFiveBoxes) {
  auto m = box({-0.5, -0.5, 0}, {0.5, 0.5, 0.1});
  for (const double x : {-0.4, 0.3})
    for (const double y : {-0.4, 0.3}) append(m, box({x, y, -0.6}, {x + 0.1, y + 0.1, 0}));
  const auto d = decompose(m, without_cache());
  EXPECT_EQ(d.hulls.size(), 5u);
  EXPECT_NEAR(volume_of_all(d), 0.124, 1e-9);
  expect_covered(m, d);
}

TEST(Decompose, ATorusNeedsSeveral) {
  const auto m = torus(1, 0.3, 48, 16);
  const double hull_volume = mass_properties(m, InertiaKind::convex).mass;
  auto options = without_cache();
  double before = 1;
  for (const std::size_t n : {2, 4, 8, 16}) {
    options.max_hulls = n;
    options.max_concavity = 0.005;
    const auto d = decompose(m, options);
    EXPECT_LE(d.hulls.size(), n);
    EXPECT_LE(d.concavity, before + 1e-9);
    before = d.concavity;
    EXPECT_NEAR(d.concavity, (volume_of_all(d) - mass_properties(m).mass) / hull_volume, 1e-6);
    expect_covered(m, d);
  }
  EXPECT_LT(before, 0.05);
}

TEST(Decompose, RespectsMaxVerticesAndIsTheSameEveryTime) {
  const auto m = torus(1, 0.3, 48, 16);
  auto options = without_cache();
  options.max_vertices = 12;
  const auto a = decompose(m, options), b = decompose(m, options);
  ASSERT_EQ(a.hulls.size(), b.hulls.size());
  for (std::size_t i = 0; i < a.hulls.size(); ++i) {
    EXPECT_LE(a.hulls[i].vertices.size(), 12u);
    EXPECT_EQ(to_obj(a.hulls[i]), to_obj(b.hulls[i]));
  }
}

TEST(Decompose, SurfacesThatAreOpenOrFlat) {
  auto open = torus(1, 0.3, 48, 16);
  open.triangles.resize(open.triangles.size() - 40);
  auto options = without_cache();
  options.max_hulls = 8;
  const auto d = decompose(open, options);
  EXPECT_LE(d.hulls.size(), 8u);
  EXPECT_GE(d.hulls.size(), 2u);
  expect_covered(open, d);
  const TriangleMesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  ASSERT_EQ(decompose(flat, options).hulls.size(), 1u);
  EXPECT_TRUE(decompose({}, options).hulls.empty());
}

TEST(Decompose, StopsWhenAsked) {
  auto options = without_cache();
  int asked = 0;
  options.stop = [&] {
    ++asked;
    return false;
  };
  const auto m = torus(1, 0.3, 30, 20);
  const auto whole = decompose(m, options);
  EXPECT_GT(whole.hulls.size(), 2u);
  const int all = asked;
  EXPECT_GT(all, int(whole.hulls.size()));
  asked = 0;
  options.stop = [&] { return ++asked == all / 2; };
  EXPECT_THROW(decompose(m, options), Error);
  EXPECT_EQ(asked, all / 2);
}

TEST(Decompose, RefusesOptionsOutOfRange) {
  const auto m = box({0, 0, 0}, {1, 1, 1});
  auto options = without_cache();
  options.max_hulls = 0;
  EXPECT_THROW(decompose(m, options), Error);
  options = without_cache();
  options.resolution = 7;
  EXPECT_THROW(decompose(m, options), Error);
  options = without_cache();
  options.max_concavity = std::nan("");
  EXPECT_THROW(decompose(m, options), Error);
}

}  // namespace
}  // namespace lissom::test::mesh_decompose
