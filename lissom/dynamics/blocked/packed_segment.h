#pragma once
// A segment holds up to four entries of a packed row (see Sparsity), or of a row of a matrix, so that each loaded value
// serves several products. For one robot, the four lie in a register; rows are padded, so a segment may run over the
// end. For robots in lanes, each entry is a vector of lanes.
#include <array>
#include <concepts>
#include <type_traits>

#include "lissom/math/lanes.h"
#include "lissom/math/transpose_square.h"
#include "lissom/tree/sparsity.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <int C, class T>
struct Segment {
  using Part = T;
  static constexpr int width = 1, parts = C;
  Part part[C];
  LISSOM_INLINE T operator[](int c) const { return part[c]; }
};
template <int C, Packable T>
struct Segment<C, T> {
  static constexpr int width = natural_lanes<T> < 4 ? natural_lanes<T> : 4, parts = 4 / width;
  using Part = Lanes<T, width>;
  Part part[parts];
  LISSOM_INLINE T operator[](int c) const { return part[c / width][c % width]; }
};
static_assert(Sparsity::row_padding == 4);

template <int C, class T>
LISSOM_INLINE Segment<C, T> zero_segment() {
  Segment<C, T> x;
  LISSOM_UNROLL for (auto& part : x.part) part = zero<typename Segment<C, T>::Part>();
  return x;
}
// Loads a segment from C rows of a matrix, down a column.
template <int C, class T>
LISSOM_INLINE Segment<C, T> gather_segment(const T* p, const int* row, int stride) {
  using R = Segment<C, T>;
  R x;
  LISSOM_UNROLL for (int k = 0; k < R::parts * R::width; ++k) {
    const T& entry = p[row[k] * stride];
    if constexpr (R::width == 1)
      x.part[k] = entry;
    else
      x.part[k / R::width].set(k % R::width, entry);
  }
  return x;
}

// The functions below take a `count` where only the first `count` entries matter.
template <int C, class T>
LISSOM_INLINE void store_segment(T* p, const Segment<C, T>& x, int count = C) {
  using R = Segment<C, T>;
  LISSOM_UNROLL for (int k = 0; k < R::parts; ++k) {
    if (k * R::width < count) store(p + k * R::width, x.part[k]);
  }
}
// Stores R segments side by side, down the rows of a matrix: entry c of segment r at p[row[c] * stride + r], and zeros
// up to the fourth of them.
template <int C, std::size_t R, Packable T>
LISSOM_INLINE void store_transposed(T* p, const int* row, int stride, const std::array<Segment<C, T>, R>& x,
                                    int count) {
  if constexpr (Segment<C, T>::width == 4) {
    Lanes<T, 4> y[4];
    LISSOM_UNROLL for (int r = 0; r < 4; ++r) y[r] = r < int(R) ? x[std::size_t(r)].part[0] : zero<Lanes<T, 4>>();
    transpose_square(y);
    LISSOM_UNROLL for (int c = 0; c < 4; ++c) {
      if (c < count) y[c].store(p + row[c] * stride);
    }
  } else {
    for (int c = 0; c < count && c < 4; ++c)
      for (int r = 0; r < 4; ++r) p[row[c] * stride + r] = r < int(R) ? x[std::size_t(r)][c] : T(0);
  }
}
// x += a y
template <int C, class T>
LISSOM_INLINE void add_product(Segment<C, T>& x, T a, const Segment<C, T>& y, int count = C) {
  using R = Segment<C, T>;
  LISSOM_UNROLL for (int k = 0; k < R::parts; ++k) {
    if (k * R::width < count) x.part[k] += a * y.part[k];
  }
}
// x[r] += factor(r) y for every row r, with y from memory; at least for the first count(r) entries of row r.
template <int C, std::size_t R, class T, class F, class Count>
LISSOM_INLINE void add_products(std::array<Segment<C, T>, R>& x, F factor, const T* y, Count count) {
  using Each = Segment<C, T>;
  T a[R];
  LISSOM_UNROLL for (int r = 0; r < int(R); ++r) a[r] = keep_in_register(factor(r));
  LISSOM_UNROLL for (int k = 0; k < Each::parts; ++k) {
    const auto part = keep_in_register(load<typename Each::Part>(y + k * Each::width));
    LISSOM_UNROLL for (int r = 0; r < int(R); ++r) {
      if (k * Each::width < count(r)) x[std::size_t(r)].part[k] += a[r] * part;
    }
  }
}
template <int C, std::size_t R, class T, class F>
LISSOM_INLINE void add_products(std::array<Segment<C, T>, R>& x, F factor, const T* y) {
  add_products(x, factor, y, [](int) { return C; });
}
template <int C, class T>
LISSOM_INLINE Segment<C, T> product(T a, const Segment<C, T>& x, int count = C) {
  using R = Segment<C, T>;
  R y;
  LISSOM_UNROLL for (int k = 0; k < R::parts; ++k) {
    if (k * R::width < count) y.part[k] = a * x.part[k];
  }
  return y;
}

// Calls f(n) with n as a compile-time constant.
template <class F>
LISSOM_INLINE void with_constant(int n, F&& f) {
  switch (n) {
    case 1:
      LISSOM_INLINE_CALL return f(std::integral_constant<int, 1>{});
    case 2:
      LISSOM_INLINE_CALL return f(std::integral_constant<int, 2>{});
    case 3:
      LISSOM_INLINE_CALL return f(std::integral_constant<int, 3>{});
    case 4:
      LISSOM_INLINE_CALL return f(std::integral_constant<int, 4>{});
    default:  // n = 0
      return;
  }
}
// Calls f(t, C) for segments of C entries, from t on, that cover the first n.
template <class T, class F>
LISSOM_INLINE void for_each_segment(int n, F&& f) {
  constexpr std::integral_constant<int, 4> four;
  int t = 0;
  if constexpr (is_packable<T>) {
    for (; t < n; t += 4) LISSOM_INLINE_CALL f(t, four);
  } else {
    for (; t + 4 <= n; t += 4) LISSOM_INLINE_CALL f(t, four);
    with_constant(n - t, [&](auto C) { LISSOM_INLINE_CALL f(t, C); });
  }
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
