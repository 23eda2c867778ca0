#pragma once
// Which entries of M, and of its factor, can be non-zero. In a tree, degree of freedom i is coupled with those of its
// own joint and of the joints towards the base, and elimination from the last to the first fills nothing in (RBDA
// section 6.5). With mimic joints, the chain is the path in the elimination tree of Gᵀ M G.
//
// Rows are packed: the entries of row i left of the diagonal lie together, from the nearest column to the first. Along
// a chain the row of column(i, t) then continues where the row of i goes on after t, so that eliminating i subtracts
// runs of numbers from runs of numbers.
#include <vector>

namespace lissom {

struct Sparsity {
  static constexpr int row_padding =
      4;                          // rows begin at multiples of this, so that blocks of lanes may run over their end
  std::vector<int> start, count;  // of each row in packed storage
  std::vector<int> column;        // of each packed entry
  int nv() const { return int(start.size()); }
  int packed_size() const { return int(column.size()); }
};

}  // namespace lissom
