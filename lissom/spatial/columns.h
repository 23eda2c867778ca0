#pragma once
// A motion subspace given by K columns of constants, for joints that no sparse type describes: helical, cylindrical,
// planar, and joints whose motor has a rotor inertia of its own. It offers the same operations as the sparse types:
// S * rate, dot(S, f), I * S, outer, …
#include <array>

#include "lissom/spatial/articulated_inertia.h"

namespace lissom {

template <int K, class T>
struct Coordinates {
  std::array<T, K> e;
};
template <int K, class S>
struct MotionColumns {
  std::array<Motion<S>, K> column;
};
template <int K, class T>
struct ForceMatrix {  // I S, and I S D⁻¹
  std::array<Force<T>, K> column;
};
template <int K, class T>
struct Square {
  std::array<std::array<T, K>, K> e;
};
template <int K, class T>
struct ColumnsOuter {
  const ForceMatrix<K, T>&U, &W;
};
/// U D⁻¹, stored in the buffer that has one force for each degree of freedom.
template <int K, class T>
struct ColumnsGain {
  Force<T>* column;
  LISSOM_INLINE void operator=(const ForceMatrix<K, T>& W) const {
    for (int k = 0; k < K; ++k) column[k] = W.column[k];
  }
};

template <int K, class T>
LISSOM_INLINE Coordinates<K, T> operator-(const Coordinates<K, T>& a, const Coordinates<K, T>& b) {
  Coordinates<K, T> r;
  for (int k = 0; k < K; ++k) r.e[k] = a.e[k] - b.e[k];
  return r;
}
template <int K, class S, class T>
LISSOM_INLINE Motion<T> operator*(const MotionColumns<K, S>& s, const Coordinates<K, T>& rate) {
  Motion<T> m = rate.e[0] * s.column[0];
  for (int k = 1; k < K; ++k) m += rate.e[k] * s.column[k];
  return m;
}
template <int K, class S, class T>
LISSOM_INLINE Coordinates<K, T> dot(const MotionColumns<K, S>& s, const Force<T>& f) {
  Coordinates<K, T> r;
  for (int k = 0; k < K; ++k) r.e[k] = dot(s.column[k], f);
  return r;
}
template <int K, class S, class T>
LISSOM_INLINE ForceMatrix<K, T> operator*(const ArticulatedInertia<T>& I, const MotionColumns<K, S>& s) {
  ForceMatrix<K, T> U;
  for (int k = 0; k < K; ++k) U.column[k] = I * Motion<T>{cast<T>(s.column[k].angular), cast<T>(s.column[k].linear)};
  return U;
}
template <int K, class S, class T>
LISSOM_INLINE Square<K, T> dot(const MotionColumns<K, S>& s, const ForceMatrix<K, T>& U) {
  Square<K, T> D;
  for (int i = 0; i < K; ++i)
    for (int j = 0; j < K; ++j) D.e[i][j] = dot(s.column[i], U.column[j]);
  return D;
}
template <int K, class T>
LISSOM_INLINE Coordinates<K, T> operator*(const Square<K, T>& D, const Coordinates<K, T>& u) {
  Coordinates<K, T> r;
  for (int i = 0; i < K; ++i) {
    r.e[i] = D.e[i][0] * u.e[0];
    for (int j = 1; j < K; ++j) r.e[i] += D.e[i][j] * u.e[j];
  }
  return r;
}
template <int K, class T>
LISSOM_INLINE Force<T> operator*(const ForceMatrix<K, T>& U, const Coordinates<K, T>& y) {
  Force<T> f = U.column[0] * y.e[0];
  for (int k = 1; k < K; ++k) f += U.column[k] * y.e[k];
  return f;
}
template <int K, class T>
LISSOM_INLINE ForceMatrix<K, T> operator*(const ForceMatrix<K, T>& U, const Square<K, T>& D) {
  ForceMatrix<K, T> W;
  for (int j = 0; j < K; ++j) {
    W.column[j] = U.column[0] * D.e[0][j];
    for (int i = 1; i < K; ++i) W.column[j] += U.column[i] * D.e[i][j];
  }
  return W;
}
template <int K, class T>
LISSOM_INLINE Coordinates<K, T> dot(const ColumnsGain<K, T>& W, const Motion<T>& a) {
  Coordinates<K, T> r;
  for (int k = 0; k < K; ++k) r.e[k] = dot(W.column[k], a);
  return r;
}
template <int K, class T>
LISSOM_INLINE ColumnsOuter<K, T> outer(const ForceMatrix<K, T>& U, const ForceMatrix<K, T>& W) {
  return {U, W};
}
template <int K, class T>
LISSOM_INLINE ArticulatedInertia<T> operator-(const ArticulatedInertia<T>& I, const ColumnsOuter<K, T>& o) {
  ArticulatedInertia<T> r = I;
  for (int k = 0; k < K; ++k) {
    const auto &u = o.U.column[k], &w = o.W.column[k];
    r.A = r.A - symmetric_outer(u.angular, w.angular);
    r.B = r.B + outer(-u.angular, w.linear);
    r.C = r.C - symmetric_outer(u.linear, w.linear);
  }
  return r;
}

/// The inverse of a symmetric positive definite matrix by Gauss–Jordan elimination, with pivots on the diagonal.
template <int K, class T>
LISSOM_INLINE Square<K, T> inverse(const Square<K, T>& D) {
  Square<K, T> a = D;
  for (int p = 0; p < K; ++p) {
    const T pivot = inverse(a.e[p][p]);
    for (int i = 0; i < K; ++i) {
      if (i == p) continue;
      const T factor = a.e[i][p] * pivot;
      for (int j = 0; j < K; ++j)
        if (j != p) a.e[i][j] -= factor * a.e[p][j];
      a.e[i][p] = -factor;
    }
    for (int j = 0; j < K; ++j)
      if (j != p) a.e[p][j] = a.e[p][j] * pivot;
    a.e[p][p] = pivot;
  }
  return a;
}

/// D with the inertia of the rotor that is geared to the joint.
template <int K, class T, class S>
LISSOM_INLINE Square<K, T> plus_diagonal(const Square<K, T>& D, S armature) {
  Square<K, T> r = D;
  for (int k = 0; k < K; ++k) r.e[k][k] += T(armature);
  return r;
}

}  // namespace lissom
