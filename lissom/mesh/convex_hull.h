#pragma once
// Convex hulls of points.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lissom/mesh/triangle_mesh.h"

namespace lissom::mesh {

/// How many dimensions the points of a hull fill.
enum class HullKind {
  none,   ///< there are no points, or some that are not finite
  point,  ///< all are equal
  line,   ///< all lie on a line
  flat,   ///< all lie in a plane
  solid,
};
const char* to_string(HullKind kind);

/// The convex hull of points.
struct ConvexHull {
  HullKind kind = HullKind::none;
  /// The vertices of the hull, and for a solid its faces as triangles, oriented outward; faces with more corners are
  /// several triangles. For a flat hull the vertices are the corners of a polygon, in order, and the triangles are both
  /// sides of it; for a line its ends; for a point itself.
  TriangleMesh mesh;
  /// Each vertex's index in the points.
  std::vector<std::uint32_t> points;
  /// The farthest that a point lies outside of the hull; not zero only with max_vertices.
  double max_error = 0;
};

/// How exact a hull is.
struct HullOptions {
  /// Take at most as many points, always the one farthest from the hull so far; 0: all that are needed. At least 4.
  /// As MuJoCo's maxhullvert. The hull is then inside of the full one, by at most ConvexHull::max_error.
  std::size_t max_vertices = 0;
  /// Points that are not farther outside than this are left out, relative to the largest extent of the points. At least
  /// 1e-14.
  double tolerance = 1e-12;
};

/// The convex hull, by quickhull with exact decisions. Where max_vertices does not say otherwise, all points lie below
/// the planes of all triangles to 1e-9 of their extent, triangles thinner than 1e-8 of it excepted, whose planes
/// rounding does not tell. The tips of a flat hull may lose more: up to ten times the tolerance divided by the hull's
/// thickness, as a share of the extent, because a point beyond a tip is close to both planes there. The same points
/// give the same hull. If a coordinate is not finite, or beyond 1e100, there is no hull (HullKind::none); nothing is
/// thrown.
ConvexHull convex_hull(std::span<const Vec3<double>> points, const HullOptions& options = {});
ConvexHull convex_hull(const TriangleMesh& mesh, const HullOptions& options = {});

}  // namespace lissom::mesh
