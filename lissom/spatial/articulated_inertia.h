#pragma once
// The articulated-body inertia of a body gives the force that its acceleration needs when the joints beyond it move
// freely:
//   angular = A α + B a,   linear = Bᵀ α + C a
#include "lissom/spatial/rigid_inertia.h"

namespace lissom {

template <class T>
struct ArticulatedInertia {
  Sym3<T> A;
  Mat3<T> B;
  Sym3<T> C;

  ArticulatedInertia() = default;
  LISSOM_INLINE ArticulatedInertia(const Sym3<T>& a, const Mat3<T>& b, const Sym3<T>& c) : A(a), B(b), C(c) {}
  template <class S>
  LISSOM_INLINE explicit ArticulatedInertia(const RigidInertia<S>& r)
      : A(T(r.I.xx), T(r.I.xy), T(r.I.xz), T(r.I.yy), T(r.I.yz), T(r.I.zz)),
        B(zero<T>(), T(-r.h.z), T(r.h.y), T(r.h.z), zero<T>(), T(-r.h.x), T(-r.h.y), T(r.h.x), zero<T>()),
        C(T(r.mass), zero<T>(), zero<T>(), T(r.mass), zero<T>(), T(r.mass)) {}
  LISSOM_INLINE ArticulatedInertia& operator+=(const ArticulatedInertia& o) {
    A += o.A;
    B += o.B;
    C += o.C;
    return *this;
  }
};

template <class T, class S>
LISSOM_INLINE ArticulatedInertia<T> operator+(const ArticulatedInertia<T>& a, const RigidInertia<S>& r) {
  const auto& B = a.B;
  const auto& C = a.C;
  return {a.A + r.I,
          {B.xx, B.xy - r.h.z, B.xz + r.h.y, B.yx + r.h.z, B.yy, B.yz - r.h.x, B.zx - r.h.y, B.zy + r.h.x, B.zz},
          {C.xx + r.mass, C.xy, C.xz, C.yy + r.mass, C.yz, C.zz + r.mass}};
}
template <class T>
LISSOM_INLINE Force<T> operator*(const ArticulatedInertia<T>& I, const Motion<T>& a) {
  return {I.A * a.angular + I.B * a.linear, transpose_times(I.B, a.angular) + I.C * a.linear};
}

/// The same inertia about another origin; r is the position of the old origin relative to the new one.
template <class T, class R>
LISSOM_INLINE ArticulatedInertia<T> shifted(const ArticulatedInertia<T>& I, const Vec3<R>& r) {
  const auto& B = I.B;
  // N = B + r× C, column by column (C is symmetric: its columns are its rows)
  const auto n = transpose(from_rows(cross(r, row_x(I.C)), cross(r, row_y(I.C)), cross(r, row_z(I.C))));
  Mat3<T> N = B;
  N += n;
  // A - B r× + r× Nᵀ is symmetric. Row i of -B r× is r × (row i of B), column i of r× Nᵀ is r × (row i of N)
  const auto bx = cross(r, row_x(B)), by = cross(r, row_y(B)), bz = cross(r, row_z(B));
  const auto nx = cross(r, row_x(N)), ny = cross(r, row_y(N)), nz = cross(r, row_z(N));
  return {{I.A.xx + (bx.x + nx.x), I.A.xy + (bx.y + ny.x), I.A.xz + (bx.z + nz.x), I.A.yy + (by.y + ny.y),
           I.A.yz + (by.z + nz.y), I.A.zz + (bz.z + nz.z)},
          N,
          I.C};
}

}  // namespace lissom
