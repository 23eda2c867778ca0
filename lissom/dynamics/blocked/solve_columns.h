#pragma once
// -M⁻¹ B = -W D⁻¹ Wᵀ B with W = L⁻¹, from the blocked factor M = Lᵀ D L (factor.h), for two matrices B that are as
// sparse as M: B(i, j) is zero unless i and j lie on one chain. The derivatives of forward dynamics need it. A few
// columns of each matrix are solved at a time. Wᵀ keeps the sparsity of B, and W multiplies only the degrees of freedom
// that a row has in common with the columns. No product waits for another, as it would in solutions with L; and for one
// robot, Wᵀ gives the columns of M⁻¹ as well.
#include "lissom/dynamics/blocked/inverse_of_factor.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

/// What is solved for together: `given` parts of the two matrices, of a column each in lanes, or of as many columns as
/// fill a register; and for one robot, the same columns of M⁻¹.
template <class T>
struct SolvedGroup {
  using Part = T;
  static constexpr int columns = 1, given = 4, parts = 4;
  int matrix[given], column[given];  ///< where each part is, and its first column
};
template <Packable T>
struct SolvedGroup<T> {
  static constexpr int columns = batch_lanes<T> < 8 ? batch_lanes<T> : 8;  // rows are padded to eights
  using Part = Lanes<T, columns>;
  static constexpr int given = 2, parts = 3;
  int matrix[given], column[given];
};

template <class T>
struct BlockedSolveScratch {
  using Group = SolvedGroup<T>;
  /// What a block of rows (Sparsity::blocks) and a group of columns have in common.
  struct Overlap {
    bool on_one_chain;           ///< some of the rows with some of the columns
    int towards_base;            ///< how many columns of the rows' chain, from the base on
    bool free_base;              ///< these are 0 … 5, as of limbs on a free base, but for the one with the columns
    int below_begin, below_end;  ///< in `below`: the rows below the block, with some of the columns
  };
  Array<Group> groups;
  Array<Overlap> overlap;  // for each group of columns, and each block of rows
  Array<int> below;
  Array<typename Group::Part> y;  // -D⁻¹ Wᵀ B of a group of columns, row by row

  /// known(m, j): whether column j of matrix m is not needed.
  template <class Known>
  BlockedSolveScratch(const Sparsity& s, Known known) : y(std::size_t(s.nv() * Group::parts)) {
    const auto each_part = [&](auto use) {
      // From the tips inward, so that fewer groups have columns of several limbs.
      for (int j = (s.nv() - 1) / Group::columns * Group::columns; j >= 0; j -= Group::columns)
        for (int m = 0; m < 2; ++m)
          if (Group::columns > 1 || !known(m, j)) use(m, j);
    };
    std::size_t count = 0, next = 0;
    each_part([&](int, int) { ++count; });
    groups = Array<Group>((count + Group::given - 1) / Group::given);
    each_part([&](int m, int j) {
      auto& group = groups[next / Group::given];
      // The last group may be incomplete: it repeats its last part.
      for (std::size_t p = next++ % Group::given; p < Group::given; ++p) group.matrix[p] = m, group.column[p] = j;
    });
    overlap = Array<Overlap>(groups.size() * s.blocks.size());
    below = Array<int>(find_overlaps(s, nullptr));
    find_overlaps(s, below.data());
  }

 private:
  // Sets `overlap`; writes the rows of `below`, if they are given, and returns how many they are.
  std::size_t find_overlaps(const Sparsity& s, int* rows) {
    int count = 0;
    auto* to = overlap.data();
    Array<bool> related(std::size_t(s.nv()));
    for (const auto& group : groups) {
      for (int i = 0; i < s.nv(); ++i) related[i] = is_related(s, i, group);
      for (const auto& block : s.blocks) {
        const int last = block.first + block.rows - 1;
        *to = {false, 0, false, count, count};
        for (int i = block.first; i <= last; ++i) to->on_one_chain |= related[i];
        while (to->towards_base < s.count[block.first] && related[s.column[s.start[block.first] + to->towards_base]])
          ++to->towards_base;
        to->free_base = to->towards_base == 6 && s.column[s.start[block.first] + 5] == 5;
        for (int i = last + 1; i < s.nv(); ++i)
          if (related[i] && on_one_chain(s, i, last)) {
            if (rows) rows[count] = i;
            ++count;
          }
        to++->below_end = count;
      }
    }
    return std::size_t(count);
  }
  static bool is_related(const Sparsity& s, int i, const Group& group) {
    for (const int first : group.column)
      for (int j = first; j < first + Group::columns && j < s.nv(); ++j)
        if (i < j ? on_one_chain(s, j, i) : on_one_chain(s, i, j)) return true;
    return false;
  }
  // Whether row i has an entry in column j ≤ i: it is the one after all those of row j.
  static bool on_one_chain(const Sparsity& s, int i, int j) {
    return i == j || (s.count[i] > s.count[j] && s.column[s.start[i] + s.count[j]] == j);
  }
};

// R rows of a group of columns, in registers.
template <int R, int parts, class Part>
struct RowsOfGroup {
  Part x[R][parts];
  // Row `to` plus a times a row y.
  template <class T>
  LISSOM_INLINE void add(int to, T a, const Part* y) {
    LISSOM_UNROLL for (int p = 0; p < parts; ++p) x[to][p] += a * y[p];
  }
};

/// The solution for one group of columns.
template <class T>
struct GroupSolver {
  using Scratch = BlockedSolveScratch<T>;
  using Group = SolvedGroup<T>;
  using Part = typename Group::Part;
  static constexpr int parts = Group::parts, given = Group::given;
  const Sparsity& s;
  const BlockedFactor<T>& f;
  const BlockedInverseScratch<T>& inverse;
  Scratch& w;
  int stride;
  // The first row of each part.
  const T* B[parts];
  T* X[parts];

  LISSOM_INLINE GroupSolver(const Sparsity& sparsity, const BlockedFactor<T>& factor,
                            const BlockedInverseScratch<T>& inverse_factor, Scratch& scratch, const Group& group,
                            const std::array<const T*, 2>& from, const std::array<T*, 3>& to, int row_stride)
      : s(sparsity), f(factor), inverse(inverse_factor), w(scratch), stride(row_stride) {
    LISSOM_UNROLL for (int p = 0; p < given; ++p) {
      B[p] = from[std::size_t(group.matrix[p])] + group.column[p];
      X[p] = to[std::size_t(group.matrix[p])] + group.column[p];
    }
    if constexpr (given < parts) B[given] = &inverse.W_columns[group.column[0]], X[given] = to[2] + group.column[0];
  }

  LISSOM_INLINE void load_row(int i, Part* row) const {
    LISSOM_UNROLL for (int p = 0; p < given; ++p) row[p] = keep_in_register(load<Part>(B[p] + i * stride));
  }
  // y = -D⁻¹ Wᵀ B for rows j … j + R - 1.
  template <int R>
  LISSOM_INLINE void inward(int j, const typename Scratch::Overlap& overlap) const {
    const int n = s.count[j];
    RowsOfGroup<R, given, Part> rows;
    LISSOM_UNROLL for (int r = 0; r < R; ++r) {
      load_row(j + r, rows.x[r]);
      LISSOM_UNROLL for (int c = 0; c < r; ++c) rows.add(c, inverse.W[s.start[j + r] + n + c], rows.x[r]);
    }
    for (int b = overlap.below_begin; b < overlap.below_end; ++b) {
      const T* const W = &inverse.W[s.start[w.below[b]] + n];
      Part row[given];
      load_row(w.below[b], row);
      LISSOM_UNROLL for (int r = 0; r < R; ++r) rows.add(r, keep_in_register(W[r]), row);
    }
    LISSOM_UNROLL for (int r = 0; r < R; ++r) {
      Part* const y = &w.y[(j + r) * parts];
      const T scale = f.inverse_D[j + r];
      LISSOM_UNROLL for (int p = 0; p < given; ++p) y[p] = -scale * rows.x[r][p];
      if constexpr (given < parts) y[given] = scale * load<Part>(B[given] + (j + r) * inverse.stride);
    }
  }
  // X = W y for rows j … j + R - 1.
  template <int R>
  LISSOM_INLINE void outward(int j, const typename Scratch::Overlap& overlap) const {
    const int *const column = &s.column[s.start[j]], n = s.count[j];
    const T* W[R];
    RowsOfGroup<R, parts, Part> rows;
    LISSOM_UNROLL for (int r = 0; r < R; ++r) {
      W[r] = &inverse.W[s.start[j + r]];
      LISSOM_UNROLL for (int p = 0; p < parts; ++p) rows.x[r][p] = zero<Part>();
    }
    const auto add_column = [&](int t, int k) {
      Part y[parts];
      LISSOM_UNROLL for (int p = 0; p < parts; ++p) y[p] = keep_in_register(w.y[k * parts + p]);
      LISSOM_UNROLL for (int r = 0; r < R; ++r) rows.add(r, keep_in_register(W[r][t]), y);
    };
    if (overlap.free_base)
      LISSOM_UNROLL for (int t = 0; t < 6; ++t) add_column(t, t);
    else
      for (int t = 0; t < overlap.towards_base; ++t) add_column(t, column[t]);
    if (overlap.on_one_chain) {
      LISSOM_UNROLL for (int c = 0; c < R; ++c) {
        const Part* const y = &w.y[(j + c) * parts];
        LISSOM_UNROLL for (int p = 0; p < parts; ++p) rows.x[c][p] += y[p];
        LISSOM_UNROLL for (int r = c + 1; r < R; ++r) rows.add(r, W[r][n + c], y);
      }
    }
    LISSOM_UNROLL for (int r = 0; r < R; ++r) LISSOM_UNROLL for (int p = 0; p < parts; ++p)
        store(X[p] + (j + r) * stride, rows.x[r][p]);
  }
};

/// X = -M⁻¹ B for two matrices that are as sparse as M, and the third of X is M⁻¹. Rows are `stride` apart, a multiple
/// of eight (row_stride); the elements between nv and `stride` have no meaning. B and X must not overlap.
template <class T>
LISSOM_FLATTEN void solve_columns(const Sparsity& s, const BlockedFactor<T>& f, BlockedInverseScratch<T>& inverse,
                                  BlockedSolveScratch<T>& w, const std::array<const T*, 2>& B,
                                  const std::array<T*, 3>& X, int stride) {
  invert_factor(s, f, inverse);
  const auto* overlap = w.overlap.data();
  for (const auto& group : w.groups) {
    const GroupSolver<T> solver(s, f, inverse, w, group, B, X, stride);
    for (std::size_t b = 0; b < s.blocks.size(); ++b)
      if (overlap[b].on_one_chain)
        with_constant(s.blocks[b].rows,
                      [&](auto R) { LISSOM_INLINE_CALL solver.template inward<R>(s.blocks[b].first, overlap[b]); });
    for (std::size_t b = 0; b < s.blocks.size(); ++b)
      with_constant(s.blocks[b].rows,
                    [&](auto R) { LISSOM_INLINE_CALL solver.template outward<R>(s.blocks[b].first, overlap[b]); });
    overlap += s.blocks.size();
  }
  if constexpr (!is_packable<T>) invert_from_factor<true>(s, f, inverse, X[2], stride);
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
