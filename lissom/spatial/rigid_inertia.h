#pragma once
// Inertia of a rigid body about its origin: mass, first moment h = m c, rotational inertia I.
// The mass may have a simpler type than the rest: the composite bodies of a moving tree have constant mass.
#include "lissom/spatial/axis_motion.h"

namespace lissom {

template <class T, class Mass = T>
struct RigidInertia {
  Mass mass;
  Vec3<T> h;
  Sym3<T> I;
  LISSOM_INLINE RigidInertia& operator+=(const RigidInertia& b) {
    mass += b.mass;
    h += b.h;
    I += b.I;
    return *this;
  }
};

/// The second moment of mass ∫ r rᵀ dm = ½ tr(I) 1 - I, from the rotational inertia I.
template <class S>
LISSOM_INLINE Sym3<S> second_moment(const Sym3<S>& I) {
  const S half_trace = S(0.5) * (I.xx + I.yy + I.zz);
  return {half_trace - I.xx, -I.xy, -I.xz, half_trace - I.yy, -I.yz, half_trace - I.zz};
}
/// d× + w× w×, the gradient of acceleration in a body with angular velocity w and angular acceleration d.
template <class T>
LISSOM_INLINE Mat3<T> acceleration_gradient(const Vec3<T>& w, const Vec3<T>& d) {
  const T xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z, xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  return {-(yy + zz), xy - d.z, xz + d.y, xy + d.z, -(xx + zz), yz - d.x, xz - d.y, yz + d.x, -(xx + yy)};
}

/// I v: momentum, or the force that an acceleration needs
template <class A, class M, class T>
LISSOM_INLINE Force<T> operator*(const RigidInertia<A, M>& b, const Motion<T>& v) {
  return {b.I * v.angular + cross(b.h, v.linear), b.mass * v.linear - cross(b.h, v.angular)};
}
/// v ×* I v. With the acceleration g = ω × v of a point that moves with the origin, Jacobi's identity gives
///   linear  m g + ω × (ω × h),   angular  ω × I ω + h × g
template <class S, class T>
LISSOM_INLINE Force<T> bias_force(const RigidInertia<S>& b, const Motion<T>& v) {
  const auto& w = v.angular;
  const auto g = cross(w, v.linear);
  return {plus_cross(cross(w, b.I * w), b.h, g), plus_cross(b.mass * g, w, cross(w, b.h))};
}
/// I a + v ×* I v, the equation of motion, written for the fewest multiplications: the point r of the body has the
/// acceleration g + K r, with K = ω'× + ω× ω×. Summed over the mass, with J = ∫ r rᵀ dm = ½ tr(I) 1 - I:
///   linear  m g + K h,   angular  h × g + axial(K J)
template <class S, class T>
LISSOM_INLINE Force<T> newton_euler(const RigidInertia<S>& b, const Motion<T>& v, const Motion<T>& a) {
  const auto& w = v.angular;
  const auto g = plus_cross(a.linear, w, v.linear);
  const auto K = acceleration_gradient(w, a.angular);
  return {plus_cross(axial(K * second_moment(b.I)), b.h, g), b.mass * g + K * b.h};
}

/// I S: one column
template <class T, class M, Axis A>
LISSOM_INLINE Force<T> operator*(const RigidInertia<T, M>& b, AxisTurn<A>) {
  const auto h = as_z<A>(b.h);
  return {from_z<A>(row_z(as_z<A>(b.I))), from_z<A>(Vec3(-h.y, h.x, zero<T>()))};
}
template <class T, class M, Axis A>
LISSOM_INLINE Force<T> operator*(const RigidInertia<T, M>& b, AxisSlide<A>) {
  const auto h = as_z<A>(b.h);
  return {from_z<A>(Vec3(h.y, -h.x, zero<T>())), from_z<A>(Vec3(zero<T>(), zero<T>(), T(b.mass)))};
}

/// The same inertia about another origin; r is the position of the old origin relative to the new one:
/// I + 2 (r·g) 1 - (r gᵀ + g rᵀ), g = h + m r / 2
template <class T, class M, class R>
LISSOM_INLINE RigidInertia<T, M> shifted(const RigidInertia<T, M>& b, const Vec3<R>& r) {
  const auto g = b.h + (Number<T>(0.5) * b.mass) * r;
  const auto x = (r.x + r.x) * g.x, y = (r.y + r.y) * g.y, z = (r.z + r.z) * g.z;
  return {b.mass,
          b.h + b.mass * r,
          {b.I.xx + (y + z), b.I.xy - (g.x * r.y + g.y * r.x), b.I.xz - (g.x * r.z + g.z * r.x), b.I.yy + (x + z),
           b.I.yz - (g.y * r.z + g.z * r.y), b.I.zz + (x + y)}};
}
template <class T, class M, class S>
LISSOM_INLINE RigidInertia<T, M> operator+(const RigidInertia<T, M>& a, const RigidInertia<S, M>& b) {
  return {M(a.mass + b.mass), a.h + b.h, a.I + b.I};
}
/// A body's constant inertia in the type of the inertia of a moving subtree.
template <class T, class S>
LISSOM_INLINE RigidInertia<T, S> composite(const RigidInertia<S>& b) {
  return {b.mass, {T(b.h.x), T(b.h.y), T(b.h.z)}, {T(b.I.xx), T(b.I.xy), T(b.I.xz), T(b.I.yy), T(b.I.yz), T(b.I.zz)}};
}
/// Adds the part of a child to a sum over children. The first child visited starts the sum, so that no pass clears it.
template <class Inertia>
LISSOM_INLINE void gather(Inertia& sum, const Inertia& part, bool first) {
  if (first)
    sum = part;
  else
    sum += part;
}

}  // namespace lissom
