#pragma once
// One force per degree of freedom, processed in blocks: the composite-rigid-body algorithm applies the same transform
// to all columns of a subtree. With plain numbers a block is a register full of columns; where the scalar is itself
// lanes (many robots), it is one column.
#include <array>

#include "lissom/math/lanes.h"
#include "lissom/tree/array.h"
#include "lissom/tree/tree.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

/// Six rows, one for each component, over all degrees of freedom.
template <class T>
struct ForceColumns {
  int stride;
  Array<T> rows;
  explicit ForceColumns(int columns)
      : stride((columns + 2 * padding - 1) / padding * padding), rows(std::size_t(6 * stride)) {}
};

/// A block of one column.
template <class T>
struct OneColumn {
  ForceColumns<T>& all;
  int k;
  LISSOM_INLINE Force<T> force() const {
    const T* p = &all.rows[std::size_t(6 * k)];
    return {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}};
  }
  LISSOM_INLINE void keep(const Force<T>& f) const {
    T* p = &all.rows[std::size_t(6 * k)];
    p[0] = f.angular.x, p[1] = f.angular.y, p[2] = f.angular.z;
    p[3] = f.linear.x, p[4] = f.linear.y, p[5] = f.linear.z;
  }
  LISSOM_INLINE void write(T* row, T x) const { row[k] = x; }
  LISSOM_INLINE void write_down(T* column, int stride, T x) const { column[k * stride] = x; }
};

/// A register full of columns, of which some may lie outside the subtree.
template <class T>
struct SomeColumns {
  using L = Lanes<T, natural_lanes<T>>;
  using Mask = typename L::Mask;
  ForceColumns<T>& all;
  int k;
  Mask inside;
  Force<L> before;

  LISSOM_INLINE const Force<L>& force() const { return before; }
  LISSOM_INLINE static Force<L> load(const ForceColumns<T>& all, int k) {
    const T* p = &all.rows[std::size_t(k)];
    const int s = all.stride;
    return {{L::load(p), L::load(p + s), L::load(p + 2 * s)},
            {L::load(p + 3 * s), L::load(p + 4 * s), L::load(p + 5 * s)}};
  }
  LISSOM_INLINE static Force<L> blend(Mask m, const Force<L>& a, const Force<L>& b) {
    return {
        {select(m, a.angular.x, b.angular.x), select(m, a.angular.y, b.angular.y), select(m, a.angular.z, b.angular.z)},
        {select(m, a.linear.x, b.linear.x), select(m, a.linear.y, b.linear.y), select(m, a.linear.z, b.linear.z)}};
  }
  LISSOM_INLINE void insert(Mask here, const Force<T>& own) {
    before = blend(
        here,
        {{L(own.angular.x), L(own.angular.y), L(own.angular.z)}, {L(own.linear.x), L(own.linear.y), L(own.linear.z)}},
        before);
  }
  LISSOM_INLINE void keep(const Force<L>& f) const {
    const auto r = blend(inside, f, before);
    T* p = &all.rows[std::size_t(k)];
    const int s = all.stride;
    r.angular.x.store(p), r.angular.y.store(p + s), r.angular.z.store(p + 2 * s);
    r.linear.x.store(p + 3 * s), r.linear.y.store(p + 4 * s), r.linear.z.store(p + 5 * s);
  }
  /// Writes the entries of a matrix row that belong to the block; zero outside the subtree.
  LISSOM_INLINE void write(T* row, L x) const { select(inside, x, zero<L>()).store(row + k); }
  /// Writes the same down a column of the matrix; nothing outside the subtree.
  LISSOM_INLINE void write_down(T* column, int stride, L x) const {
    for (int i = 0; i < natural_lanes<T>; ++i)
      if (inside[i]) column[(k + i) * stride] = x.v[i];
  }
};

/// Calls f(force, block) for every block that overlaps the columns first … last. The first N columns are `own`, not
/// read.
template <class T, std::size_t N, class F>
LISSOM_INLINE void for_each_column(ForceColumns<T>& all, int first, int last, const std::array<Force<T>, N>& own,
                                   F&& f) {
  if constexpr (is_packable<T>) {
    using Block = SomeColumns<T>;
    using Int = typename Block::L::Int;
    constexpr int width = natural_lanes<T>;
    const auto lane = lane_numbers<typename Block::L>();
    for (int k = first / width * width; k <= last; k += width) {
      const auto column = lane + Int(k);
      Block block{all, k, (column >= Int(first)) & (column <= Int(last)), Block::load(all, k)};
      if (k < first + int(N))
        for (int j = 0; j < int(N); ++j) block.insert(column == Int(first + j), own[std::size_t(j)]);
      LISSOM_INLINE_CALL f(block.before, block);
    }
  } else {
    for (int j = 0; j < int(N); ++j) LISSOM_INLINE_CALL f(own[std::size_t(j)], OneColumn<T>{all, first + j});
    for (int k = first + int(N); k <= last; ++k) {
      const OneColumn<T> block{all, k};
      LISSOM_INLINE_CALL f(block.force(), block);
    }
  }
}

/// Writes the columns first … first + N - 1, for an algorithm that afterwards reads all columns alike.
template <class T, std::size_t N>
LISSOM_INLINE void set_columns(ForceColumns<T>& all, int first, const std::array<Force<T>, N>& own) {
  for (std::size_t j = 0; j < N; ++j) {
    if constexpr (is_packable<T>) {
      T* const p = &all.rows[std::size_t(first) + j];
      const int s = all.stride;
      p[0] = own[j].angular.x, p[s] = own[j].angular.y, p[2 * s] = own[j].angular.z;
      p[3 * s] = own[j].linear.x, p[4 * s] = own[j].linear.y, p[5 * s] = own[j].linear.z;
    } else {
      OneColumn<T>{all, first + int(j)}.keep(own[j]);
    }
  }
}

/// Calls f(block of each set) for every block that overlaps the columns first … last.
template <class F, class T, class... More>
LISSOM_INLINE void for_each_column(int first, int last, F&& f, ForceColumns<T>& set, More&... sets) {
  if constexpr (is_packable<T>) {
    using Block = SomeColumns<T>;
    using Int = typename Block::L::Int;
    constexpr int width = natural_lanes<T>;
    const auto lane = lane_numbers<typename Block::L>();
    for (int k = first / width * width; k <= last; k += width) {
      const auto column = lane + Int(k);
      const auto inside = (column >= Int(first)) & (column <= Int(last));
      LISSOM_INLINE_CALL f(Block{set, k, inside, Block::load(set, k)}, Block{sets, k, inside, Block::load(sets, k)}...);
    }
  } else {
    for (int k = first; k <= last; ++k) LISSOM_INLINE_CALL f(OneColumn<T>{set, k}, OneColumn<T>{sets, k}...);
  }
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
