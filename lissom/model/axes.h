#pragma once
// Rotations that align a frame with an axis, shared by the builder and by those who check it.
#include <cmath>

#include "lissom/math/mat3.h"

namespace lissom {

inline Vec3<double> unit(const Vec3<double>& v) {
  return (1 / std::sqrt(dot(v, v))) * v;
}

// The smallest rotation that takes z to n; near -z, a rotation by π about x comes first. Its first two columns are the
// x and y axes of a planar joint.
inline Mat3<double> rotation_from_z_to(Vec3<double> n) {
  if (n.z < -0.5) {
    const auto R = rotation_from_z_to({n.x, -n.y, -n.z});
    const Mat3<double> rotation_by_pi{1, 0, 0, 0, -1, 0, 0, 0, -1};
    return rotation_by_pi * R;
  }
  const double f = 1 / (1 + n.z);
  return {1 - f * n.x * n.x, -f * n.x * n.y, n.x, -f * n.x * n.y, 1 - f * n.y * n.y, n.y, -n.x, -n.y, n.z};
}

// R_z(yaw) R_y(pitch) R_x(roll): rotations about fixed axes, as in URDF.
inline Mat3<double> rotation_rpy(double roll, double pitch, double yaw) {
  const double cr = std::cos(roll), sr = std::sin(roll), cp = std::cos(pitch), sp = std::sin(pitch), cy = std::cos(yaw),
               sy = std::sin(yaw);
  return {cy * cp,
          cy * sp * sr - sy * cr,
          cy * sp * cr + sy * sr,  //
          sy * cp,
          sy * sp * sr + cy * cr,
          sy * sp * cr - cy * sr,  //
          -sp,
          cp * sr,
          cp * cr};
}

}  // namespace lissom
