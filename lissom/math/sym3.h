#pragma once
// Symmetric 3×3 matrices, stored as six elements.
#include "lissom/math/mat3.h"

namespace lissom {

template <class T>
struct Sym3 {
  T xx, xy, xz, yy, yz, zz;

  Sym3() = default;
  LISSOM_INLINE Sym3(T a, T b, T c, T d, T e, T f) : xx(a), xy(b), xz(c), yy(d), yz(e), zz(f) {}
  /// From the upper triangle of an Eigen::Matrix3d, which is taken to be symmetric.
  template <EigenMatrixOf<T, 3, 3> E>
  explicit Sym3(const E& expression) {
    const auto& e = expression.eval();
    *this = Sym3(T(e(0, 0)), T(e(0, 1)), T(e(0, 2)), T(e(1, 1)), T(e(1, 2)), T(e(2, 2)));
  }
  // Copies member by member: see Vec3.
  LISSOM_INLINE Sym3(const Sym3& o) : Sym3(o.xx, o.xy, o.xz, o.yy, o.yz, o.zz) {}
  LISSOM_INLINE Sym3& operator=(const Sym3& o) {
    xx = o.xx, xy = o.xy, xz = o.xz, yy = o.yy, yz = o.yz, zz = o.zz;
    return *this;
  }
  LISSOM_INLINE Sym3& operator+=(const Sym3& b) {
    xx += b.xx, xy += b.xy, xz += b.xz, yy += b.yy, yz += b.yz, zz += b.zz;
    return *this;
  }
};

template <class A, class B>
LISSOM_INLINE auto operator+(const Sym3<A>& a, const Sym3<B>& b) {
  return Sym3(a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz);
}
template <class A, class B>
LISSOM_INLINE auto operator-(const Sym3<A>& a, const Sym3<B>& b) {
  return Sym3(a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yy - b.yy, a.yz - b.yz, a.zz - b.zz);
}
template <class A, class B>
LISSOM_INLINE auto operator*(const Sym3<A>& m, const Vec3<B>& v) {
  return Vec3(m.xx * v.x + m.xy * v.y + m.xz * v.z,  //
              m.xy * v.x + m.yy * v.y + m.yz * v.z,  //
              m.xz * v.x + m.yz * v.y + m.zz * v.z);
}
template <class T>
LISSOM_INLINE Vec3<T> row_x(const Sym3<T>& m) {
  return {m.xx, m.xy, m.xz};
}
template <class T>
LISSOM_INLINE Vec3<T> row_y(const Sym3<T>& m) {
  return {m.xy, m.yy, m.yz};
}
template <class T>
LISSOM_INLINE Vec3<T> row_z(const Sym3<T>& m) {
  return {m.xz, m.yz, m.zz};
}
template <class A, class B>
LISSOM_INLINE auto operator*(const Mat3<A>& m, const Sym3<B>& s) {
  return from_rows(s * row_x(m), s * row_y(m), s * row_z(m));
}
template <class T>
LISSOM_INLINE Mat3<T> full(const Sym3<T>& m) {
  return {m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz};
}
/// The product a bᵀ where it is known to be symmetric.
template <class A, class B>
LISSOM_INLINE auto symmetric_product(const Mat3<A>& a, const Mat3<B>& b) {
  return Sym3(dot(row_x(a), row_x(b)), dot(row_x(a), row_y(b)), dot(row_x(a), row_z(b)), dot(row_y(a), row_y(b)),
              dot(row_y(a), row_z(b)), dot(row_z(a), row_z(b)));
}
/// u wᵀ where it is known to be symmetric
template <class A, class B>
LISSOM_INLINE auto symmetric_outer(const Vec3<A>& u, const Vec3<B>& w) {
  return Sym3(u.x * w.x, u.x * w.y, u.x * w.z, u.y * w.y, u.y * w.z, u.z * w.z);
}
/// E s Eᵀ
template <class A, class B>
LISSOM_INLINE auto congruence(const Mat3<A>& E, const Sym3<B>& s) {
  return symmetric_product(E, from_rows(s * row_x(E), s * row_y(E), s * row_z(E)));
}
template <class T>
LISSOM_INLINE Sym3<T> inverse(const Sym3<T>& m) {
  // first row of the adjugate
  const T a = m.yy * m.zz - m.yz * m.yz, b = m.xz * m.yz - m.xy * m.zz, c = m.xy * m.yz - m.xz * m.yy;
  const T d = inverse(m.xx * a + m.xy * b + m.xz * c);
  return {a * d,
          b * d,
          c * d,
          (m.xx * m.zz - m.xz * m.xz) * d,
          (m.xy * m.xz - m.xx * m.yz) * d,
          (m.xx * m.yy - m.xy * m.xy) * d};
}
template <class T, class S>
LISSOM_INLINE Sym3<T> cast(const Sym3<S>& m) {
  return {T(m.xx), T(m.xy), T(m.xz), T(m.yy), T(m.yz), T(m.zz)};
}

}  // namespace lissom
