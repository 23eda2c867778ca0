#pragma once
// Rotations between a child's and its parent's frame, each as cheap as its kind allows. All of them offer
// to_parent(x) and to_child(v) for vectors, to_parent for (symmetric) matrices: R M Rᵀ.
#include "lissom/spatial/reduced_inertia.h"

namespace lissom {

struct NoRotation {
  template <class V>
  LISSOM_INLINE V to_child(const V& v) const {
    return v;
  }
  template <class V>
  LISSOM_INLINE V to_parent(const V& v) const {
    return v;
  }
};

template <class T>
struct MatrixRotation {
  Mat3<T> R;  // child to parent
  template <class V>
  LISSOM_INLINE auto to_child(const Vec3<V>& v) const {
    return transpose_times(R, v);
  }
  template <class V>
  LISSOM_INLINE auto to_parent(const Vec3<V>& v) const {
    return R * v;
  }
  template <class V>
  LISSOM_INLINE auto to_parent(const Sym3<V>& m) const {
    return congruence(R, m);
  }
  template <class V>
  LISSOM_INLINE auto to_parent(const Mat3<V>& m) const {
    return R * m * transpose(R);
  }
  template <class V>
  LISSOM_INLINE ArticulatedInertia<V> to_parent(const ArticulatedInertia<V>& I) const {
    return {to_parent(I.A), to_parent(I.B), to_parent(I.C)};
  }
};

/// A rotation about one coordinate axis of both frames: a plane rotation. The formulas are written for z, see axis.h.
template <Axis A, class T>
struct AxisRotation {
  T sin, cos;

  template <class V>
  LISSOM_INLINE Vec3<V> to_child(const Vec3<V>& v) const {
    const auto u = as_z<A>(v);
    return from_z<A>(Vec3<V>(cos * u.x + sin * u.y, cos * u.y - sin * u.x, u.z));
  }
  template <class V>
  LISSOM_INLINE Vec3<V> to_parent(const Vec3<V>& v) const {
    return from_z<A>(turned(as_z<A>(v)));
  }
  LISSOM_INLINE Sym3<T> to_parent(const Sym3<T>& m) const { return from_z<A>(turned(as_z<A>(m))); }

  LISSOM_INLINE Mat3<T> to_parent(const Mat3<T>& m) const {
    const auto u = as_z<A>(m);
    const auto x = turned(row_x(u)), y = turned(row_y(u)), z = turned(row_z(u));
    return from_z<A>(from_rows(cos * x - sin * y, sin * x + cos * y, z));
  }
  LISSOM_INLINE ArticulatedInertia<T> to_parent(const ArticulatedInertia<T>& I) const {
    return {to_parent(I.A), to_parent(I.B), to_parent(I.C)};
  }
  // The row and column of A that TurnFree leaves out stay zero.
  LISSOM_INLINE ArticulatedInertia<T> to_parent(const TurnFree<A, T>& I) const {
    const T o = zero<T>();
    const auto P = turned(I.Axx, I.Axy, I.Ayy);
    const auto Bx = turned(cos * I.Bx - sin * I.By), By = turned(sin * I.Bx + cos * I.By);
    return {from_z<A>(Sym3<T>(P.xx, P.xy, o, P.yy, o, o)),
            from_z<A>(Mat3<T>(Bx.x, Bx.y, Bx.z, By.x, By.y, By.z, o, o, o)), from_z<A>(turned(I.C))};
  }
  // Sine and cosine are multiplied by the rotor's inertia, which scales the row while it is rotated.
  template <class Real>
  LISSOM_INLINE ArticulatedInertia<T> to_parent(const TurnGeared<A, T, Real>& I) const {
    const auto P = turned(I.rest.Axx, I.rest.Axy, I.rest.Ayy);
    const auto Bx = turned(cos * I.rest.Bx - sin * I.rest.By), By = turned(sin * I.rest.Bx + cos * I.rest.By);
    const Real r = I.rotor_inertia;
    const T s = r * sin, c = r * cos;
    const auto &m = I.W.angular, &l = I.W.linear;
    return {from_z<A>(Sym3<T>(P.xx, P.xy, c * m.x - s * m.y, P.yy, s * m.x + c * m.y, r * m.z)),
            from_z<A>(from_rows(Bx, By, Vec3<T>(c * l.x - s * l.y, s * l.x + c * l.y, r * l.z))),
            from_z<A>(turned(I.rest.C))};
  }

 private:
  struct Plane {
    T xx, xy, yy;
  };
  template <class V>
  LISSOM_INLINE Vec3<V> turned(const Vec3<V>& u) const {
    return {cos * u.x - sin * u.y, sin * u.x + cos * u.y, u.z};
  }
  LISSOM_INLINE Plane turned(T xx, T xy, T yy) const {
    const T cc = cos * cos, ss = sin * sin, sc = sin * cos, t = sc * xy;
    const T turned_xx = cc * xx + ss * yy - (t + t);
    return {turned_xx, sc * (xx - yy) + (cc - ss) * xy, xx + yy - turned_xx};  // the trace is invariant
  }
  LISSOM_INLINE Sym3<T> turned(const Sym3<T>& m) const {
    const auto p = turned(m.xx, m.xy, m.yy);
    return {p.xx, p.xy, cos * m.xz - sin * m.yz, p.yy, sin * m.xz + cos * m.yz, m.zz};
  }
};

/// The rotation `inner` (next to the child) followed by `outer` (next to the parent).
template <class Outer, class Inner>
struct Composed {
  Outer outer;
  Inner inner;
  template <class V>
  LISSOM_INLINE auto to_child(const V& v) const {
    return inner.to_child(outer.to_child(v));
  }
  template <class V>
  LISSOM_INLINE auto to_parent(const V& v) const {
    return outer.to_parent(inner.to_parent(v));
  }
};

/// The matrix of a unit quaternion (w, x, y, z).
template <class T>
LISSOM_INLINE Mat3<T> matrix(T w, T x, T y, T z) {
  const T x2 = x + x, y2 = y + y, z2 = z + z, o = one<T>();
  return {o - y2 * y - z2 * z, x2 * y - z2 * w, x2 * z + y2 * w, x2 * y + z2 * w,    o - x2 * x - z2 * z,
          y2 * z - x2 * w,     x2 * z - y2 * w, y2 * z + x2 * w, o - x2 * x - y2 * y};
}

}  // namespace lissom
