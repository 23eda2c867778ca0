#pragma once
// A contact problem in terms of rows: find impulses p and velocities u with
//
//   u = G p + b,   and for each block of rows a law that ties its p to its u.
//
// G = J M⁻¹ Jᵀ is the Delassus matrix, symmetric and positive semidefinite; b is the velocity of the rows without
// impulses, minus the bound β on the normal velocity. docs/contact.md has the laws, with their equations.
//
// A Problem only refers to its data; a ProblemBuffer owns such data.
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "lissom/contact/padded.h"
#include "lissom/math/aligned_memory.h"

namespace lissom::contact {

/// The law of a block.
enum class Kind : std::uint8_t {
  /// Coulomb contact, 3 rows (normal, two tangents): p_n ≥ 0 ⊥ u_n ≥ 0, |p_t| ≤ μ p_n; where it slips, u_t = -λ p_t
  /// with λ ≥ 0.
  cone,
  /// 1 row, lower ≤ p ≤ upper: u = 0 between the bounds, u ≥ 0 at the lower one, u ≤ 0 at the upper one. Joint limits
  /// (0, ∞), dry friction (-h τ_f, h τ_f), motors with limits.
  box,
  /// 1 to 6 rows, u = 0: loops, welds. The rows may be redundant.
  free,
  /// 1 or 2 rows of torsional or rolling friction: |p| ≤ μ p_n with p_n of another block's row, u = -λ p where it
  /// turns.
  disk,
};

inline constexpr int max_free_rows = 6;

/// Rows that share a law. The blocks of a problem follow each other without gaps.
template <class T = double>
struct Block {
  Kind kind = Kind::cone;
  int row = 0;         ///< the first one
  int size = 3;        ///< rows
  int normal_row = 0;  ///< disk: the row whose impulse bounds this block's; of a cone or box, before or after it
  T friction{};        ///< cone: μ; disk: |p| over p_n, a length in m
  T lower{}, upper{};  ///< box: bounds on p, in N s or N m s; may be infinite
};

template <class T = double>
constexpr Block<T> cone(int row, T friction) {
  return {.kind = Kind::cone, .row = row, .size = 3, .friction = friction};
}
template <class T = double>
constexpr Block<T> box(int row, T lower, T upper) {
  return {.kind = Kind::box, .row = row, .size = 1, .lower = lower, .upper = upper};
}
/// A row with p ≥ 0 ⊥ u ≥ 0: a joint limit; or a gap that has to be opened, with b = gap (position projection).
template <class T = double>
constexpr Block<T> unilateral(int row) {
  return box<T>(row, T(Number<T>(0)), T(std::numeric_limits<Number<T>>::infinity()));
}
template <class T = double>
constexpr Block<T> free(int row, int size) {
  return {.kind = Kind::free, .row = row, .size = size};
}
template <class T = double>
constexpr Block<T> disk(int row, int size, int normal_row, T friction) {
  return {.kind = Kind::disk, .row = row, .size = size, .normal_row = normal_row, .friction = friction};
}

/// The data of a problem. They have to outlive the call that solves it.
template <class T = double>
struct Problem {
  int rows = 0;
  const T* G = nullptr;  ///< by rows; each has `stride` elements, of which those from `rows` on are ignored
  int stride = 0;        ///< at least padded<T>(rows)
  const T* b = nullptr;
  std::span<const Block<T>> blocks;
};

/// Memory for a problem that is written anew in each step: rows of G start on a boundary of 64 bytes.
template <class T = double>
class ProblemBuffer {
 public:
  ProblemBuffer(int max_rows, int max_blocks)
      : max_rows_(max_rows),
        max_blocks_(max_blocks),
        stride_(padded<T>(max_rows)),
        G_(std::size_t(max_rows) * std::size_t(stride_)),
        b_(std::size_t(stride_)),
        blocks_(new Block<T>[std::size_t(max_blocks)]) {}

  /// Removes all blocks and rows.
  void clear() { rows_ = block_count_ = 0; }
  /// Appends a block after the last row, and returns its first row; -1 where there is no memory left for it.
  /// `block.row` is set here.
  int add(Block<T> block) {
    if (block_count_ == max_blocks_ || rows_ + block.size > max_rows_) return -1;
    block.row = rows_;
    blocks_[block_count_++] = block;
    rows_ += block.size;
    return block.row;
  }
  int rows() const { return rows_; }
  int stride() const { return stride_; }
  T* row(int i) { return G_.data() + std::size_t(i) * std::size_t(stride_); }
  T& G(int i, int j) { return row(i)[j]; }
  T& b(int i) { return b_.data()[i]; }
  Block<T>& block(int i) { return blocks_[i]; }
  std::span<const Block<T>> blocks() const { return {blocks_.get(), std::size_t(block_count_)}; }
  /// Makes a row compliant: p gives way by R p. R = 1/(h² k + h d) of a spring k with damper d. The velocity u that the
  /// solver returns then contains R p.
  void add_compliance(int i, T R) { G(i, i) += R; }
  Problem<T> problem() const { return {rows_, G_.data(), stride_, b_.data(), blocks()}; }

 private:
  int max_rows_, max_blocks_, stride_, rows_ = 0, block_count_ = 0;
  AlignedMemory<T> G_, b_;
  std::unique_ptr<Block<T>[]> blocks_;
};

}  // namespace lissom::contact
