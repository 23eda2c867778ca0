#include "lissom/mesh/hull_points.h"

#include <algorithm>

namespace lissom::mesh {
namespace {

constexpr double cells_of_extent = 0x1p38;

}  // namespace

HullPoints::HullPoints(std::span<const Vec3<double>> points) {
  if (points.empty()) return;
  auto lower = points[0], upper = points[0];
  for (const auto& p : points) {
    lower = {std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z)};
    upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
  }
  const auto size = upper - lower;
  const double extent = std::max({size.x, size.y, size.z});
  cell_ = extent > 0 ? extent / cells_of_extent : 1;
  const auto middle = 0.5 * (lower + upper);
  cells_.reserve(points.size());
  for (const auto& p : points) {
    const auto from_middle = p - middle;
    cells_.push_back({std::round(from_middle.x / cell_), std::round(from_middle.y / cell_),  //
                      std::round(from_middle.z / cell_)});
  }
}

HullPlane::HullPlane(const HullPoints& points, std::uint32_t a, std::uint32_t b, std::uint32_t c) : origin_(points[a]) {
  const auto u = points[b] - points[a], v = points[c] - points[a];
  const auto product = [](double s, double t) { return Wide(std::int64_t(s)) * Wide(std::int64_t(t)); };
  x_ = product(u.y, v.z) - product(u.z, v.y);
  y_ = product(u.z, v.x) - product(u.x, v.z);
  z_ = product(u.x, v.y) - product(u.y, v.x);
  const Vec3<double> n{double(x_), double(y_), double(z_)};
  const double length = std::sqrt(dot(n, n));
  normal_ = length > 0 ? (1 / length) * n : Vec3<double>{0, 0, 0};
}

int HullPlane::exact_side(const Vec3<double>& p) const {
  const auto r = p - origin_;
  const Wide d = x_ * std::int64_t(r.x) + y_ * std::int64_t(r.y) + z_ * std::int64_t(r.z);
  return d > 0 ? 1 : d < 0 ? -1 : 0;
}

}  // namespace lissom::mesh
