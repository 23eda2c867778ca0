#pragma once
// The motion subspace of a spherical joint: all rotations, no translation, S = (1, 0). U = (A, Bᵀ), D = A.
#include "lissom/spatial/articulated_inertia.h"

namespace lissom {

struct AllTurns {};
template <class T>
struct Spin {
  Vec3<T> rate;
};
template <class T>
struct TurnsColumn {
  const ArticulatedInertia<T>& I;
};
/// W = U D⁻¹ = (1, Bᵀ A⁻¹). The transpose A⁻¹ B of the lower block is stored by rows, one in the linear part of each of
/// the joint's three forces.
template <class T>
struct TurnsGain {
  Force<T>* row;
  LISSOM_INLINE void operator=(const Mat3<T>& G) const {
    row[0].linear = row_x(G);
    row[1].linear = row_y(G);
    row[2].linear = row_z(G);
  }
};
template <class T>
struct TurnsOuter {
  const ArticulatedInertia<T>& I;
  const Mat3<T>& G;
};

template <class T>
LISSOM_INLINE Spin<T> operator*(AllTurns, const Vec3<T>& rate) {
  return {rate};
}
template <class T>
LISSOM_INLINE Motion<T> operator+(const Motion<T>& m, const Spin<T>& s) {
  return {m.angular + s.rate, m.linear};
}
template <class T>
LISSOM_INLINE Motion<T> cross(const Motion<T>& v, const Spin<T>& s) {
  return {cross(v.angular, s.rate), cross(v.linear, s.rate)};
}
template <class T>
LISSOM_INLINE Vec3<T> dot(AllTurns, const Force<T>& f) {
  return f.angular;
}

template <class T>
LISSOM_INLINE TurnsColumn<T> operator*(const ArticulatedInertia<T>& I, AllTurns) {
  return {I};
}
template <class T>
LISSOM_INLINE Sym3<T> dot(AllTurns, const TurnsColumn<T>& U) {
  return U.I.A;
}
template <class T>
LISSOM_INLINE Mat3<T> operator*(const TurnsColumn<T>& U, const Sym3<T>& D_inverse) {
  return transpose(transpose(U.I.B) * D_inverse);
}  // A⁻¹ B
template <class T>
LISSOM_INLINE Force<T> operator*(const TurnsColumn<T>& U, const Vec3<T>& y) {
  return {U.I.A * y, transpose_times(U.I.B, y)};
}
template <class T>
LISSOM_INLINE TurnsOuter<T> outer(const TurnsColumn<T>& U, const Mat3<T>& G) {
  return {U.I, G};
}
template <class T>
LISSOM_INLINE Vec3<T> dot(TurnsGain<T> W, const Motion<T>& a) {
  return a.angular +
         Vec3<T>(dot(W.row[0].linear, a.linear), dot(W.row[1].linear, a.linear), dot(W.row[2].linear, a.linear));
}
// A ball joint transmits no torque: only C - Bᵀ A⁻¹ B is left.
template <class T>
LISSOM_INLINE ArticulatedInertia<T> operator-(const ArticulatedInertia<T>& I, const TurnsOuter<T>& o) {
  const T z = zero<T>();
  return {{z, z, z, z, z, z}, {z, z, z, z, z, z, z, z, z}, I.C - symmetric_product(transpose(I.B), transpose(o.G))};
}

}  // namespace lissom
