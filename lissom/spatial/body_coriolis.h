#pragma once
// A body's contribution to the Coriolis matrix, the 6×6 matrix B of Echeandia and Wensing, "Numerical Methods to
// Compute the Coriolis Matrix and Christoffel Symbols for Rigid-Body Systems", 2021. It is to the Coriolis matrix what
// the inertia is to the mass matrix. A mass point has the velocity ẋ = J v, J = (-x×, 1), and
//   B = Σ m Jᵀ J̇ = ( tr(N) 1 - N   0 )
//                  (     -p×       0 )          (angular part first)
// with the linear momentum p = Σ m ẋ and the matrix N = Σ m ẋ xᵀ. So twelve elements are stored instead of B, and are
// transformed and summed from child to parent like an inertia.
#include "lissom/spatial/rigid_inertia.h"

namespace lissom {

template <class T>
struct BodyCoriolis {
  Vec3<T> p;  ///< Σ m ẋ
  Mat3<T> N;  ///< Σ m ẋ xᵀ
  LISSOM_INLINE BodyCoriolis& operator+=(const BodyCoriolis& b) {
    p += b.p;
    N += b.N;
    return *this;
  }
};

template <class T>
LISSOM_INLINE BodyCoriolis<T> operator+(const BodyCoriolis<T>& a, const BodyCoriolis<T>& b) {
  return {a.p + b.p, a.N + b.N};
}
/// B of a rigid body with velocity v, about its origin, where ẋ = v + ω × x.
template <class S, class T>
LISSOM_INLINE BodyCoriolis<T> body_coriolis(const RigidInertia<S>& b, const Motion<T>& v) {
  const auto J = second_moment(b.I);  // Σ m x xᵀ
  const auto turning =
      transpose(from_rows(cross(v.angular, row_x(J)), cross(v.angular, row_y(J)), cross(v.angular, row_z(J))));  // ω× J
  return {b.mass * v.linear + cross(v.angular, b.h), outer(v.linear, b.h) + turning};
}
/// The same about another origin; r is the position of the old origin relative to the new one.
template <class T, class R>
LISSOM_INLINE BodyCoriolis<T> shifted(const BodyCoriolis<T>& m, const Vec3<R>& r) {
  return {m.p, m.N + outer(m.p, r)};
}
/// B s
template <class T, class S>
LISSOM_INLINE Force<T> operator*(const BodyCoriolis<T>& m, const Motion<S>& s) {
  return {trace(m.N) * s.angular - m.N * s.angular, cross(s.angular, m.p)};
}
/// Bᵀ s
template <class T, class S>
LISSOM_INLINE Force<T> transpose_times(const BodyCoriolis<T>& m, const Motion<S>& s) {
  return {plus_cross(trace(m.N) * s.angular - transpose_times(m.N, s.angular), m.p, s.linear), zero_vec3<T>()};
}

}  // namespace lissom
