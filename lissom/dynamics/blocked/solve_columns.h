#pragma once
// M⁻¹ B from the blocked factor M = Lᵀ D L (factor.h), for N matrices B at once that are as sparse as M: B(i, j) is
// zero unless i and j lie on one chain. The derivatives of forward dynamics need it. A few columns of each matrix are
// solved at a time, in a buffer that stays in the cache. Lᵀ keeps the sparsity of B, so that the inward pass skips the
// other limbs; the outward pass fills the result.
#include "lissom/dynamics/blocked/factor.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

/// Columns of one matrix that are solved together, in `parts` scalars: a register of plain numbers, or two lanes.
template <class T>
struct ColumnGroup {
  using Part = T;
  static constexpr int parts = 2, columns = 2;
};
template <Packable T>
struct ColumnGroup<T> {
  static constexpr int parts = 1, columns = batch_lanes<T> < 8 ? batch_lanes<T> : 8;  // rows are padded to eights
  using Part = Lanes<T, columns>;
};

template <class T>
struct BlockedSolveScratch {
  static constexpr int max_matrices = 3;
  using Group = ColumnGroup<T>;
  Array<typename Group::Part> x;  // the columns of a group, row by row
  // For each group of columns, and each block of rows (Sparsity::blocks), whether they have entries in common.
  Array<bool> has_entries;
  explicit BlockedSolveScratch(const Sparsity& s) : x(std::size_t(s.nv() * Group::parts * max_matrices)) {
    const int groups = (s.nv() + Group::columns - 1) / Group::columns;
    const auto related = [&](const Sparsity::Block& block, int g) {
      for (int i = block.first; i < block.first + block.rows; ++i)
        for (int j = g * Group::columns; j < (g + 1) * Group::columns && j < s.nv(); ++j)
          if (on_one_chain(s, i, j)) return true;
      return false;
    };
    has_entries = Array<bool>(std::size_t(groups) * s.blocks.size());
    for (int g = 0; g < groups; ++g)
      for (std::size_t b = 0; b < s.blocks.size(); ++b)
        has_entries[std::size_t(g) * s.blocks.size() + b] = related(s.blocks[b], g);
  }

 private:
  static bool on_one_chain(const Sparsity& s, int i, int j) {
    if (i < j) return on_one_chain(s, j, i);
    while (i > j) i = s.parent(i);
    return i == j;
  }
};

// Rows j … j + R - 1 of a group of columns, in registers.
template <int R, int parts, class Part>
struct RowsOfGroup {
  Part y[R][parts];
  LISSOM_INLINE void load(const Part* x) {
    LISSOM_UNROLL for (int r = 0; r < R; ++r) LISSOM_UNROLL for (int p = 0; p < parts; ++p) y[r][p] = x[r * parts + p];
  }
  LISSOM_INLINE void store(Part* x) const {
    LISSOM_UNROLL for (int r = 0; r < R; ++r) LISSOM_UNROLL for (int p = 0; p < parts; ++p) x[r * parts + p] = y[r][p];
  }
  // Row `to` minus a times row `from`.
  template <class T>
  LISSOM_INLINE void subtract(int to, T a, int from) {
    LISSOM_UNROLL for (int p = 0; p < parts; ++p) y[to][p] -= a * y[from][p];
  }
};

// Solves Lᵀ y = x in place: subtracts multiples of rows j … j + R - 1 from those towards the base.
template <int R, int parts, class T, class Part>
LISSOM_INLINE void solve_group_inward(const Sparsity& s, const BlockedFactor<T>& f, int j, Part* x) {
  const int *const column = &s.column[s.start[j]], n = s.count[j];
  const T* L[R];
  LISSOM_UNROLL for (int r = 0; r < R; ++r) L[r] = &f.L[s.start[j + r]];
  RowsOfGroup<R, parts, Part> rows;
  rows.load(x + j * parts);
  LISSOM_UNROLL for (int r = R - 1; r > 0; --r) LISSOM_UNROLL for (int i = 0; i < r; ++i)
      rows.subtract(i, L[r][n + i], r);
  rows.store(x + j * parts);
  for (int t = 0; t < n; ++t) {
    Part* const to = x + column[t] * parts;
    T a[R];
    LISSOM_UNROLL for (int r = 0; r < R; ++r) a[r] = L[r][t];
    LISSOM_UNROLL for (int p = 0; p < parts; ++p) {
      Part sum = to[p];
      LISSOM_UNROLL for (int r = 0; r < R; ++r) sum -= a[r] * rows.y[r][p];
      to[p] = sum;
    }
  }
}
// Solves L x = D⁻¹ y in place: rows j … j + R - 1, when those towards the base are known. Returns them.
template <int R, int parts, class T, class Part>
LISSOM_INLINE RowsOfGroup<R, parts, Part> solve_group_outward(const Sparsity& s, const BlockedFactor<T>& f, int j,
                                                              Part* x) {
  const int *const column = &s.column[s.start[j]], n = s.count[j];
  const T* L[R];
  LISSOM_UNROLL for (int r = 0; r < R; ++r) L[r] = &f.L[s.start[j + r]];
  RowsOfGroup<R, parts, Part> rows;
  rows.load(x + j * parts);
  LISSOM_UNROLL for (int r = 0; r < R; ++r) LISSOM_UNROLL for (int p = 0; p < parts; ++p) rows.y[r][p] =
      f.inverse_D[j + r] * rows.y[r][p];
  for (int t = 0; t < n; ++t) {
    Part known[parts];
    LISSOM_UNROLL for (int p = 0; p < parts; ++p) known[p] = keep_in_register(x[column[t] * parts + p]);
    LISSOM_UNROLL for (int r = 0; r < R; ++r) {
      const T a = L[r][t];
      LISSOM_UNROLL for (int p = 0; p < parts; ++p) rows.y[r][p] -= a * known[p];
    }
  }
  LISSOM_UNROLL for (int r = 1; r < R; ++r) LISSOM_UNROLL for (int i = 0; i < r; ++i) rows.subtract(r, L[r][n + i], i);
  rows.store(x + j * parts);
  return rows;
}

/// X[m] = factor[m] M⁻¹ B[m] for N matrices that are as sparse as M. Their rows are `stride` apart, a multiple of eight
/// (row_stride); the elements between nv and `stride` have no meaning. B and X must not overlap.
template <int N, class T>
LISSOM_FLATTEN void solve_columns(const Sparsity& s, const BlockedFactor<T>& f, BlockedSolveScratch<T>& w,
                                  const std::array<const T*, N>& B, const std::array<Number<T>, N>& factor,
                                  const std::array<T*, N>& X, int stride) {
  static_assert(N <= BlockedSolveScratch<T>::max_matrices);
  using Group = ColumnGroup<T>;
  using Part = typename Group::Part;
  constexpr int parts = N * Group::parts, step = Group::columns / Group::parts;
  Part* const x = w.x.data();
  for (int g = 0; g * Group::columns < s.nv(); ++g) {
    const bool* const has_entries = &w.has_entries[std::size_t(g) * s.blocks.size()];
    // Calls use(p, m, where column p / N of the group lies in row i of matrix m).
    const auto each = [&](int i, auto&& use) {
      LISSOM_UNROLL for (int m = 0; m < N; ++m) LISSOM_UNROLL for (int p = 0; p < Group::parts; ++p)
          use(m * Group::parts + p, std::size_t(m), i * stride + g * Group::columns + p * step);
    };
    for (std::size_t b = 0; b < s.blocks.size(); ++b)
      for (int i = s.blocks[b].first; i < s.blocks[b].first + s.blocks[b].rows; ++i)
        each(i, [&](int p, std::size_t m, int at) {
          x[i * parts + p] = has_entries[b] ? Part(factor[m] * load<Part>(B[m] + at)) : zero<Part>();
        });
    for (std::size_t b = s.blocks.size(); b-- > 0;)
      if (has_entries[b])
        with_constant(s.blocks[b].rows, [&](auto R) { solve_group_inward<R, parts>(s, f, s.blocks[b].first, x); });
    for (const auto& block : s.blocks)
      with_constant(block.rows, [&](auto R) {
        const auto rows = solve_group_outward<R, parts>(s, f, block.first, x);
        for (int r = 0; r < R; ++r)
          each(block.first + r, [&](int p, std::size_t m, int at) { store(X[m] + at, rows.y[r][p]); });
      });
  }
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
