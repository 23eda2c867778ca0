#pragma once
// The motion subspace of a free joint: all motions, S = 1. Then U = D = I, and the joint transmits nothing of the
// child's inertia.
#include "lissom/spatial/articulated_inertia.h"

namespace lissom {

struct AllMotions {};
struct NoInertia {};  // the articulated inertia that a free joint transmits to the parent
struct NoForce {};
struct WholeGain {
  template <class G>
  LISSOM_INLINE void operator=(const G&) const {}
};  // U D⁻¹ = 1 need not be stored
template <class T>
struct WholeColumn {
  const ArticulatedInertia<T>& I;
};

template <class T>
LISSOM_INLINE Motion<T> operator*(AllMotions, const Motion<T>& m) {
  return m;
}
template <class T>
LISSOM_INLINE Force<T> dot(AllMotions, const Force<T>& f) {
  return f;
}
template <class T>
LISSOM_INLINE WholeColumn<T> operator*(const ArticulatedInertia<T>& I, AllMotions) {
  return {I};
}
template <class T>
LISSOM_INLINE ArticulatedInertia<T> dot(AllMotions, const WholeColumn<T>& U) {
  return U.I;
}
template <class T>
LISSOM_INLINE Force<T> operator*(const WholeColumn<T>& U, const Motion<T>& a) {
  return U.I * a;
}
template <class T>
LISSOM_INLINE Motion<T> dot(WholeGain, const Motion<T>& a) {
  return a;
}
template <class T>
LISSOM_INLINE NoInertia operator-(const ArticulatedInertia<T>&, NoInertia) {
  return {};
}
template <class T, class G>
LISSOM_INLINE NoInertia outer(const WholeColumn<T>&, const G&) {
  return {};
}
template <class T>
LISSOM_INLINE void gather(ArticulatedInertia<T>& sum, NoInertia, bool first) {
  if (first) sum = ArticulatedInertia<T>(RigidInertia<Number<T>>{});
}
template <class T>
LISSOM_INLINE NoForce operator*(NoInertia, const Motion<T>&) {
  return {};
}
template <class T>
LISSOM_INLINE Force<T> operator+(const Force<T>& f, NoForce) {
  return f;
}

/// D⁻¹ of a 6×6 articulated inertia by blocks: the linear part is eliminated with G = B C⁻¹, which leaves the Schur
/// complement A - G Bᵀ.
template <class T>
struct InverseInertia {
  Sym3<T> schur_inverse, C_inverse;
  Mat3<T> G;
};
template <class T>
LISSOM_INLINE InverseInertia<T> inverse(const ArticulatedInertia<T>& I) {
  const auto C_inverse = inverse(I.C);
  const auto G = from_rows(C_inverse * row_x(I.B), C_inverse * row_y(I.B), C_inverse * row_z(I.B));
  return {inverse(I.A - symmetric_product(G, I.B)), C_inverse, G};
}
template <class T>
LISSOM_INLINE Motion<T> operator*(const InverseInertia<T>& D_inverse, const Force<T>& f) {
  const auto angular = D_inverse.schur_inverse * (f.angular - D_inverse.G * f.linear);
  return {angular, D_inverse.C_inverse * f.linear - transpose_times(D_inverse.G, angular)};
}
template <class T>
LISSOM_INLINE WholeGain operator*(const WholeColumn<T>&, const InverseInertia<T>&) {
  return {};
}

}  // namespace lissom
