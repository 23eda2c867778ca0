#pragma once
// Square root, absolute value and arc tangent for every scalar type. (Sine and cosine: sincos.h.)
#include <cmath>
#include <limits>

#include "lissom/math/dual.h"

namespace lissom {

using std::abs;
using std::atan2;
using std::sqrt;

/// Applies f to every lane; compilers vectorize the loop where the machine has an instruction for f.
template <class S, int N, class F>
LISSOM_INLINE Lanes<S, N> in_every_lane(Lanes<S, N> x, F f) {
  Lanes<S, N> y;
  for (int i = 0; i < N; ++i) y.v[i] = f(x.v[i]);
  return y;
}
template <class S, int N>
LISSOM_INLINE Lanes<S, N> sqrt(Lanes<S, N> x) {
  return in_every_lane(x, [](S s) { return std::sqrt(s); });
}
template <class S, int N>
LISSOM_INLINE Lanes<S, N> abs(Lanes<S, N> x) {
  using Mask = typename Lanes<S, N>::Mask;
  using Int = typename Lanes<S, N>::Int;
  return (typename Lanes<S, N>::Vector)((Mask)x.v & std::numeric_limits<Int>::max());  // all but the sign bit
}
template <class S, int N>
LISSOM_INLINE Lanes<S, N> atan2(Lanes<S, N> y, Lanes<S, N> x) {
  Lanes<S, N> r;
  for (int i = 0; i < N; ++i) r.v[i] = std::atan2(y.v[i], x.v[i]);
  return r;
}

template <class T>
LISSOM_INLINE Dual<T> sqrt(const Dual<T>& x) {
  const T root = sqrt(x.value);
  return {root, x.slope / (Number<T>(2) * root)};
}
template <class T>
LISSOM_INLINE Dual<T> abs(const Dual<T>& x) {
  return select(x.value < zero<T>(), -x, x);
}
template <class T>
LISSOM_INLINE Dual<T> atan2(const Dual<T>& y, const Dual<T>& x) {
  return {atan2(y.value, x.value), (x.value * y.slope - y.value * x.slope) / (x.value * x.value + y.value * y.value)};
}

}  // namespace lissom
