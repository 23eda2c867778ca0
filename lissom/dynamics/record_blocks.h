#pragma once
// Records X<T> of one body or degree of freedom each, made of numbers of type T only (motions, forces, inertias), that
// are processed in blocks: with plain numbers, a block is a register full of records, X<Lanes>; where the scalar is
// itself lanes (many robots), or is neither, it is one record. Records lie one after another, so that single ones can
// be read and written; a block is gathered by transposition.
#include <algorithm>
#include <array>
#include <cstring>
#include <ranges>
#include <span>
#include <type_traits>

#include "lissom/math/lanes.h"
#include "lissom/math/transpose_square.h"
#include "lissom/spatial/force.h"
#include "lissom/tree/array.h"
#include "lissom/tree/tree.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

// Blocks are as wide as a register, up to the eight columns that rows are padded to: the solution for the derivatives
// of forward dynamics loads eight columns at once, and can do so without waiting only if they were stored at once.
template <class T>
inline constexpr int block_width = is_packable<T> ? (batch_lanes<Number<T>> < 8 ? batch_lanes<Number<T>> : 8) : 1;
template <class T>
struct BlockOf {
  using type = T;
};
template <Packable T>
struct BlockOf<T> {
  using type = Lanes<T, block_width<T>>;
};
/// The scalar of a block of records.
template <class T>
using Block = typename BlockOf<T>::type;

/// The same numbers as another type.
template <class To, class From>
LISSOM_INLINE To same_numbers(const From& from) {
  static_assert(sizeof(To) <= sizeof(From));
  To to;
  std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof(To));
  return to;
}

/// Writes one of the records of a block. Both are made of numbers T only.
template <class T, class BlockOfRecords, class Record>
void set_lane(BlockOfRecords& block, int lane, const Record& record) {
  static_assert(sizeof(BlockOfRecords) == block_width<T> * sizeof(Record));
  T* const to = reinterpret_cast<T*>(&block) + lane;
  const T* const from = reinterpret_cast<const T*>(&record);
  for (int i = 0; i < int(sizeof(Record) / sizeof(T)); ++i) to[i * block_width<T>] = from[i];
}

template <template <class> class X, class T>
class RecordArray {
  static constexpr int width = block_width<T>, numbers = int(sizeof(X<T>) / sizeof(T));
  static constexpr int pitch = (numbers + width - 1) / width * width;  // from record to record

 public:
  RecordArray() = default;
  explicit RecordArray(std::size_t n) : all_((n + std::size_t(width)) * pitch) {}
  LISSOM_INLINE X<T>& operator[](int k) { return *reinterpret_cast<X<T>*>(&all_[k * pitch]); }

  /// The block of the records index(0), index(1), …; of one record where B is T.
  template <class B, class Index>
  LISSOM_INLINE decltype(auto) block(Index index) {
    if constexpr (std::is_same_v<B, T>) {
      return (*this)[index(0)];
    } else {
      std::array<Block<T>, pitch> x;
      LISSOM_UNROLL for (int r = 0; r < pitch; r += width) {
        LISSOM_UNROLL for (int l = 0; l < width; ++l) x[r + l] = Block<T>::load(&all_[index(l) * pitch + r]);
        transpose_square(&x[r]);
      }
      return same_numbers<X<Block<T>>>(x);
    }
  }
  /// Writes the block of the records k, k + 1, …
  template <class B>
  LISSOM_INLINE void set_block(int k, const X<B>& value) {
    if constexpr (std::is_same_v<B, T>) {
      (*this)[k] = value;
    } else {
      std::array<Block<T>, pitch> x{};
      std::memcpy(static_cast<void*>(&x), static_cast<const void*>(&value), sizeof(value));
      LISSOM_UNROLL for (int r = 0; r < pitch; r += width) {
        transpose_square(&x[r]);
        LISSOM_UNROLL for (int l = 0; l < width; ++l) x[r + l].store(&all_[(k + l) * pitch + r]);
      }
    }
  }
  /// Adds one record to another, number by number.
  LISSOM_INLINE void add(int to, int from) {
    using B = Block<T>;
    LISSOM_UNROLL for (int r = 0; r < pitch; r += width)
        store(&all_[to * pitch + r], B(load<B>(&all_[to * pitch + r]) + load<B>(&all_[from * pitch + r])));
  }
  /// Writes record `from` plus a multiple of a record of another array.
  LISSOM_INLINE void set_sum(int to, int from, const T& factor, const RecordArray& other, int other_from) {
    using B = Block<T>;
    LISSOM_UNROLL for (int r = 0; r < pitch; r += width)
        store(&all_[to * pitch + r],
              B(load<B>(&all_[from * pitch + r]) + factor * load<B>(&other.all_[other_from * pitch + r])));
  }

 private:
  Array<T> all_;
};

/// The type of a column's index that can be compared in blocks.
template <class T>
struct BlockIndex {
  using type = int;
};
template <Packable T>
struct BlockIndex<T> {
  using type = typename Block<T>::Int;
};

/// Which of the columns k, k + 1, … of a block lie in first … last; writes the entries of a matrix that belong to them,
/// and zeros for the others.
template <class T, class B>
struct BlockMask {
  int k;
  bool inside;
  LISSOM_INLINE BlockMask(int begin, int first, int last) : k(begin), inside(begin >= first && begin <= last) {}
  /// The columns j ≤ i whose last[j] is at least i.
  template <class Index>
  LISSOM_INLINE BlockMask(int begin, int, const Index*) : k(begin), inside(true) {}
  template <class X>
  LISSOM_INLINE const X& pick(const X& a, const X& b) const {
    return inside ? a : b;
  }
  LISSOM_INLINE void write(T* row, const T& x) const { row[k] = x; }
  LISSOM_INLINE void write(T* row, const T& x, const BlockMask&, const T&) const { row[k] = x; }
};
template <class T, class B>
  requires(!std::is_same_v<T, B>)
struct BlockMask<T, B> {
  using L = B;
  using Int = typename L::Int;
  int k;
  typename L::Mask inside;
  LISSOM_INLINE BlockMask(int begin, int first, int last) : k(begin) {
    const auto column = lane_numbers<L>() + Int(begin);
    inside = (column >= Int(first)) & (column <= Int(last));
  }
  LISSOM_INLINE BlockMask(int begin, int i, const Int* last) : k(begin) {
    typename L::Mask last_of_column;
    std::memcpy(&last_of_column, last + begin, sizeof(last_of_column));
    inside = (lane_numbers<L>() + Int(begin) <= Int(i)) & (last_of_column >= Int(i));
  }
  /// a inside, b outside
  LISSOM_INLINE L pick(const L& a, const L& b) const { return select(inside, a, b); }
  LISSOM_INLINE Force<L> pick(const Force<L>& a, const Force<L>& b) const {
    const auto each = [&](const Vec3<L>& x, const Vec3<L>& y) {
      return Vec3<L>(pick(x.x, y.x), pick(x.y, y.y), pick(x.z, y.z));
    };
    return {each(a.angular, b.angular), each(a.linear, b.linear)};
  }
  LISSOM_INLINE void write(T* row, const L& x) const { select(inside, x, zero<L>()).store(row + k); }
  /// x inside, y inside another mask
  LISSOM_INLINE void write(T* row, const L& x, const BlockMask& other, const L& y) const {
    other.pick(y, pick(x, zero<L>())).store(row + k);
  }
};

/// A block of columns of a matrix over the degrees of freedom, k, k + 1, …, and the rows that have entries in it.
struct ColumnBlock {
  int k;
  bool single_axes;                  ///< each of its degrees of freedom is the only one of its joint
  int carriers_begin, carriers_end;  ///< the bodies that carry some of its columns
  int carried_begin, carried_end;    ///< the rows after these bodies' own, which some of the columns carry
};

template <class T>
struct ColumnBlocks {
  Array<ColumnBlock> blocks;
  Array<int> carrier;                        // the bodies that carry some columns of each block, from the tips inward
  Array<typename BlockIndex<T>::type> last;  // the last degree of freedom that each one carries
  bool has_single_column;                    // the last block

  template <class Real>
  explicit ColumnBlocks(const Tree<Real>& tree)
      : blocks(std::size_t((tree.nv + width - 1) / width)),
        last(std::size_t(tree.nv + padding)),
        has_single_column(tree.nv % width == 1) {
    const auto carries = [](const auto& body, int k) { return body.v < k + width && body.last_v >= k; };
    std::size_t count = 0;
    for (int k = 0; k < tree.nv; k += width)
      for (const auto& body : tree.outward()) count += carries(body, k);
    carrier = Array<int>(count);
    int next = 0;
    for (int b = 0; b < int(blocks.size()); ++b) {
      auto& block = blocks[b];
      block = {b * width, true, next, next, 0, 0};
      for (const auto& body : tree.inward())
        if (carries(body, block.k)) add_carrier(block, body, next);
      block.carriers_end = next;
    }
  }
  /// Calls f(block, zero) for each block from the last on; zero is of the type of its scalar. A last block of one
  /// column is processed in plain numbers: to gather and scatter single records costs more than it gains.
  template <class F>
  LISSOM_INLINE void for_each_inward(F&& f) const {
    auto b = blocks.size();
    if constexpr (width > 1)
      if (has_single_column) LISSOM_INLINE_CALL f(blocks[--b], T{});
    while (b > 0) LISSOM_INLINE_CALL f(blocks[--b], Block<T>{});
  }
  LISSOM_INLINE std::span<const int> carriers(const ColumnBlock& block) const {
    return {carrier.data() + block.carriers_begin, carrier.data() + block.carriers_end};
  }

 private:
  static constexpr int width = block_width<T>;
  template <class Real>
  void add_carrier(ColumnBlock& block, const Body<Real>& body, int& next) {
    carrier[next++] = body.index;
    const int end = body.v + body.dofs;
    if (end <= block.k) return;  // none of its own columns is in the block
    for (int j = body.v; j < end; ++j) last[j] = body.last_v;
    if (body.dofs > 1) block.single_axes = false;
    block.carried_begin = std::max(block.carried_begin, end);
    // Where a block is one column, those of a root joint are written row by row.
    if (width > 1 || body.parent != world) block.carried_end = std::max(block.carried_end, body.last_v + 1);
  }
};

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
