#pragma once
// 3-vectors. Operands may differ in scalar type: a constant of the model (double) times a state (lanes).
#include <concepts>

#include "lissom/math/scalar.h"

namespace lissom {

/// A matrix or an expression of Eigen, of this size by its type, whose elements are T or become T. The small types are
/// made of them, but math/ and spatial/ do not include Eigen.
template <class E, class T, int rows, int columns>
concept EigenMatrixOf = int(E::RowsAtCompileTime) == rows && int(E::ColsAtCompileTime) == columns &&
                        std::convertible_to<typename E::Scalar, T>;

template <class T>
struct Vec3 {
  T x, y, z;

  Vec3() = default;
  LISSOM_INLINE Vec3(T a, T b, T c) : x(a), y(b), z(c) {}
  /// From an Eigen::Vector3d, a segment, …
  template <EigenMatrixOf<T, 3, 1> E>
  Vec3(const E& expression) {
    const auto& e = expression.eval();
    x = T(e[0]), y = T(e[1]), z = T(e[2]);
  }
  // g++ copies an aggregate of lanes through memory; member by member it stays in registers.
  LISSOM_INLINE Vec3(const Vec3& o) : x(o.x), y(o.y), z(o.z) {}
  LISSOM_INLINE Vec3& operator=(const Vec3& o) {
    x = o.x;
    y = o.y;
    z = o.z;
    return *this;
  }
  LISSOM_INLINE Vec3& operator+=(const Vec3& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
  LISSOM_INLINE Vec3& operator-=(const Vec3& b) {
    x -= b.x;
    y -= b.y;
    z -= b.z;
    return *this;
  }
};

template <class T>
LISSOM_INLINE Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class A, class B>
LISSOM_INLINE auto operator+(const Vec3<A>& a, const Vec3<B>& b) {
  return Vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}
template <class A, class B>
LISSOM_INLINE auto operator-(const Vec3<A>& a, const Vec3<B>& b) {
  return Vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}
template <class A, class B>
LISSOM_INLINE auto operator*(A s, const Vec3<B>& b) {
  return Vec3(s * b.x, s * b.y, s * b.z);
}
template <class A, class B>
LISSOM_INLINE auto dot(const Vec3<A>& a, const Vec3<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class A, class B>
LISSOM_INLINE auto cross(const Vec3<A>& a, const Vec3<B>& b) {
  return Vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/// a + u × v with six fused operations; the sum of the two written out takes nine.
template <class T, class A, class B>
LISSOM_INLINE Vec3<T> plus_cross(const Vec3<T>& a, const Vec3<A>& u, const Vec3<B>& v) {
  return {a.x + u.y * v.z - u.z * v.y, a.y + u.z * v.x - u.x * v.z, a.z + u.x * v.y - u.y * v.x};
}
template <class T>
LISSOM_INLINE Vec3<T> zero_vec3() {
  return {zero<T>(), zero<T>(), zero<T>()};
}
/// The same vector in another scalar type, for example a constant of the model in the type of the state.
template <class T, class S>
LISSOM_INLINE Vec3<T> cast(const Vec3<S>& v) {
  return {T(v.x), T(v.y), T(v.z)};
}

}  // namespace lissom
