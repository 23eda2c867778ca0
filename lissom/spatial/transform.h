#pragma once
// The transform X between a body's frame and its parent's: a rotation, and the position of the child's origin in the
// parent. Body frames are used throughout the recursions; to_child and to_parent carry quantities across a joint.
#include "lissom/spatial/all_motions.h"
#include "lissom/spatial/body_coriolis.h"
#include "lissom/spatial/pose.h"
#include "lissom/spatial/rotation.h"

namespace lissom {

template <class Rotation, class R>
struct Transform {
  Rotation rotation;
  Vec3<R> origin;  ///< of the child, in the parent's frame

  /// X v
  template <class T>
  LISSOM_INLINE Motion<T> to_child(const Motion<T>& m) const {
    return {rotation.to_child(m.angular), rotation.to_child(plus_cross(m.linear, m.angular, origin))};
  }
  /// Xᵀ f
  template <class T>
  LISSOM_INLINE Force<T> to_parent(const Force<T>& f) const {
    Force<T> r;
    r.linear = rotation.to_parent(f.linear);
    r.angular = plus_cross(rotation.to_parent(f.angular), origin, r.linear);
    return r;
  }
  /// Xᵀ I X
  template <class T, class M>
  LISSOM_INLINE RigidInertia<T, M> to_parent(const RigidInertia<T, M>& I) const {
    return shifted(RigidInertia<T, M>{I.mass, rotation.to_parent(I.h), rotation.to_parent(I.I)}, origin);
  }
  /// Xᵀ B X
  template <class T>
  LISSOM_INLINE BodyCoriolis<T> to_parent(const BodyCoriolis<T>& m) const {
    return shifted(BodyCoriolis<T>{rotation.to_parent(m.p), rotation.to_parent(m.N)}, origin);
  }
  LISSOM_INLINE NoInertia to_parent(NoInertia) const { return {}; }
  template <class Inertia>
  LISSOM_INLINE auto to_parent(const Inertia& I) const {
    return shifted(rotation.to_parent(I), origin);
  }
};
/// The pose of the child, from that of the parent: a row of R_WP R_PC is R_PCᵀ times the row of R_WP.
template <class T, class Rotation, class R>
LISSOM_INLINE Pose<T> operator*(const Pose<T>& X_WP, const Transform<Rotation, R>& X_PC) {
  const auto& E = X_PC.rotation;
  Pose<T> r;
  r.p = X_WP.R * X_PC.origin + X_WP.p;
  r.R = from_rows(E.to_child(row_x(X_WP.R)), E.to_child(row_y(X_WP.R)), E.to_child(row_z(X_WP.R)));
  return r;
}
template <class Rotation, class R>
Transform(Rotation, Vec3<R>) -> Transform<Rotation, R>;

}  // namespace lissom
