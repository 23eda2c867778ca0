// Divides polygons into triangles: a fan where all corners are convex, otherwise by cutting off ears (Meisters 1975),
// corners whose triangle holds no other corner, in the projection along the polygon's normal.
#include <algorithm>
#include <array>
#include <cmath>

#include "lissom/mesh/reading.h"

namespace lissom::mesh {
namespace {

struct Point {
  double x, y;
};

double area2(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Newell's normal: the sum of the cross products, which is that of the plane nearest to the corners.
Vec3<double> normal_of(const std::vector<Vec3<double>>& vertices, const std::vector<std::uint32_t>& polygon) {
  Vec3<double> n{0, 0, 0};
  const auto& origin = vertices[polygon[0]];
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    n += cross(vertices[polygon[i]] - origin, vertices[polygon[i + 1]] - origin);
  return n;
}

// Drops the coordinate in which the normal is largest, such that the polygon stays counterclockwise.
std::vector<Point> projected(const std::vector<Vec3<double>>& vertices, const std::vector<std::uint32_t>& polygon) {
  const auto n = normal_of(vertices, polygon);
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  std::vector<Point> points;
  points.reserve(polygon.size());
  for (const auto i : polygon) {
    const auto& p = vertices[i];
    if (z >= x && z >= y)
      points.push_back(n.z >= 0 ? Point{p.x, p.y} : Point{p.y, p.x});
    else if (x >= y)
      points.push_back(n.x >= 0 ? Point{p.y, p.z} : Point{p.z, p.y});
    else
      points.push_back(n.y >= 0 ? Point{p.z, p.x} : Point{p.x, p.z});
  }
  return points;
}

bool all_convex(const std::vector<Point>& p) {
  const std::size_t n = p.size();
  for (std::size_t i = 0; i < n; ++i)
    if (area2(p[i], p[(i + 1) % n], p[(i + 2) % n]) < 0) return false;
  return true;
}

bool is_ear(const std::vector<Point>& p, std::size_t i) {
  const std::size_t n = p.size();
  const auto &a = p[(i + n - 1) % n], &b = p[i], &c = p[(i + 1) % n];
  if (area2(a, b, c) <= 0) return false;
  for (std::size_t k = 2; k + 1 < n; ++k) {
    const auto& q = p[(i + k) % n];
    if (area2(a, b, q) >= 0 && area2(b, c, q) >= 0 && area2(c, a, q) >= 0) {
      const auto same = [&](const Point& r) { return q.x == r.x && q.y == r.y; };
      if (!same(a) && !same(b) && !same(c)) return false;  // corners may touch, as those of a bridge to a hole do
    }
  }
  return true;
}

}  // namespace

bool triangulate(const std::vector<Vec3<double>>& vertices, std::vector<std::uint32_t> polygon,
                 std::vector<Triangle>& triangles, std::int64_t& comparisons_left) {
  auto points = projected(vertices, polygon);
  std::size_t i = 0, failed = 0;
  if (!all_convex(points))
    while (polygon.size() > 3 && failed < polygon.size() && comparisons_left > 0) {
      const std::size_t n = polygon.size();
      comparisons_left -= std::int64_t(n);
      if (!is_ear(points, i)) {
        ++failed;
        i = (i + 1) % n;
        continue;
      }
      triangles.push_back({polygon[(i + n - 1) % n], polygon[i], polygon[(i + 1) % n]});
      polygon.erase(polygon.begin() + std::ptrdiff_t(i));
      points.erase(points.begin() + std::ptrdiff_t(i));
      failed = 0;
      i %= polygon.size();
    }
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k) triangles.push_back({polygon[0], polygon[k], polygon[k + 1]});
  return comparisons_left > 0;
}

}  // namespace lissom::mesh
