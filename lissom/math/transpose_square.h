#pragma once
// A square of numbers in registers, transposed.
#include <utility>

#include "lissom/math/lanes.h"

namespace lissom {

// Exchanges two squares of H by H numbers: those of a where bit H of the lane is set, and those of b where it is not.
template <int H, class Vector, std::size_t... lane>
LISSOM_INLINE void exchange_squares(Vector& a, Vector& b, std::index_sequence<lane...>) {
  constexpr int N = int(sizeof...(lane));
  const Vector first = __builtin_shufflevector(a, b, (int(lane) & H ? N + int(lane) - H : int(lane))...);
  b = __builtin_shufflevector(a, b, (int(lane) & H ? N + int(lane) : int(lane) + H)...);
  a = first;
}
template <int H, class S, int N>
LISSOM_INLINE void exchange_squares(Lanes<S, N>* x) {
  LISSOM_UNROLL for (int r = 0; r < N; ++r) if (!(r & H))
      exchange_squares<H>(x[r].v, x[r + H].v, std::make_index_sequence<N>());
  if constexpr (2 * H < N) exchange_squares<2 * H>(x);
}

/// Transposes a square of numbers: x[r][l] and x[l][r] change places. N is a power of two.
template <class S, int N>
LISSOM_INLINE void transpose_square(Lanes<S, N>* x) {
  if constexpr (N > 1) exchange_squares<1>(x);
}

}  // namespace lissom
