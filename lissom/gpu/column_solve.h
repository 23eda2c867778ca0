#pragma once
// Solutions of M X = B for whole matrices B, where M = Lᵀ D L is given by its sparse factor: the last stage of the
// derivatives of forward dynamics. Written as one loop over columns instead of straight-line code, which would be too
// large to be fetched in time. The threads of a block are divided into teams: each has a thread for every robot of the
// block, and solves for some of the columns. All share the factors of these robots, in shared memory. Not for users.
#include <string>
#include <utility>
#include <vector>

#include "lissom/gpu/kernel_source.h"

namespace lissom::gpu {

struct ColumnSolve {
  /// A matrix B, by rows, and the solution X.
  struct RightSide {
    std::string input;          ///< its array holds -B; empty: B is the identity
    std::string output;         ///< the array of X
    std::vector<bool> written;  ///< the entries of B that are not zero; the others are never read
  };
  int n = 0;
  std::string L, D;                            ///< arrays of the factor: n by n, by rows, of unit diagonal; n
  std::vector<std::pair<int, int>> L_entries;  ///< row and column of what is not zero below the diagonal, by rows
  std::vector<RightSide> sides;
  std::vector<int> limb;  ///< that each row belongs to: where one limb moves, most others are at rest
};

/// How the kernel of a ColumnSolve is written.
struct ColumnSolveOptions {
  bool single_precision = true;
  int columns = 2;                         ///< that a thread solves for side by side, at most 8
  int robots = 32;                         ///< of a block; a multiple of 32
  int teams = 4;                           ///< of a block: each has a thread for every robot, and some of the columns
  int min_blocks = 4;                      ///< that shall fit on a multiprocessor: limits the registers of a thread
  std::size_t max_factor_bytes = 100'000;  ///< factors that need more stay in global memory
};

/// What was fastest on an H200, as far as registers and shared memory suffice.
ColumnSolveOptions fastest_options(const ColumnSolve& solve, bool single_precision,
                                   std::size_t max_factor_bytes = 100'000);

KernelSource kernel_source(const ColumnSolve& solve, const std::string& name, const ColumnSolveOptions& options);

}  // namespace lissom::gpu
