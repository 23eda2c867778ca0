#pragma once
// Which entries of M, and of its factor, can be non-zero. In a tree, degree of freedom i is coupled with those of its
// own joint and of the joints towards the base, and elimination from the last to the first fills nothing in (RBDA
// section 6.5). With mimic joints, the chain is the path in the elimination tree of Gᵀ M G.
//
// Rows are packed: the entries of row i lie together, from the first column to the diagonal. Along a chain, the row of
// its t-th column has the same columns as the first t + 1 entries of row i, so that eliminating i subtracts segments
// from segments.
#include <span>
#include <vector>

namespace lissom {

struct Sparsity {
  /// Rows begin at multiples of this, so that blocks may run over their end.
  static constexpr int row_padding = 4;
  /// At least this many zeros follow a row: it may be read as if it were as long as the third row after it in its
  /// chain.
  static constexpr int zeros_after_row = 3;
  std::vector<int> start;   ///< where each row begins in packed storage
  std::vector<int> count;   ///< how many entries each row has left of the diagonal
  std::vector<int> column;  ///< the column of each packed entry
  std::vector<int> last;    ///< the last row that has an entry in this column
  /// For each column, where the rows below the diagonal that have an entry in it begin, the last row first. In each of
  /// these rows it is entry count[column].
  std::vector<int> below, below_start{0};
  /// All rows, in blocks of up to four that are processed together: within a block, each row continues the one before
  /// it, and the same rows below are coupled with all of them.
  struct Block {
    int first, rows;
  };
  std::vector<Block> blocks;

  std::span<const int> rows_below(int j) const {
    return {below.data() + below_start[std::size_t(j)], below.data() + below_start[std::size_t(j) + 1]};
  }
  /// Whether row i + 1 has the columns of row i and its own diagonal.
  bool continues(int i) const {
    const auto next = std::size_t(i) + 1;
    return count[next] == count[next - 1] + 1 && column[std::size_t(start[next] + count[next - 1])] == i;
  }
  /// The degree of freedom before i on its chain; -1 if i is the first.
  int parent(int i) const {
    const auto row = std::size_t(i);
    return count[row] > 0 ? column[std::size_t(start[row] + count[row] - 1)] : -1;
  }
  int nv() const { return int(start.size()); }
  int packed_size() const { return int(column.size()); }
};

}  // namespace lissom
