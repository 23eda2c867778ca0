#pragma once
// Points on a grid of integers, on which hulls are decided exactly. Not installed.
//
// The largest extent of the points has 2^57 to 2^58 cells: coordinates of type double lie on it but for the last bits
// of small ones. Normals of triangles fit into integers of 128 bits, and determinants into two of them; so it is always
// known on which side of a plane a point lies, and no hull becomes inconsistent by rounding, however thin its triangles
// are.
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "lissom/math/vec3.h"

namespace lissom::mesh {

using Wide = __int128;

struct HullPoint {
  std::int64_t x, y, z;
};
// Differences are exact, and rounded only when they become numbers of type double.
inline Vec3<double> operator-(const HullPoint& p, const HullPoint& q) {
  return {double(p.x - q.x), double(p.y - q.y), double(p.z - q.z)};
}

class HullPoints {
 public:
  // None, if a coordinate is not finite, or beyond 1e100.
  explicit HullPoints(std::span<const Vec3<double>> points);

  std::size_t size() const { return cells_.size(); }
  const HullPoint& operator[](std::uint32_t i) const { return cells_[i]; }
  // Some of them, on the same grid.
  HullPoints subset(const std::vector<std::uint32_t>& indices) const;
  double cell() const { return cell_; }      // its size in the unit of the points
  double extent() const { return extent_; }  // the largest, in cells

 private:
  HullPoints() = default;
  std::vector<HullPoint> cells_;
  double cell_ = 1, extent_ = 0;
};

// The plane of three points, counterclockwise as seen from above.
class HullPlane {
 public:
  HullPlane() = default;
  HullPlane(const HullPoints& points, std::uint32_t a, std::uint32_t b, std::uint32_t c);

  // In cells, positive above; wrong by less than `distance_error`.
  double distance(const HullPoint& p) const { return dot(normal_, p - origin_); }
  static constexpr double distance_error = 0x1p10;  // 2^-48 of the largest extent
  // Exactly whether a point lies above.
  bool sees(const HullPoint& p) const {
    const double d = distance(p);
    return std::abs(d) > distance_error ? d > 0 : exact_side(p) > 0;
  }
  int exact_side(const HullPoint& p) const;
  // It has length 1, or is zero if the points lie on a line.
  const Vec3<double>& normal() const { return normal_; }

 private:
  HullPoint origin_{0, 0, 0};
  Vec3<double> normal_{0, 0, 0};
  Wide x_ = 0, y_ = 0, z_ = 0;  // the exact normal
};

}  // namespace lissom::mesh
