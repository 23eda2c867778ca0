#pragma once
// M⁻¹ = W D⁻¹ Wᵀ with W = L⁻¹, from the blocked factor M = Lᵀ D L (factor.h). W is as sparse as L: an entry of M⁻¹ sums
// over the degrees of freedom that lie towards the base of both its row and its column.
#include "lissom/dynamics/blocked/factor.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct BlockedInverseScratch {
  Array<T> W;          // packed rows; after its diagonal, a row goes on with zeros
  Array<T> W_scaled;   // W D⁻¹ of four rows: the four elements of a column together
  Array<T> W_columns;  // for one robot: Wᵀ in full, rows `stride` apart, so that its columns fill a register
  int stride;
  explicit BlockedInverseScratch(const Sparsity& s)
      : W(std::size_t(s.packed_size() + padding)),
        W_scaled(std::size_t(4 * s.nv())),
        stride(row_stride(s.nv() + 3)) {  // columns are written by fours
    if (is_packable<T>) W_columns = Array<T>(std::size_t(s.nv() * stride + padding));
  }
};

// Rows i … i + R - 1 of W, from L W = 1: W(i, ·) = -Σ_k L(i, k) W(k, ·).
template <int R, class T>
LISSOM_INLINE void inverse_factor_rows(const Sparsity& s, const BlockedFactor<T>& f, BlockedInverseScratch<T>& w,
                                       int i) {
  const int *const column = &s.column[s.start[i]], n = s.count[i];
  const T* L[R];
  T* W[R];
  for (int r = 0; r < R; ++r) L[r] = &f.L[s.start[i + r]], W[r] = &w.W[s.start[i + r]];
  for_each_segment<T>(n, [&](int t, auto C) {
    std::array<Segment<C, T>, R> row;
    LISSOM_UNROLL for (int r = 0; r < R; ++r) row[r] = zero_segment<C, T>();
    for (int k = t; k < n; ++k) add_products(row, [&](int r) { return -L[r][k]; }, &w.W[s.start[column[k]] + t]);
    LISSOM_UNROLL for (int r = 0; r < R; ++r) {
      LISSOM_UNROLL for (int k = 0; k < r; ++k) add_product(row[r], -L[r][n + k], row[k]);
      store_segment(W[r] + t, row[r]);
    }
    if constexpr (is_packable<T>) store_transposed(&w.W_columns[i], column + t, w.stride, row, n - t);
  });
  // The columns of these rows themselves: a unit triangle.
  LISSOM_UNROLL for (int r = 0; r < R; ++r) {
    LISSOM_UNROLL for (int c = 0; c < r; ++c) {
      T sum = -L[r][n + c];
      LISSOM_UNROLL for (int k = c + 1; k < r; ++k) sum -= L[r][n + k] * W[k][n + c];
      W[r][n + c] = sum;
    }
    W[r][n + r] = one<T>();
    LISSOM_UNROLL for (int c = r + 1; c < 4; ++c) W[r][n + c] = zero<T>();
    if constexpr (is_packable<T>)
      LISSOM_UNROLL for (int c = 0; c <= r; ++c) w.W_columns[(i + c) * w.stride + i + r] = W[r][n + c];
  }
}

// Rows c … c + C - 1 of W. add() adds their entries in column k, the t-th on each of their chains, times factor(r), to
// sum[r].
template <int C, class T>
struct RowsOfW {
  const T* row[C];
  LISSOM_INLINE RowsOfW(const Sparsity& s, const BlockedInverseScratch<T>& w, int c) {
    LISSOM_UNROLL for (int e = 0; e < C; ++e) row[e] = &w.W[s.start[c + e]];
  }
  template <std::size_t R, class F>
  LISSOM_INLINE void add(std::array<Segment<C, T>, R>& sum, F factor, int, int t) const {
    T a[R];
    LISSOM_UNROLL for (int r = 0; r < int(R); ++r) a[r] = keep_in_register(factor(r));
    LISSOM_UNROLL for (int e = 0; e < C; ++e) {
      const T entry = keep_in_register(row[e][t]);
      LISSOM_UNROLL for (int r = 0; r < int(R); ++r) sum[std::size_t(r)].part[e] += a[r] * entry;
    }
  }
};
template <int C, Packable T>
struct RowsOfW<C, T> {
  const T* columns;
  int stride;
  LISSOM_INLINE RowsOfW(const Sparsity&, const BlockedInverseScratch<T>& w, int c)
      : columns(&w.W_columns[c]), stride(w.stride) {}
  template <std::size_t R, class F>
  LISSOM_INLINE void add(std::array<Segment<C, T>, R>& sum, F factor, int k, int) const {
    add_products(sum, factor, columns + k * stride);
  }
};
// Calls f(c, C, n) for columns c … c + C - 1, from those of a block of rows on; n is how many of the block's own
// columns, from the first, lie towards the base of (at least one of) them.
template <class T, class F>
LISSOM_INLINE void for_each_column_segment(const Sparsity& s, std::size_t block, F&& f) {
  const int last_row = s.blocks[block].first + s.blocks[block].rows - 1;
  const int *const column = &s.column[s.start[last_row]], all = s.count[last_row] + 1;
  int n = all;
  if constexpr (is_packable<T>) {
    // Four columns at a time. Where n is too large for one of them, RowsOfW gives zeros.
    for (int c = s.blocks[block].first / 4 * 4; c < s.nv(); c += 4) {
      while (n > 0 && s.last[column[n - 1]] < c) --n;  // to 0 for limbs that branch at the world
      LISSOM_INLINE_CALL f(c, std::integral_constant<int, 4>{}, n);
    }
  } else {
    // One block at a time: it lies on one chain, which begins with the same n columns as ours.
    for (; block < s.blocks.size(); ++block) {
      const int c = s.blocks[block].first, *const other = &s.column[s.start[c]];
      if (c > last_row) {
        while (n > 0 && (n > s.count[c] || other[n - 1] != column[n - 1])) --n;
        while (n < all && n < s.count[c] && other[n] == column[n]) ++n;
      }
      with_constant(s.blocks[block].rows, [&](auto C) { LISSOM_INLINE_CALL f(c, C, n); });
    }
  }
}

// R rows of the upper triangle of M⁻¹(i, c) = Σ_k W(i, k) W(c, k) / D(k); and, if `mirrored`, the same below the
// diagonal.
template <int R, bool mirrored, class T>
LISSOM_INLINE void inverse_rows(const Sparsity& s, const BlockedFactor<T>& f, BlockedInverseScratch<T>& w,
                                std::size_t block, T* inverse_M, int stride) {
  const int i = s.blocks[block].first, n_all = s.count[i] + R, *const column = &s.column[s.start[i + R - 1]];
  const T *const inverse_D = f.inverse_D.data(), *row[R];
  T* const scaled = w.W_scaled.data();
  LISSOM_UNROLL for (int r = 0; r < R; ++r) row[r] = &w.W[s.start[i + r]];
  for (int t = 0; t < n_all; ++t) {
    const T scale = inverse_D[column[t]];
    LISSOM_UNROLL for (int r = 0; r < R; ++r) scaled[4 * t + r] = row[r][t] * scale;
  }
  for_each_column_segment<T>(s, block, [&](int c, auto C, int n) {
    const RowsOfW<C, T> W(s, w, c);
    std::array<Segment<C, T>, R> sum;
    LISSOM_UNROLL for (int r = 0; r < R; ++r) sum[r] = zero_segment<C, T>();
    for (int t = 0; t < n; ++t) W.add(sum, [&](int r) { return scaled[4 * t + r]; }, column[t], t);
    LISSOM_UNROLL for (int r = 0; r < R; ++r) {
      store_segment(inverse_M + (i + r) * stride + c, sum[r]);
      // (No annotation to unroll: g++ 12 ignores it here, with a warning.)
      if constexpr (mirrored)
        for (int e = 0; e < C; ++e) inverse_M[(c + e) * stride + i + r] = sum[r][e];
    }
  });
}

/// W = L⁻¹
template <class T>
LISSOM_INLINE void invert_factor(const Sparsity& s, const BlockedFactor<T>& f, BlockedInverseScratch<T>& w) {
  for (const auto& block : s.blocks)
    with_constant(block.rows, [&](auto R) { inverse_factor_rows<R>(s, f, w, block.first); });
}
/// The upper triangle of M⁻¹, or all of it, when W is known.
template <bool mirrored, class T>
LISSOM_INLINE void invert_from_factor(const Sparsity& s, const BlockedFactor<T>& f, BlockedInverseScratch<T>& w,
                                      T* inverse_M, int stride) {
  for (std::size_t block = 0; block < s.blocks.size(); ++block)
    with_constant(s.blocks[block].rows, [&](auto R) { inverse_rows<R, mirrored>(s, f, w, block, inverse_M, stride); });
}

/// Writes the upper triangle of M⁻¹; elements below the diagonal have no meaning.
template <class T>
LISSOM_FLATTEN void invert(const Sparsity& s, const BlockedFactor<T>& f, BlockedInverseScratch<T>& w, T* inverse_M,
                           int stride) {
  invert_factor(s, f, w);
  invert_from_factor<false>(s, f, w, inverse_M, stride);
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
