#pragma once
// How a joint reduces an articulated inertia I: with U = I S and D = Sᵀ U, the parent feels I - U D⁻¹ Uᵀ through the
// joint. An axis that rotates freely transmits no torque: its row and column vanish, and the type TurnFree<A> leaves
// them out. With a rotor of inertia r geared to the joint, D = Sᵀ U + r, and that row is r U D⁻¹: the type
// TurnGeared<A> adds it.
#include "lissom/spatial/articulated_inertia.h"

namespace lissom {

template <class Subspace, class T>
struct Column : Force<T> {};  // the column of an inertia that belongs to a joint's axis
template <class Subspace, class T>
struct Outer {
  const Force<T>&U, &W;
};

/// The letters are cycled so that A is z: the row z of the angular part is zero, and left out.
template <Axis A, class T>
struct TurnFree {
  T Axx, Axy, Ayy;
  Vec3<T> Bx, By;
  Sym3<T> C;
};

template <Axis A, class T, class Real>
struct TurnGeared {
  TurnFree<A, T> rest;
  Force<T> W;  // its letters are cycled, too
  Real rotor_inertia;
};

template <class T, Axis A>
LISSOM_INLINE Column<AxisTurn<A>, T> operator*(const ArticulatedInertia<T>& I, AxisTurn<A>) {
  return {{from_z<A>(row_z(as_z<A>(I.A))), from_z<A>(row_z(as_z<A>(I.B)))}};
}
template <class T, Axis A>
LISSOM_INLINE Column<AxisSlide<A>, T> operator*(const ArticulatedInertia<T>& I, AxisSlide<A>) {
  return {{from_z<A>(row_z(transpose(as_z<A>(I.B)))), from_z<A>(row_z(as_z<A>(I.C)))}};
}
template <class S, class T>
LISSOM_INLINE Outer<S, T> outer(const Column<S, T>& U, const Force<T>& W) {
  return {U, W};
}

template <class T, Axis A>
LISSOM_INLINE TurnFree<A, T> operator-(const ArticulatedInertia<T>& I, const Outer<AxisTurn<A>, T>& o) {
  const auto U = as_z<A>(o.U.angular), V = as_z<A>(o.U.linear), X = as_z<A>(o.W.angular), Y = as_z<A>(o.W.linear);
  const auto P = as_z<A>(I.A);
  const auto B = as_z<A>(I.B);
  return {P.xx - U.x * X.x,   P.xy - U.x * X.y,   P.yy - U.y * X.y,
          row_x(B) - U.x * Y, row_y(B) - U.y * Y, as_z<A>(I.C) - symmetric_outer(V, Y)};
}
// With W = U D⁻¹, the row of the axis is U - W Sᵀ U = W (D - Sᵀ U) = r W.
template <class T, Axis A, class Real>
LISSOM_INLINE TurnGeared<A, T, Real> with_rotor(const TurnFree<A, T>& rest, const Force<T>& W, Real rotor_inertia) {
  return {rest, {as_z<A>(W.angular), as_z<A>(W.linear)}, rotor_inertia};
}
template <class T, Axis A>
LISSOM_INLINE ArticulatedInertia<T> operator-(const ArticulatedInertia<T>& I, const Outer<AxisSlide<A>, T>& o) {
  const auto &u = o.U.angular, &y = o.W.linear;
  const auto B = from_rows(row_x(I.B) - u.x * y, row_y(I.B) - u.y * y, row_z(I.B) - u.z * y);
  return {I.A - symmetric_outer(u, o.W.angular), B, I.C - symmetric_outer(o.U.linear, y)};
}

/// The inertia I - U Wᵀ, W = U D⁻¹, that a joint with the motion subspace S and a rotor transmits.
template <class Subspace, class T, class Real, class Columns, class Gain>
LISSOM_INLINE auto reduced(const Subspace&, Real, const ArticulatedInertia<T>& I, const Columns& U, const Gain& W) {
  return I - outer(U, W);
}
template <Axis A, class T, class Real, class Columns, class Gain>
LISSOM_INLINE auto reduced(const AxisTurn<A>&, Real rotor_inertia, const ArticulatedInertia<T>& I, const Columns& U,
                           const Gain& W) {
  return with_rotor(I - outer(U, W), W, rotor_inertia);
}

}  // namespace lissom
