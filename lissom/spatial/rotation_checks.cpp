#include "lissom/spatial/rotation_checks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lissom {
namespace {

double determinant(const Mat3<double>& R) {
  return dot(column_x(R), cross(column_y(R), column_z(R)));
}
}  // namespace

double distance_from_orthonormal(const Mat3<double>& R) {
  const auto e = transpose(R) * R;
  double off = 0;
  for (const double x : {e.xx - 1, e.yy - 1, e.zz - 1, e.xy, e.xz, e.yz}) off = std::max(off, std::abs(x));
  return std::isfinite(trace(e)) ? off : std::numeric_limits<double>::infinity();
}

bool is_rotation(const Mat3<double>& R) {
  return distance_from_orthonormal(R) <= 1e-6 && determinant(R) > 0;
}

Mat3<double> orthonormal(const Mat3<double>& R) {
  // Newton's iteration for the polar factor, R ← ½ (R + R⁻ᵀ); R⁻ᵀ has the cross products of R's columns.
  Mat3<double> m = R;
  for (int k = 0; k < 20 && distance_from_orthonormal(m) > 1e-15; ++k) {
    const double s = 0.5 / determinant(m);
    const auto x = 0.5 * column_x(m) + s * cross(column_y(m), column_z(m));
    const auto y = 0.5 * column_y(m) + s * cross(column_z(m), column_x(m));
    const auto z = 0.5 * column_z(m) + s * cross(column_x(m), column_y(m));
    m = transpose(from_rows(x, y, z));
  }
  return m;
}

Quaternion<double> quaternion_of(const Mat3<double>& R) {
  // These are four times the squares of w, x, y, z; the formula divides by the largest, so that nothing cancels.
  const double squares[] = {1 + R.xx + R.yy + R.zz, 1 + R.xx - R.yy - R.zz, 1 - R.xx + R.yy - R.zz,
                            1 - R.xx - R.yy + R.zz};
  const auto largest = std::max_element(squares, squares + 4) - squares;
  const double twice = std::sqrt(squares[largest]), s = 0.5 / twice;
  Quaternion<double> q{};
  switch (largest) {
    case 0:
      q = {0.5 * twice, s * (R.zy - R.yz), s * (R.xz - R.zx), s * (R.yx - R.xy)};
      break;
    case 1:
      q = {s * (R.zy - R.yz), 0.5 * twice, s * (R.xy + R.yx), s * (R.xz + R.zx)};
      break;
    case 2:
      q = {s * (R.xz - R.zx), s * (R.xy + R.yx), 0.5 * twice, s * (R.yz + R.zy)};
      break;
    default:
      q = {s * (R.yx - R.xy), s * (R.xz + R.zx), s * (R.yz + R.zy), 0.5 * twice};
  }
  q = normalized(q);
  return q.w < 0 ? Quaternion<double>{-q.w, -q.x, -q.y, -q.z} : q;
}

Vec3<double> rotation_vector(const Mat3<double>& R) {
  return logarithm(quaternion_of(R));
}

}  // namespace lissom
