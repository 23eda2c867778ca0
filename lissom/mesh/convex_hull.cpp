// Quickhull (Barber, Dobkin, Huhdanpaa 1996) on a grid, with exact decisions (hull_points.h).
//
// A tetrahedron of points far from each other grows: the point farthest outside of any face becomes a vertex, the faces
// that it sees are removed, and the hole is closed by triangles between its rim and the point. Each face keeps the
// points above it; those of removed faces go to new ones. A point becomes a vertex only if it lies farther outside than
// the tolerance; then it is exact which faces it sees. So the rim is always one ring, of which no edge is in line with
// the point. Takes time in proportion to n log n for n points like those of meshes.
#include "lissom/mesh/convex_hull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "lissom/math/monotone_chain.h"
#include "lissom/mesh/hull_points.h"
#include "lissom/mesh/quickhull.h"

namespace lissom::mesh {
namespace {

constexpr std::uint32_t not_used = std::numeric_limits<std::uint32_t>::max();

// The point for which `measure` is largest, and how large that is.
template <class Measure>
std::pair<std::uint32_t, double> farthest(const HullPoints& points, const Measure& measure) {
  std::pair<std::uint32_t, double> best{0, -1};
  for (std::uint32_t i = 0; i < points.size(); ++i)
    if (const double m = measure(points[i]); m > best.second) best = {i, m};
  return best;
}

// Four points that span as much as possible, and how many dimensions they fill.
struct Simplex {
  HullKind kind = HullKind::none;
  std::array<std::uint32_t, 4> corners{};
};

Simplex find_simplex(const HullPoints& points, double tolerance) {
  Simplex s;
  if (points.size() == 0) return s;
  const auto square = [](const Vec3<double>& v) { return dot(v, v); };
  s.corners[0] = farthest(points, [&](const HullPoint& p) { return square(p - points[0]); }).first;
  const auto& a = points[s.corners[0]];
  const auto second = farthest(points, [&](const auto& p) { return square(p - a); });
  s.corners[1] = second.first;
  s.kind = HullKind::point;
  if (std::sqrt(second.second) <= tolerance) return s;
  const auto along = (1 / std::sqrt(second.second)) * (points[s.corners[1]] - a);
  const auto third = farthest(points, [&](const auto& p) { return square(cross(along, p - a)); });
  s.corners[2] = third.first;
  s.kind = HullKind::line;
  if (std::sqrt(third.second) <= tolerance) return s;
  const HullPlane plane(points, s.corners[0], s.corners[1], s.corners[2]);
  const auto fourth = farthest(points, [&](const auto& p) { return std::abs(plane.distance(p)); });
  s.corners[3] = fourth.first;
  s.kind = fourth.second <= tolerance ? HullKind::flat : HullKind::solid;
  return s;
}

// The corners of the hull of points in a plane, counterclockwise as seen from above it, found in the
// projection along the axis nearest to the normal.
std::vector<std::uint32_t> polygon_of(const HullPoints& points, const Vec3<double>& normal, double tolerance) {
  const double nx = std::abs(normal.x), ny = std::abs(normal.y), nz = std::abs(normal.z);
  const auto flat = [&](std::uint32_t i) {
    const auto p = points[i] - HullPoint{0, 0, 0};
    if (nz >= nx && nz >= ny) return normal.z > 0 ? std::array{p.x, p.y} : std::array{p.y, p.x};
    if (nx >= ny) return normal.x > 0 ? std::array{p.y, p.z} : std::array{p.z, p.y};
    return normal.y > 0 ? std::array{p.z, p.x} : std::array{p.x, p.z};
  };
  std::vector<std::uint32_t> order(points.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](auto i, auto j) { return flat(i) < flat(j); });
  const auto turns_left = [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
    const auto a = flat(i), b = flat(j), c = flat(k);
    const double u = b[0] - a[0], v = b[1] - a[1], area = u * (c[1] - a[1]) - v * (c[0] - a[0]);
    return area > tolerance * std::hypot(c[0] - a[0], c[1] - a[1]);
  };
  std::vector<std::uint32_t> polygon;
  monotone_chain(order, turns_left, polygon);
  return polygon;
}

ConvexHull flat_hull(const HullPoints& points, const Simplex& simplex, double tolerance) {
  ConvexHull hull;
  hull.kind = HullKind::flat;
  const HullPlane plane(points, simplex.corners[0], simplex.corners[1], simplex.corners[2]);
  hull.points = polygon_of(points, plane.normal(), tolerance);
  for (std::uint32_t i = 1; i + 1 < hull.points.size(); ++i) {
    hull.mesh.triangles.push_back({0, i, i + 1});
    hull.mesh.triangles.push_back({0, i + 1, i});
  }
  return hull;
}

// Whether the triangles around a vertex lie in two planes, or one: then it is no corner, but a point of an edge or a
// face. (The point farthest above a face may be one, if others are as far.)
class Corners {
 public:
  Corners(const HullPoints& points, const std::vector<Triangle>& triangles, double tolerance)
      : points_(points), triangles_(triangles), tolerance_(tolerance), vertices_(points.size()) {
    normals_.reserve(triangles.size());
    for (const auto& t : triangles) normals_.push_back(HullPlane(points, t[0], t[1], t[2]).normal());
    for (std::uint32_t i = 0; i < triangles.size(); ++i)
      for (const auto corner : triangles[i]) add(vertices_[corner], i);
  }
  bool contain(std::uint32_t point) const { return vertices_[point].planes > 2; }

 private:
  struct Vertex {
    std::array<std::uint32_t, 2> triangles{};  // of the first two planes
    std::uint32_t planes = 0;
  };
  bool is_in_plane_of(std::uint32_t known, const Triangle& t) const {
    const auto& origin = points_[triangles_[known][0]];
    return std::ranges::all_of(
        t, [&](auto corner) { return std::abs(dot(normals_[known], points_[corner] - origin)) <= tolerance_; });
  }
  void add(Vertex& vertex, std::uint32_t triangle) {
    if (vertex.planes > 2) return;
    for (std::size_t i = 0; i < vertex.planes; ++i)
      if (is_in_plane_of(vertex.triangles[i], triangles_[triangle])) return;
    if (vertex.planes < 2) vertex.triangles[vertex.planes] = triangle;
    ++vertex.planes;
  }

  const HullPoints& points_;
  const std::vector<Triangle>& triangles_;
  double tolerance_;
  std::vector<Vertex> vertices_;
  std::vector<Vec3<double>> normals_;
};

// The hull with the vertices that it has, numbered anew.
ConvexHull numbered(const HullPoints& points, const std::vector<Triangle>& triangles) {
  ConvexHull hull;
  hull.kind = HullKind::solid;
  std::vector<std::uint32_t> new_index(points.size(), not_used);
  for (const auto& t : triangles)
    for (const auto corner : t) new_index[corner] = 0;
  for (std::uint32_t i = 0; i < points.size(); ++i)
    if (new_index[i] != not_used) new_index[i] = std::uint32_t(hull.points.size()), hull.points.push_back(i);
  for (const auto& t : triangles) hull.mesh.triangles.push_back({new_index[t[0]], new_index[t[1]], new_index[t[2]]});
  return hull;
}

ConvexHull solid_hull(const HullPoints& points, const Simplex& simplex, double tolerance, std::size_t max_vertices) {
  Quickhull quickhull(points, simplex.corners, tolerance);
  for (std::size_t vertices = 4; max_vertices == 0 || vertices < max_vertices; ++vertices)
    if (!quickhull.grow()) break;
  const auto triangles = quickhull.triangles();
  auto hull = numbered(points, triangles);
  hull.max_error = quickhull.max_distance() * points.cell();
  const Corners all(points, triangles, tolerance);
  std::vector<std::uint32_t> corners;
  for (const auto i : hull.points)
    if (all.contain(i)) corners.push_back(i);
  if (corners.size() == hull.points.size() || hull.max_error > 0) return hull;
  const auto of_corners = points.subset(corners);
  const auto again = find_simplex(of_corners, tolerance);
  if (again.kind != HullKind::solid) return hull;
  Quickhull without(of_corners, again.corners, tolerance);
  while (without.grow()) {
  }
  hull = numbered(of_corners, without.triangles());
  for (auto& index : hull.points) index = corners[index];
  return hull;
}

}  // namespace

const char* to_string(HullKind kind) {
  constexpr std::array names{"none", "point", "line", "flat", "solid"};
  return names[std::size_t(kind)];
}

ConvexHull convex_hull(std::span<const Vec3<double>> points, const HullOptions& options) {
  const HullPoints grid(points);
  const double tolerance = std::max(options.tolerance, 1e-14) * grid.extent();
  const auto simplex = find_simplex(grid, tolerance);
  ConvexHull hull;
  if (simplex.kind == HullKind::flat) {
    hull = flat_hull(grid, simplex, tolerance);
  } else if (simplex.kind == HullKind::solid) {
    const std::size_t max_vertices = options.max_vertices == 0 ? 0 : std::max<std::size_t>(options.max_vertices, 4);
    hull = solid_hull(grid, simplex, tolerance, max_vertices);
  } else {
    hull.kind = simplex.kind;
    if (simplex.kind != HullKind::none) hull.points.push_back(simplex.corners[0]);
    if (simplex.kind == HullKind::line) hull.points.push_back(simplex.corners[1]);
  }
  for (const auto i : hull.points) hull.mesh.vertices.push_back(points[i]);
  return hull;
}

ConvexHull convex_hull(const TriangleMesh& mesh, const HullOptions& options) {
  return convex_hull(mesh.vertices, options);
}

}  // namespace lissom::mesh
