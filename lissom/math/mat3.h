#pragma once
// 3×3 matrices, elements named by row and column.
#include "lissom/math/vec3.h"

namespace lissom {

template <class T>
struct Mat3 {
  T xx, xy, xz, yx, yy, yz, zx, zy, zz;

  Mat3() = default;
  LISSOM_INLINE Mat3(T a, T b, T c, T d, T e, T f, T g, T h, T i)
      : xx(a), xy(b), xz(c), yx(d), yy(e), yz(f), zx(g), zy(h), zz(i) {}
  /// From an Eigen::Matrix3d, a block, …
  template <EigenMatrixOf<T, 3, 3> E>
  Mat3(const E& expression) {
    const auto& e = expression.eval();
    *this = Mat3(T(e(0, 0)), T(e(0, 1)), T(e(0, 2)), T(e(1, 0)), T(e(1, 1)), T(e(1, 2)), T(e(2, 0)), T(e(2, 1)),
                 T(e(2, 2)));
  }
  // Copies member by member: see Vec3.
  LISSOM_INLINE Mat3(const Mat3& o) : Mat3(o.xx, o.xy, o.xz, o.yx, o.yy, o.yz, o.zx, o.zy, o.zz) {}
  LISSOM_INLINE Mat3& operator=(const Mat3& o) {
    xx = o.xx, xy = o.xy, xz = o.xz;
    yx = o.yx, yy = o.yy, yz = o.yz;
    zx = o.zx, zy = o.zy, zz = o.zz;
    return *this;
  }
  LISSOM_INLINE Mat3& operator+=(const Mat3& b) {
    xx += b.xx, xy += b.xy, xz += b.xz;
    yx += b.yx, yy += b.yy, yz += b.yz;
    zx += b.zx, zy += b.zy, zz += b.zz;
    return *this;
  }
};

template <class T>
LISSOM_INLINE Mat3<T> from_rows(const Vec3<T>& x, const Vec3<T>& y, const Vec3<T>& z) {
  return {x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
}
template <class T>
LISSOM_INLINE Vec3<T> row_x(const Mat3<T>& m) {
  return {m.xx, m.xy, m.xz};
}
template <class T>
LISSOM_INLINE Vec3<T> row_y(const Mat3<T>& m) {
  return {m.yx, m.yy, m.yz};
}
template <class T>
LISSOM_INLINE Vec3<T> row_z(const Mat3<T>& m) {
  return {m.zx, m.zy, m.zz};
}
template <class T>
LISSOM_INLINE Mat3<T> transpose(const Mat3<T>& m) {
  return {m.xx, m.yx, m.zx, m.xy, m.yy, m.zy, m.xz, m.yz, m.zz};
}
template <class A, class B>
LISSOM_INLINE auto operator*(const Mat3<A>& m, const Vec3<B>& v) {
  return Vec3(m.xx * v.x + m.xy * v.y + m.xz * v.z,  //
              m.yx * v.x + m.yy * v.y + m.yz * v.z,  //
              m.zx * v.x + m.zy * v.y + m.zz * v.z);
}
/// mᵀ v without forming the transpose.
template <class A, class B>
LISSOM_INLINE auto transpose_times(const Mat3<A>& m, const Vec3<B>& v) {
  return transpose(m) * v;
}
template <class A, class B>
LISSOM_INLINE auto operator*(const Mat3<A>& m, const Mat3<B>& n) {
  // a row of m n is nᵀ times the row of m
  return from_rows(transpose_times(n, row_x(m)), transpose_times(n, row_y(m)), transpose_times(n, row_z(m)));
}
template <class A, class B>
LISSOM_INLINE auto operator+(const Mat3<A>& a, const Mat3<B>& b) {
  return Mat3(a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yx + b.yx, a.yy + b.yy, a.yz + b.yz, a.zx + b.zx, a.zy + b.zy,
              a.zz + b.zz);
}
/// u vᵀ
template <class A, class B>
LISSOM_INLINE auto outer(const Vec3<A>& u, const Vec3<B>& v) {
  return Mat3(u.x * v.x, u.x * v.y, u.x * v.z, u.y * v.x, u.y * v.y, u.y * v.z, u.z * v.x, u.z * v.y, u.z * v.z);
}
template <class T>
LISSOM_INLINE Vec3<T> column_x(const Mat3<T>& m) {
  return {m.xx, m.yx, m.zx};
}
template <class T>
LISSOM_INLINE Vec3<T> column_y(const Mat3<T>& m) {
  return {m.xy, m.yy, m.zy};
}
template <class T>
LISSOM_INLINE Vec3<T> column_z(const Mat3<T>& m) {
  return {m.xz, m.yz, m.zz};
}
template <class T>
LISSOM_INLINE T trace(const Mat3<T>& m) {
  return m.xx + m.yy + m.zz;
}
/// The vector u for which m - mᵀ = u×, twice the axial part.
template <class T>
LISSOM_INLINE Vec3<T> axial(const Mat3<T>& m) {
  return {m.zy - m.yz, m.xz - m.zx, m.yx - m.xy};
}
/// v×, the matrix with (v×) u = v × u
template <class T>
LISSOM_INLINE Mat3<T> skew(const Vec3<T>& v) {
  return {zero<T>(), -v.z, v.y, v.z, zero<T>(), -v.x, -v.y, v.x, zero<T>()};
}
template <class T>
LISSOM_INLINE Mat3<T> identity3() {
  const T o = zero<T>(), i = one<T>();
  return {i, o, o, o, i, o, o, o, i};
}
template <class T, class S>
LISSOM_INLINE Mat3<T> cast(const Mat3<S>& m) {
  return {T(m.xx), T(m.xy), T(m.xz), T(m.yx), T(m.yy), T(m.yz), T(m.zx), T(m.zy), T(m.zz)};
}

}  // namespace lissom
