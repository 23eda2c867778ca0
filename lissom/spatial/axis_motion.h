#pragma once
// Motions that have one component by their type: rotation about (Turn) or translation along (Slide) a coordinate axis.
// AxisTurn<A>{} is the motion subspace S of a revolute joint (RBDA table 4.1); S * rate is its velocity. Adding it,
// taking a cross product with it and projecting a force on it cost as much as one component does.
#include <type_traits>

#include "lissom/spatial/axis.h"
#include "lissom/spatial/force.h"

namespace lissom {

template <Axis A>
struct AxisTurn {};  // S = (e_A, 0)
template <Axis A>
struct AxisSlide {};  // S = (0, e_A)
template <Axis A, class T>
struct Turn {
  T rate;
};
template <Axis A, class T>
struct Slide {
  T rate;
};
/// The result of v × (turn about A), which has no component along A. The letters are cycled so that A is z.
template <Axis A, class T>
struct Sideways {
  T angular_x, angular_y, linear_x, linear_y;
};

template <Axis A, class T>
  requires(!std::is_same_v<T, Nothing>)
LISSOM_INLINE Turn<A, T> operator*(AxisTurn<A>, T rate) {
  return {rate};
}
template <Axis A, class T>
  requires(!std::is_same_v<T, Nothing>)
LISSOM_INLINE Slide<A, T> operator*(AxisSlide<A>, T rate) {
  return {rate};
}

template <Axis A, class T>
LISSOM_INLINE Vec3<T> add_along(const Vec3<T>& v, T s) {
  const auto u = as_z<A>(v);
  return from_z<A>(Vec3(u.x, u.y, u.z + s));
}
template <Axis A, class T>
LISSOM_INLINE Motion<T> operator+(const Motion<T>& m, const Turn<A, T>& s) {
  return {add_along<A>(m.angular, s.rate), m.linear};
}
template <Axis A, class T>
LISSOM_INLINE Motion<T> operator+(const Motion<T>& m, const Slide<A, T>& s) {
  return {m.angular, add_along<A>(m.linear, s.rate)};
}

template <Axis A, class T>
LISSOM_INLINE Sideways<A, T> cross(const Motion<T>& v, const Turn<A, T>& s) {
  const auto w = as_z<A>(v.angular), u = as_z<A>(v.linear);
  return {w.y * s.rate, -(w.x * s.rate), u.y * s.rate, -(u.x * s.rate)};
}
template <Axis A, class T>
LISSOM_INLINE Motion<T> cross(const Motion<T>& v, const Slide<A, T>& s) {
  const auto w = as_z<A>(v.angular);
  return {zero_vec3<T>(), from_z<A>(Vec3(w.y * s.rate, -(w.x * s.rate), zero<T>()))};
}
template <Axis A, class T>
LISSOM_INLINE Motion<T> operator+(const Motion<T>& m, const Sideways<A, T>& s) {
  const auto w = as_z<A>(m.angular), u = as_z<A>(m.linear);
  return {from_z<A>(Vec3(w.x + s.angular_x, w.y + s.angular_y, w.z)),
          from_z<A>(Vec3(u.x + s.linear_x, u.y + s.linear_y, u.z))};
}

/// The same motions with all components, and v × S: the rate of change of an axis that moves with velocity v.
template <class T, Axis A>
LISSOM_INLINE Motion<T> as_motion(AxisTurn<A>) {
  return {from_z<A>(Vec3<T>(zero<T>(), zero<T>(), one<T>())), zero_vec3<T>()};
}
template <class T, Axis A>
LISSOM_INLINE Motion<T> as_motion(AxisSlide<A>) {
  return {zero_vec3<T>(), from_z<A>(Vec3<T>(zero<T>(), zero<T>(), one<T>()))};
}
template <class T, class S>
LISSOM_INLINE Motion<T> as_motion(const Motion<S>& m) {
  return {cast<T>(m.angular), cast<T>(m.linear)};
}
template <Axis A, class T>
LISSOM_INLINE Motion<T> cross(const Motion<T>& v, AxisTurn<A>) {
  const auto w = as_z<A>(v.angular), u = as_z<A>(v.linear);
  return {from_z<A>(Vec3<T>(w.y, -w.x, zero<T>())), from_z<A>(Vec3<T>(u.y, -u.x, zero<T>()))};
}
template <Axis A, class T>
LISSOM_INLINE Motion<T> cross(const Motion<T>& v, AxisSlide<A>) {
  const auto w = as_z<A>(v.angular);
  return {zero_vec3<T>(), from_z<A>(Vec3<T>(w.y, -w.x, zero<T>()))};
}

/// Sᵀ f
template <Axis A, class T>
LISSOM_INLINE T dot(AxisTurn<A>, const Force<T>& f) {
  return along<A>(f.angular);
}
template <Axis A, class T>
LISSOM_INLINE T dot(AxisSlide<A>, const Force<T>& f) {
  return along<A>(f.linear);
}

}  // namespace lissom
