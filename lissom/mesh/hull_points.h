#pragma once
// Points on a grid of integers, on which hulls are decided exactly. Not installed.
//
// The largest extent of the points has 2^38 cells, so coordinates are wrong by at most 2·10^-12 of it. Normals of
// triangles and determinants fit into integers of 128 bits; so it is always known on which side of a plane a point
// lies, and no hull becomes inconsistent by rounding, however thin its triangles are.
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "lissom/math/vec3.h"

namespace lissom::mesh {

using Wide = __int128;

class HullPoints {
 public:
  explicit HullPoints(std::span<const Vec3<double>> points);

  std::size_t size() const { return cells_.size(); }
  // Integers, as numbers of type double.
  const Vec3<double>& operator[](std::uint32_t i) const { return cells_[i]; }
  double cell() const { return cell_; }  // its size in the unit of the points

 private:
  std::vector<Vec3<double>> cells_;
  double cell_ = 1;
};

// The plane of three points, counterclockwise as seen from above.
class HullPlane {
 public:
  HullPlane() = default;
  HullPlane(const HullPoints& points, std::uint32_t a, std::uint32_t b, std::uint32_t c);

  // In cells, positive above; wrong by less than 0.001.
  double distance(const Vec3<double>& p) const { return dot(normal_, p - origin_); }
  // Exactly whether a point lies above.
  bool sees(const Vec3<double>& p) const {
    const double d = distance(p);
    return std::abs(d) > 0.01 ? d > 0 : exact_side(p) > 0;
  }
  int exact_side(const Vec3<double>& p) const;
  // Of length 1; zero if the points lie on a line.
  const Vec3<double>& normal() const { return normal_; }

 private:
  Vec3<double> origin_{0, 0, 0}, normal_{0, 0, 0};
  Wide x_ = 0, y_ = 0, z_ = 0;  // the exact normal
};

}  // namespace lissom::mesh
