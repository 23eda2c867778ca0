#pragma once
// The motion subspace of a free joint: all motions, S = 1. Then U = D = I, and nothing of a body's inertia passes
// through.
#include "lissom/spatial/articulated_inertia.h"

namespace lissom {

struct AllMotions {};
struct NoInertia {};  // what a parent feels of a child on a free joint
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

// D⁻¹ of a 6×6 articulated inertia by blocks: eliminate the linear part, G = B C⁻¹, what is left is A - G Bᵀ.
template <class T>
struct InverseInertia {
  Sym3<T> left, C;
  Mat3<T> G;
};
template <class T>
LISSOM_INLINE InverseInertia<T> inverse(const ArticulatedInertia<T>& I) {
  const auto C = inverse(I.C);
  const auto G = from_rows(C * row_x(I.B), C * row_y(I.B), C * row_z(I.B));
  return {inverse(I.A - symmetric_product(G, I.B)), C, G};
}
template <class T>
LISSOM_INLINE Motion<T> operator*(const InverseInertia<T>& D, const Force<T>& f) {
  const auto angular = D.left * (f.angular - D.G * f.linear);
  return {angular, D.C * f.linear - transpose_times(D.G, angular)};
}
template <class T>
LISSOM_INLINE WholeGain operator*(const WholeColumn<T>&, const InverseInertia<T>&) {
  return {};
}

}  // namespace lissom
