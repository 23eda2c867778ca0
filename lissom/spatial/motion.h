#pragma once
// Spatial velocity or acceleration of a body, at its origin and in its frame (Featherstone, RBDA chapter 2). Motions
// and forces are dual spaces: the types keep them apart, and only dot(force, motion), a power, combines them.
#include "lissom/math/sym3.h"

namespace lissom {

template <class T>
struct Motion {
  Vec3<T> angular, linear;
  LISSOM_INLINE Motion& operator+=(const Motion& b) {
    angular += b.angular;
    linear += b.linear;
    return *this;
  }
};

template <class T>
LISSOM_INLINE Motion<T> operator+(const Motion<T>& a, const Motion<T>& b) {
  return {a.angular + b.angular, a.linear + b.linear};
}
template <class T>
LISSOM_INLINE Motion<T> operator-(const Motion<T>& a, const Motion<T>& b) {
  return {a.angular - b.angular, a.linear - b.linear};
}
template <class T>
LISSOM_INLINE Motion<T> operator-(const Motion<T>& a) {
  return {-a.angular, -a.linear};
}
template <class A, class B>
LISSOM_INLINE auto operator*(A s, const Motion<B>& m) {
  return Motion<decltype(s * m.linear.x)>{s * m.angular, s * m.linear};
}
/// v × m: the rate of change of a motion vector that moves with velocity v
template <class T, class M>
LISSOM_INLINE Motion<T> cross(const Motion<T>& v, const Motion<M>& m) {
  return {cross(v.angular, m.angular), plus_cross(cross(v.angular, m.linear), v.linear, m.angular)};
}
template <class T>
LISSOM_INLINE Motion<T> zero_motion() {
  return {zero_vec3<T>(), zero_vec3<T>()};
}
/// Stands for a velocity or acceleration that is known to be zero; its terms are left out at compile time.
struct Nothing {};
template <class T>
LISSOM_INLINE const Motion<T>& operator+(const Motion<T>& m, Nothing) {
  return m;
}
/// S * Nothing is Nothing, for every motion subspace S.
template <class Subspace>
LISSOM_INLINE Nothing operator*(const Subspace&, const Nothing&) {
  return {};
}

/// The upward acceleration of the world by which RBDA accounts for gravity.
template <class T, class S>
LISSOM_INLINE Motion<T> upward(const Vec3<S>& gravity) {
  return {zero_vec3<T>(), cast<T>(-gravity)};
}

}  // namespace lissom
