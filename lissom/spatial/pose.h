#pragma once
// Pose of one frame in another: rotation and origin. X_WB takes coordinates in B to coordinates in W.
#include "lissom/spatial/rigid_inertia.h"

namespace lissom {

template <class T>
struct Pose {
  Mat3<T> R = identity3<T>();
  Vec3<T> p = zero_vec3<T>();
};

/// X_AC = X_AB X_BC
template <class A, class B>
LISSOM_INLINE auto operator*(const Pose<A>& X_AB, const Pose<B>& X_BC) {
  auto R = X_AB.R * X_BC.R;
  auto p = X_AB.R * X_BC.p + X_AB.p;
  return Pose<decltype(p.x + p.x)>{R, p};
}
template <class T>
LISSOM_INLINE Pose<T> inverse(const Pose<T>& X) {
  return {transpose(X.R), -transpose_times(X.R, X.p)};
}
/// The point with coordinates p in B, in coordinates of A.
template <class A, class B>
LISSOM_INLINE auto operator*(const Pose<A>& X_AB, const Vec3<B>& p) {
  return X_AB.R * p + X_AB.p;
}

/// Expresses a spatial motion or force, given at the origin and along the axes of B, at the origin and along the axes
/// of the world W. This is the adjoint of X_WB for motions, its inverse transpose for forces.
template <class A, class B>
LISSOM_INLINE auto to_world(const Pose<A>& X_WB, const Motion<B>& m) {
  const auto angular = X_WB.R * m.angular;
  return Motion<decltype(angular.x + angular.x)>{angular, plus_cross(X_WB.R * m.linear, X_WB.p, angular)};
}
template <class T>
LISSOM_INLINE Force<T> to_world(const Pose<T>& X_WB, const Force<T>& f) {
  Force<T> r;
  r.linear = X_WB.R * f.linear;
  r.angular = plus_cross(X_WB.R * f.angular, X_WB.p, r.linear);
  return r;
}
/// The inertia of a body, given about the origin and along the axes of B, about the origin of the world.
template <class T, class S>
LISSOM_INLINE RigidInertia<T> to_world(const Pose<T>& X_WB, const RigidInertia<S>& b) {
  return shifted(RigidInertia<T>{T(b.mass), X_WB.R * b.h, congruence(X_WB.R, b.I)}, X_WB.p);
}
template <Axis A, class T>
LISSOM_INLINE Vec3<T> column(const Mat3<T>& m) {
  if constexpr (A == Axis::x) return column_x(m);
  if constexpr (A == Axis::y) return column_y(m);
  if constexpr (A == Axis::z) return column_z(m);
}
/// The same for the unit motions about and along an axis of B.
template <Axis A, class T>
LISSOM_INLINE Motion<T> to_world(const Pose<T>& X_WB, AxisTurn<A>) {
  const auto axis = column<A>(X_WB.R);
  return {axis, cross(X_WB.p, axis)};
}
template <Axis A, class T>
LISSOM_INLINE Motion<T> to_world(const Pose<T>& X_WB, AxisSlide<A>) {
  return {zero_vec3<T>(), column<A>(X_WB.R)};
}

}  // namespace lissom
