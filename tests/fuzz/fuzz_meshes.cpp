// Meshes in every format, and the hulls of points.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "lissom/mesh.h"
#include "lissom/mesh/height_map.h"
#include "targets.h"

namespace lissom::fuzz {
namespace {

using namespace mesh;

void expect_hull(const ConvexHull& hull, const std::vector<Vec3<double>>& points) {
  if (hull.kind != HullKind::solid) return;
  const auto edges = count_edges(hull.mesh);
  expect(edges.open + edges.non_manifold + edges.disagreeing == 0, "a hull is closed");
  expect(hull.mesh.vertices.size() + hull.mesh.triangles.size() == edges.edges + 2, "a hull has no handles");
  const auto box = bounds({points, {}});
  const auto size = box.upper - box.lower;
  const double extent = std::max({size.x, size.y, size.z});
  long double outside = 0, width = extent;
  for (const auto& t : hull.mesh.triangles) {
    const auto a = cast<long double>(hull.mesh.vertices[t[0]]), b = cast<long double>(hull.mesh.vertices[t[1]]),
               c = cast<long double>(hull.mesh.vertices[t[2]]);
    const auto n = cross(b - a, c - a);
    const long double length = std::sqrt(dot(n, n));
    const auto longest = std::max({dot(b - a, b - a), dot(c - b, c - b), dot(a - c, a - c)});
    if (length < 1e-8L * extent * std::sqrt(longest)) continue;  // it is thinner than rounding can tell its plane
    long double below = 0;
    for (const auto& p : points) {
      const long double distance = dot(n, cast<long double>(p) - a) / length;
      outside = std::max(outside, distance);
      below = std::max(below, -distance);
    }
    width = std::min(width, below);
  }
  // Beyond a tip, a point within the tolerance of the planes that meet there may be as far from it as their angle makes
  // it.
  expect(outside < 1e-9 * extent || outside * width < 1e-11 * extent * extent, "all points are inside of a hull");
}

void use_mesh(std::string_view input, const std::string& name) {
  LoadOptions options;
  options.max_triangles = 20'000;
  options.accept_points = input.size() % 2 == 0;
  const auto loaded = load_mesh_bytes(input, name, options);
  bool failed = false;
  for (const auto& finding : loaded.findings) failed |= finding.severity == Severity::error;
  expect(loaded.ok() != failed, "a mesh, or an error");
  if (!loaded.ok()) return;
  const auto& m = loaded.mesh;
  expect(m.triangles.size() <= options.max_triangles, "as many triangles as are allowed");
  for (const auto& t : m.triangles)
    for (const auto corner : t) expect(corner < m.vertices.size(), "indices are in range");
  for (const auto& p : m.vertices)
    expect(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z), "vertices are finite");
  for (const auto kind : {InertiaKind::exact, InertiaKind::legacy, InertiaKind::shell}) {
    const auto p = mass_properties(m, kind);
    expect(std::isfinite(p.mass) && std::isfinite(p.center.x), "masses are finite");
  }
  check_surface(m);
  if (m.vertices.size() < 200) expect_hull(convex_hull(m), m.vertices);
  if (m.triangles.size() < 50) {
    DecomposeOptions few;
    few.max_hulls = 3;
    few.resolution = 8;
    few.use_cache = false;
    expect(decompose(m, few).hulls.size() <= few.max_hulls, "as many hulls as are allowed");
  }
  const auto again = load_mesh_bytes(to_obj(m), "again.obj", options);
  expect(again.mesh.triangles.size() == m.triangles.size(), "what is written is read back");
}

}  // namespace

void mesh_stl(std::string_view input) {
  use_mesh(input, "fuzz.stl");
}
void mesh_obj(std::string_view input) {
  use_mesh(input, "fuzz.obj");
}
void mesh_ply(std::string_view input) {
  use_mesh(input, "fuzz.ply");
}
void mesh_dae(std::string_view input) {
  use_mesh(input, "fuzz.dae");
}
void mesh_gltf(std::string_view input) {
  use_mesh(input, "fuzz.gltf");
}
void mesh_msh(std::string_view input) {
  use_mesh(input, "fuzz.msh");
}

void heights(std::string_view input) {
  constexpr std::size_t max_heights = 20'000;
  const auto loaded = load_heights_bytes(input, "fuzz.png", max_heights);
  expect(loaded.ok() == loaded.findings.empty(), "heights, or an error");
  if (!loaded.ok()) return;
  const auto& map = loaded.map;
  expect(map.heights.size() <= max_heights, "as many heights as are allowed");
  expect(map.heights.size() == std::size_t(map.rows) * std::size_t(map.columns), "all heights are there");
  for (const double height : map.heights) expect(std::isfinite(height), "heights are finite");
  Shape shape;
  shape.path = to_data_uri(map, "fuzz"), shape.size = {1, 1, 1};
  expect(height_surface(shape).vertices.size() == map.heights.size(), "what is written is read back");
}

// The first byte: numbers of 1 byte (many ties), 4 or 8 bytes.
void hull(std::string_view input) {
  if (input.empty()) return;
  const int kind = static_cast<unsigned char>(input[0]) % 3;
  input.remove_prefix(1);
  const std::size_t size = kind == 0 ? 1 : kind == 1 ? 4 : 8;
  std::vector<double> numbers;
  for (std::size_t at = 0; at + size <= input.size() && numbers.size() < 600; at += size) {
    double number = static_cast<signed char>(input[at]);
    float narrow = 0;
    if (kind == 1) std::memcpy(&narrow, input.data() + at, 4), number = double(narrow);
    if (kind == 2) std::memcpy(&number, input.data() + at, 8);
    numbers.push_back(std::abs(number) < 1e60 ? number : 0);
  }
  std::vector<Vec3<double>> points;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
    points.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  expect_hull(convex_hull(points), points);
  expect(convex_hull(points, {5}).mesh.vertices.size() <= std::max<std::size_t>(5, points.size()), "few vertices");
}

}  // namespace lissom::fuzz
