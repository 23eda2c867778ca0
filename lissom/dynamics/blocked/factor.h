#pragma once
// M = Lᵀ D L in blocks of up to four rows, for one robot or lanes of robots. The textbook's ten lines, against which
// this is tested, are in dynamics/ltdl.h; blocks and packed rows take half of their time. The factor gives solutions of
// M x = b and (inverse_of_factor.h) the inverse of M. The cost is Σ depth² for the factor, Σ depth for a solution.
#include <array>

#include "lissom/dynamics/blocked/packed_segment.h"
#include "lissom/tree/array.h"
#include "lissom/tree/tree.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct BlockedFactor {
  Array<T> L, U;  // L and U = D L, packed rows (see Sparsity)
  Array<T> inverse_D;
  BlockedFactor() = default;
  explicit BlockedFactor(const Sparsity& s)
      : L(std::size_t(s.packed_size() + padding)), U(L.size()), inverse_D(std::size_t(s.nv())) {}
};

// Computes rows j … j + R - 1 of U from those of M, by subtracting multiples of the rows below, eliminated before,
//   U(i, ·) = M(i, ·) - Σ_k L(k, i) U(k, ·),
// first for the k below all of these rows, then for those among them, from the last to the first.
template <int R, class T>
LISSOM_INLINE void factorize_rows(const Sparsity& s, BlockedFactor<T>& f, int j, const T* M, int stride) {
  const int *const column = &s.column[s.start[j + R - 1]], n = s.count[j];
  T *L[R], *U[R];
  for (int r = 0; r < R; ++r) L[r] = &f.L[s.start[j + r]], U[r] = &f.U[s.start[j + r]];
  const auto remainder = [&](int t, auto C, auto needed) {
    std::array<Segment<C, T>, R> row;
    LISSOM_UNROLL for (int r = 0; r < R; ++r) row[r] = gather_segment<C>(M + j + r, column + t, stride);
    for (const int below : s.rows_below(j + R - 1))
      add_products(row, [&](int r) { return -f.L[below + n + r]; }, &f.U[below + t], needed);
    return row;
  };

  // The columns of these rows themselves, up to the diagonal, give the factors by which the rows act on each other.
  T inverse_D[R], minus_L[R][R];
  auto own = remainder(n, std::integral_constant<int, R>{}, [](int r) { return r + 1; });
  LISSOM_UNROLL for (int r = R - 1; r >= 0; --r) {
    f.inverse_D[j + r] = inverse_D[r] = inverse(own[r][r]);
    const auto Lr = product(inverse_D[r], own[r], r + 1);
    store_segment(U[r] + n, own[r], r + 1);
    store_segment(L[r] + n, Lr, r + 1);
    LISSOM_UNROLL for (int i = 0; i < r; ++i) {
      minus_L[r][i] = -Lr[i];
      add_product(own[i], minus_L[r][i], own[r], i + 1);
    }
  }
  // The columns before those.
  for_each_segment<T>(n, [&](int t, auto C) {
    auto row = remainder(t, C, [=](int) { return C; });
    LISSOM_UNROLL for (int r = R - 1; r >= 0; --r) {
      LISSOM_UNROLL for (int i = 0; i < r; ++i) add_product(row[i], minus_L[r][i], row[r]);
      store_segment(U[r] + t, row[r]);
      store_segment(L[r] + t, product(inverse_D[r], row[r]));
    }
  });
}

/// Reads the upper triangle of M; writes L, U and 1/D.
template <class T>
LISSOM_FLATTEN void factorize(const Sparsity& s, BlockedFactor<T>& f, const T* M, int stride) {
  for (auto block = s.blocks.rbegin(); block != s.blocks.rend(); ++block)
    with_constant(block->rows, [&](auto R) { factorize_rows<R>(s, f, block->first, M, stride); });
}

// Solves Lᵀ y = b in place: subtracts multiples of y in rows j … j + R - 1 from the rows towards the base.
template <int R, class T>
LISSOM_INLINE void solve_inward(const Sparsity& s, const BlockedFactor<T>& f, int j, T* x) {
  const int *const column = &s.column[s.start[j]], n = s.count[j];
  const T* L[R];
  T y[R];
  LISSOM_UNROLL for (int r = 0; r < R; ++r) L[r] = &f.L[s.start[j + r]], y[r] = x[j + r];
  LISSOM_UNROLL for (int r = R - 1; r >= 0; --r) {
    LISSOM_UNROLL for (int i = 0; i < r; ++i) y[i] -= L[r][n + i] * y[r];
    x[j + r] = y[r];
  }
  for (int t = 0; t < n; ++t) {
    T sum = x[column[t]];
    LISSOM_UNROLL for (int r = R - 1; r >= 0; --r) sum -= L[r][t] * y[r];
    x[column[t]] = sum;
  }
}
// Solves L x = D⁻¹ y in place: rows j … j + R - 1, when those towards the base are known.
template <int R, class T>
LISSOM_INLINE void solve_outward(const Sparsity& s, const BlockedFactor<T>& f, int j, T* x) {
  const int *const column = &s.column[s.start[j]], n = s.count[j];
  const T* L[R];
  T y[R];
  LISSOM_UNROLL for (int r = 0; r < R; ++r) L[r] = &f.L[s.start[j + r]], y[r] = f.inverse_D[j + r] * x[j + r];
  for (int t = 0; t < n; ++t) {
    const T known = x[column[t]];
    LISSOM_UNROLL for (int r = 0; r < R; ++r) y[r] -= L[r][t] * known;
  }
  LISSOM_UNROLL for (int r = 0; r < R; ++r) {
    LISSOM_UNROLL for (int i = 0; i < r; ++i) y[r] -= L[r][n + i] * y[i];
    x[j + r] = y[r];
  }
}

/// x = M⁻¹ b; x may be b.
template <class T>
LISSOM_FLATTEN void solve(const Sparsity& s, const BlockedFactor<T>& f, const T* b, T* x) {
  for (int i = 0; i < s.nv(); ++i) x[i] = b[i];
  for (auto block = s.blocks.rbegin(); block != s.blocks.rend(); ++block)
    with_constant(block->rows, [&](auto R) { solve_inward<R>(s, f, block->first, x); });
  for (const auto& block : s.blocks) with_constant(block.rows, [&](auto R) { solve_outward<R>(s, f, block.first, x); });
}

/// Writes the factor in full: L with zeros and its unit diagonal, and D.
template <class T>
void write_out(const Sparsity& s, const BlockedFactor<T>& f, T* L, T* D, int stride) {
  for (int i = 0; i < s.nv(); ++i) {
    for (int j = 0; j < s.nv(); ++j) L[i * stride + j] = i == j ? one<T>() : zero<T>();
    for (int t = s.start[i]; t < s.start[i] + s.count[i]; ++t) L[i * stride + s.column[t]] = f.L[t];
    D[i] = f.U[s.start[i] + s.count[i]];
  }
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
