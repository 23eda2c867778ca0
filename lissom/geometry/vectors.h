#pragma once
// Small functions of 3-vectors in double, for collision detection. Not for users.
#include <algorithm>
#include <cmath>

#include "lissom/spatial/pose.h"

namespace lissom::collision {

using Vec = Vec3<double>;

inline double squared(const Vec& v) {
  return dot(v, v);
}
inline double norm(const Vec& v) {
  return std::sqrt(dot(v, v));
}
inline double element(const Vec& v, int i) {
  return i == 0 ? v.x : i == 1 ? v.y : v.z;
}
inline void set_element(Vec& v, int i, double value) {
  (i == 0 ? v.x : i == 1 ? v.y : v.z) = value;
}
// The coordinate axis i.
inline Vec axis_vector(int i) {
  return {double(i == 0), double(i == 1), double(i == 2)};
}
inline Vec column(const Mat3<double>& R, int i) {
  return i == 0 ? column_x(R) : i == 1 ? column_y(R) : column_z(R);
}
// v / |v|; `otherwise` if v is too short to have a direction.
inline Vec unit_or(const Vec& v, const Vec& otherwise) {
  const double length = norm(v);
  return length > 1e-150 ? (1 / length) * v : otherwise;
}
// A unit vector perpendicular to v; x if v is zero.
inline Vec perpendicular(const Vec& v) {
  const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
  const Vec least = x <= y && x <= z ? Vec(1, 0, 0) : y <= z ? Vec(0, 1, 0) : Vec(0, 0, 1);
  return unit_or(cross(v, least), {1, 0, 0});
}

}  // namespace lissom::collision
