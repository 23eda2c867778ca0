#include "lissom/mesh/hull_points.h"

#include <algorithm>

namespace lissom::mesh {
namespace {

constexpr int extent_bits = 58;
// Products of coordinates have to stay in the range of double, and so do cells.
constexpr double max_hull_coordinate = 1e100, min_hull_extent = 1e-200;

}  // namespace

HullPoints::HullPoints(std::span<const Vec3<double>> points) {
  if (points.empty()) return;
  auto lower = points[0], upper = points[0];
  for (const auto& p : points) {
    for (const double x : {p.x, p.y, p.z})
      if (!(std::abs(x) <= max_hull_coordinate)) return;
    lower = {std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z)};
    upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
  }
  const auto size = upper - lower;
  const double extent = std::max({size.x, size.y, size.z});
  if (extent < min_hull_extent) {  // as if they were equal
    cells_.assign(points.size(), {0, 0, 0});
    return;
  }
  int exponent = 0;
  std::frexp(extent, &exponent);
  cell_ = std::ldexp(1.0, exponent - extent_bits);
  extent_ = extent / cell_;
  const auto middle = 0.5 * (lower + upper);
  const auto index = [&](double x, double origin) {
    return std::int64_t(std::llround((static_cast<long double>(x) - origin) / cell_));
  };
  cells_.reserve(points.size());
  for (const auto& p : points) cells_.push_back({index(p.x, middle.x), index(p.y, middle.y), index(p.z, middle.z)});
}

HullPoints HullPoints::subset(const std::vector<std::uint32_t>& indices) const {
  HullPoints some;
  some.cell_ = cell_;
  some.extent_ = extent_;
  for (const auto i : indices) some.cells_.push_back(cells_[i]);
  return some;
}

HullPlane::HullPlane(const HullPoints& points, std::uint32_t a, std::uint32_t b, std::uint32_t c) : origin_(points[a]) {
  const auto &o = points[a], &p = points[b], &q = points[c];
  const std::int64_t ux = p.x - o.x, uy = p.y - o.y, uz = p.z - o.z, vx = q.x - o.x, vy = q.y - o.y, vz = q.z - o.z;
  x_ = Wide(uy) * vz - Wide(uz) * vy;
  y_ = Wide(uz) * vx - Wide(ux) * vz;
  z_ = Wide(ux) * vy - Wide(uy) * vx;
  const Vec3<double> n{double(x_), double(y_), double(z_)};
  const double length = std::sqrt(dot(n, n));
  normal_ = length > 0 ? (1 / length) * n : Vec3<double>{0, 0, 0};
}

// The sign of the scalar product of the normal (120 bits) and a difference of points (60 bits). The normal is divided
// into an upper part and 64 lower bits; sums of their products have fewer than 128 bits.
int HullPlane::exact_side(const HullPoint& p) const {
  Wide high = 0, low = 0;
  const auto add = [&](Wide n, std::int64_t d) {
    high += (n >> 64) * d;
    low += Wide(std::uint64_t(n)) * d;
  };
  add(x_, p.x - origin_.x);
  add(y_, p.y - origin_.y);
  add(z_, p.z - origin_.z);
  high += low >> 64;
  if (high != 0) return high > 0 ? 1 : -1;
  return std::uint64_t(low) != 0 ? 1 : 0;
}

}  // namespace lissom::mesh
