#pragma once
// Spatial force on a body, or its momentum: moment about its origin and resultant, in its frame.
#include "lissom/spatial/motion.h"

namespace lissom {

template <class T>
struct Force {
  Vec3<T> angular, linear;  ///< moment about the origin, resultant
  LISSOM_INLINE Force& operator+=(const Force& b) {
    angular += b.angular;
    linear += b.linear;
    return *this;
  }
  LISSOM_INLINE Force& operator-=(const Force& b) {
    angular -= b.angular;
    linear -= b.linear;
    return *this;
  }
};

template <class T>
LISSOM_INLINE Force<T> operator+(const Force<T>& a, const Force<T>& b) {
  return {a.angular + b.angular, a.linear + b.linear};
}
template <class T>
LISSOM_INLINE Force<T> operator-(const Force<T>& a, const Force<T>& b) {
  return {a.angular - b.angular, a.linear - b.linear};
}
template <class T>
LISSOM_INLINE Force<T> operator*(const Force<T>& f, T s) {
  return {s * f.angular, s * f.linear};
}
/// The power of a force on a motion
template <class A, class B>
LISSOM_INLINE auto dot(const Force<A>& f, const Motion<B>& m) {
  return dot(f.angular, m.angular) + dot(f.linear, m.linear);
}
template <class A, class B>
LISSOM_INLINE auto dot(const Motion<A>& m, const Force<B>& f) {
  return dot(m.angular, f.angular) + dot(m.linear, f.linear);
}
/// v ×* f: the rate of change of a force that moves with velocity v
template <class T>
LISSOM_INLINE Force<T> cross(const Motion<T>& v, const Force<T>& f) {
  return {plus_cross(cross(v.angular, f.angular), v.linear, f.linear), cross(v.angular, f.linear)};
}
template <class T>
LISSOM_INLINE Force<T> zero_force() {
  return {zero_vec3<T>(), zero_vec3<T>()};
}

}  // namespace lissom
