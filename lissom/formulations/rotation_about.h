#pragma once
// The rotation matrix of an angle about a unit axis, for any scalar type.
#include "lissom/math/mat3.h"
#include "lissom/math/sincos.h"

namespace lissom::formulations {

template <class T>
Mat3<T> rotation_about(const Vec3<double>& a, const T& angle) {
  const auto s = sincos(angle);
  const T c1 = one<T>() - s.cos;
  return {s.cos + c1 * (a.x * a.x),       c1 * (a.x * a.y) - s.sin * a.z, c1 * (a.x * a.z) + s.sin * a.y,
          c1 * (a.x * a.y) + s.sin * a.z, s.cos + c1 * (a.y * a.y),       c1 * (a.y * a.z) - s.sin * a.x,
          c1 * (a.x * a.z) - s.sin * a.y, c1 * (a.y * a.z) + s.sin * a.x, s.cos + c1 * (a.z * a.z)};
}

}  // namespace lissom::formulations
