#pragma once
// A few entries of a packed row (see Sparsity), or of a row of a matrix, at once: up to four, so that what is loaded
// serves several products. Of one robot, four in a register: rows are padded, they may run over the end. Of robots in
// lanes, side by side.
#include <array>
#include <concepts>
#include <type_traits>

#include "lissom/math/lanes.h"
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
// From C rows of a matrix, down a column.
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

// The rest takes `count`, where only so many of the entries matter.
template <int C, class T>
LISSOM_INLINE void store_segment(T* p, const Segment<C, T>& x, int count = C) {
  using R = Segment<C, T>;
  LISSOM_UNROLL for (int k = 0; k < R::parts; ++k) {
    if (k * R::width < count) store(p + k * R::width, x.part[k]);
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
// Rows r of x += factor(r) y, y from memory; of row r, at least the first count(r) entries.
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

// f(n), n known to the compiler.
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
    default:  // none
      return;
  }
}
// f(t, C) for runs of C entries, from t on, that cover the first n.
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
