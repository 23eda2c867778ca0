// Faces of convex bodies.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/geometry/contact_polygon.h"
#include "lissom/geometry/vectors.h"
#include "lissom/limbs/touch.h"
#include "lissom/mesh/convex_hull.h"
#include "lissom/model/axes.h"

namespace lissom::limbs {

namespace {

constexpr double primitive_tolerance = 2e-3, mesh_tolerance = 4e-3;  // m: how uneven a face may be
constexpr double steepest = .7;  // cosine of the angle between a face's normal and straight down
constexpr std::size_t max_corners = 8;

// Axes with z along n, and x as near to `forward` as it can be.
Mat3<double> axes(const Vec3<double>& z, const Vec3<double>& forward) {
  auto x = forward - dot(forward, z) * z;
  if (collision::norm(x) < .1)
    x = std::abs(z.x) < .7 ? Vec3<double>(1, 0, 0) : Vec3<double>(0, 1, 0), x = x - dot(x, z) * z;
  x = unit(x);
  return transpose(from_rows(x, cross(z, x), z));
}

double doubled_area(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}
double polygon_area(const std::vector<Vec3<double>>& p) {
  double sum = 0;
  for (std::size_t i = 2; i < p.size(); ++i) sum += doubled_area(p[0], p[i - 1], p[i]) / 2;
  return sum;
}

// Leaves out corners whose loss costs the least area.
void simplify(std::vector<Vec3<double>>& p) {
  while (p.size() > 4) {
    const auto n = p.size();
    std::size_t least = 0;
    double loss = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n; ++i)
      if (const double a = doubled_area(p[(i + n - 1) % n], p[i], p[(i + 1) % n]) / 2; a < loss) loss = a, least = i;
    if (n <= max_corners && loss > .01 * polygon_area(p)) return;
    p.erase(p.begin() + std::ptrdiff_t(least));
  }
}

Vec3<double> centroid(const std::vector<Vec3<double>>& p) {
  Vec3<double> sum(0, 0, 0);
  double area = 0;
  for (std::size_t i = 2; i < p.size(); ++i) {
    const double a = doubled_area(p[0], p[i - 1], p[i]) / 2;
    sum += (a / 3) * (p[0] + p[i - 1] + p[i]);
    area += a;
  }
  return (1 / area) * sum;
}

}  // namespace

Face face_along(const std::vector<Core>& cores, const Vec3<double>& normal, double tolerance) {
  Face face{.normal = normal, .height = -std::numeric_limits<double>::infinity()};
  for (const auto& c : cores) face.height = std::max(face.height, dot(normal, c.at) + c.radius);
  const auto R = axes(normal, {1, 0, 0});
  std::vector<Vec3<double>> in_plane;
  for (const auto& c : cores)
    if (dot(normal, c.at) + c.radius >= face.height - tolerance) {
      const auto p = transpose_times(R, c.at);
      in_plane.push_back({p.x, p.y, 0});
    }
  const auto corners = convex_hull(std::move(in_plane));
  for (const auto& p : corners) face.corners.push_back(R * Vec3<double>(p.x, p.y, face.height));
  face.area = corners.size() < 3 ? 0 : polygon_area(corners);
  return face;
}

Face lowest_face(const BodyShape& shape, const Vec3<double>& down) {
  std::vector<Vec3<double>> normals = {down}, lowest;
  for (const auto& core : shape.cores) lowest.push_back(core.at + core.radius * down);
  for (const auto& axis : {Vec3<double>(1, 0, 0), Vec3<double>(0, 1, 0), Vec3<double>(0, 0, 1)})
    normals.insert(normals.end(), {axis, -axis});
  const auto hull = mesh::convex_hull(lowest);
  for (const auto& t : hull.mesh.triangles) {
    const auto &a = hull.mesh.vertices[t[0]], &b = hull.mesh.vertices[t[1]], &c = hull.mesh.vertices[t[2]];
    if (const auto n = cross(b - a, c - a); collision::norm(n) > 1e-9) normals.push_back(unit(n));
  }
  Face best;
  double best_score = 0;
  for (const auto& n : normals) {
    const double along = dot(n, down);
    if (along < steepest) continue;
    auto face = face_along(shape.cores, n, shape.has_mesh ? mesh_tolerance : primitive_tolerance);
    if (const double score = face.area * along * along; score > best_score * (1 + 1e-9))
      best_score = score, best = std::move(face);
  }
  return best;
}

Touch surface(const Face& face, const Vec3<double>& forward) {
  Touch touch{.kind = ContactKind::surface};
  const auto R = axes(-face.normal, forward);
  std::vector<Vec3<double>> corners;
  for (const auto& p : face.corners) corners.push_back(transpose_times(R, p));
  auto polygon = convex_hull(corners);
  simplify(polygon);
  const auto middle = centroid(polygon);
  touch.frame = {R, R * Vec3<double>(middle.x, middle.y, -face.height)};
  for (const auto& p : polygon) touch.points.push_back({p.x - middle.x, p.y - middle.y, 0});
  return touch;
}

}  // namespace lissom::limbs
