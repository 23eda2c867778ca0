#pragma once
// Unit quaternions (w, x, y, z), and the exponential map between rotation vectors and them.
#include "lissom/math/sincos.h"
#include "lissom/spatial/rotation.h"

namespace lissom {

template <class T>
struct Quaternion {
  T w, x, y, z;
};

/// The rotation b followed by the rotation a.
template <class T>
LISSOM_INLINE Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class T>
LISSOM_INLINE Quaternion<T> conjugate(const Quaternion<T>& a) {
  return {a.w, -a.x, -a.y, -a.z};
}
template <class T>
LISSOM_INLINE Quaternion<T> normalized(const Quaternion<T>& a) {
  const T s = inverse(sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z));
  return {a.w * s, a.x * s, a.y * s, a.z * s};
}
template <class T>
LISSOM_INLINE Mat3<T> matrix(const Quaternion<T>& a) {
  return matrix(a.w, a.x, a.y, a.z);
}

template <class T, class Mask>
LISSOM_INLINE Quaternion<T> select(const Mask& m, const Quaternion<T>& a, const Quaternion<T>& b) {
  return {select(m, a.w, b.w), select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
/// The unit quaternion of a rotation matrix; its w may be negative. There are four formulas (Shepperd, 1978), each
/// exact up to a common factor; the one with the largest diagonal entry loses no digits.
template <class T>
LISSOM_INLINE Quaternion<T> quaternion(const Mat3<T>& R) {
  const T o = one<T>();
  const T w = o + R.xx + R.yy + R.zz, x = o + R.xx - R.yy - R.zz, y = o - R.xx + R.yy - R.zz,
          z = o - R.xx - R.yy + R.zz;
  const T wx = R.zy - R.yz, wy = R.xz - R.zx, wz = R.yx - R.xy, xy = R.xy + R.yx, xz = R.xz + R.zx, yz = R.yz + R.zy;
  const auto x_over_w = x > w, z_over_y = z > y;
  const T larger_wx = select(x_over_w, x, w), larger_yz = select(z_over_y, z, y);
  const auto by_wx = select(x_over_w, Quaternion<T>{wx, x, xy, xz}, Quaternion<T>{w, wx, wy, wz});
  const auto by_yz = select(z_over_y, Quaternion<T>{wz, xz, yz, z}, Quaternion<T>{wy, xy, y, yz});
  return normalized(select(larger_yz > larger_wx, by_yz, by_wx));
}

/// Below this squared angle, series to the fourth order are exact to rounding; above, quotients are.
template <class S>
inline constexpr S small_angle_squared = sizeof(S) == 8 ? S(1e-4) : S(1e-2);

/// The rotation by the angle |phi| about the axis phi.
template <class T>
LISSOM_INLINE Quaternion<T> exponential(const Vec3<T>& phi) {
  using S = Number<T>;
  const T aa = dot(phi, phi);
  const auto small = aa < T(small_angle_squared<S>);
  const T angle = sqrt(select(small, one<T>(), aa));  // no division by zero, also in its derivative
  const auto half = sincos(S(0.5) * angle);
  const T series = S(0.5) - aa * (S(1) / 48 - aa * (S(1) / 3840));
  const T k = select(small, series, half.sin / angle);
  const T w = select(small, S(1) - aa * (S(1) / 8 - aa * (S(1) / 384 - aa * (S(1) / 46080))), half.cos);
  return {w, k * phi.x, k * phi.y, k * phi.z};
}

/// The rotation vector of a unit quaternion; its length is at most π.
template <class T>
LISSOM_INLINE Vec3<T> logarithm(const Quaternion<T>& q) {
  using S = Number<T>;
  const T flip = select(q.w < zero<T>(), -one<T>(), one<T>());  // q and -q are the same rotation: take the shorter one
  const T w = flip * q.w;
  const T ss = q.x * q.x + q.y * q.y + q.z * q.z;
  const auto small = ss < T(small_angle_squared<S> * S(0.25));
  const T s = sqrt(select(small, one<T>(), ss));
  const T r = ss / (w * w);
  const T series = (S(2) - r * (S(2) / 3 - r * (S(2) / 5 - r * (S(2) / 7)))) / w;  // 2 atan(s / w) / s
  const T k = flip * select(small, series, S(2) * atan2(s, w) / s);
  return {k * q.x, k * q.y, k * q.z};
}

/// V(phi) u with V = ∫ exp(t phi) dt, the left Jacobian of SO(3): the displacement, in its own initial axes, of a frame
/// that rotates steadily by phi while its origin moves with the body velocity u for unit time.
template <class T>
LISSOM_INLINE Vec3<T> left_jacobian_times(const Vec3<T>& phi, const Vec3<T>& u) {
  using S = Number<T>;
  const T aa = dot(phi, phi);
  const auto small = aa < T(small_angle_squared<S>);
  const T safe = select(small, one<T>(), aa);
  const T angle = sqrt(safe);
  const auto turn = sincos(angle), half = sincos(S(0.5) * angle);
  const T b = select(small, S(0.5) - aa * (S(1) / 24 - aa * (S(1) / 720)), S(2) * half.sin * half.sin / safe);
  const T c = select(small, S(1) / 6 - aa * (S(1) / 120 - aa * (S(1) / 5040)), (angle - turn.sin) / (angle * safe));
  const auto once = cross(phi, u);
  return u + b * once + c * cross(phi, once);
}
/// V(phi)⁻¹ d, the inverse of left_jacobian_times.
template <class T>
LISSOM_INLINE Vec3<T> left_jacobian_solve(const Vec3<T>& phi, const Vec3<T>& d) {
  using S = Number<T>;
  const T aa = dot(phi, phi);
  const auto small = aa < T(small_angle_squared<S>);
  const T safe = select(small, one<T>(), aa);
  const auto half = sincos(S(0.5) * sqrt(safe));
  // (1 - (θ/2) cot(θ/2)) / θ²
  const T quotient = (one<T>() - S(0.5) * sqrt(safe) * half.cos / half.sin) / safe;
  const T c = select(small, S(1) / 12 + aa * (S(1) / 720 + aa * (S(1) / 30240)), quotient);
  const auto once = cross(phi, d);
  return d - S(0.5) * once + c * cross(phi, once);
}

}  // namespace lissom
