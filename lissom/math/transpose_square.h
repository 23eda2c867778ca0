#pragma once
// A square of numbers in registers, transposed.
#include "lissom/math/lanes.h"

namespace lissom {

/// Transposes a square of numbers: x[r][l] and x[l][r] change places.
template <class S, int N>
LISSOM_INLINE void transpose_square(Lanes<S, N>* x) {
  if constexpr (N == 2) {
    const auto a = __builtin_shufflevector(x[0].v, x[1].v, 0, 2), b = __builtin_shufflevector(x[0].v, x[1].v, 1, 3);
    x[0].v = a, x[1].v = b;
  } else if constexpr (N == 4) {
    const auto a = __builtin_shufflevector(x[0].v, x[1].v, 0, 4, 2, 6);
    const auto b = __builtin_shufflevector(x[0].v, x[1].v, 1, 5, 3, 7);
    const auto c = __builtin_shufflevector(x[2].v, x[3].v, 0, 4, 2, 6);
    const auto d = __builtin_shufflevector(x[2].v, x[3].v, 1, 5, 3, 7);
    x[0].v = __builtin_shufflevector(a, c, 0, 1, 4, 5), x[1].v = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    x[2].v = __builtin_shufflevector(a, c, 2, 3, 6, 7), x[3].v = __builtin_shufflevector(b, d, 2, 3, 6, 7);
  } else {
    for (int r = 0; r < N; ++r)
      for (int l = 0; l < r; ++l) {
        const S swapped = x[r][l];
        x[r].set(l, x[l][r]);
        x[l].set(r, swapped);
      }
  }
}

}  // namespace lissom
