#pragma once
// What may be asked of the solver, and what it reports.
#include <cstdint>

namespace lissom::contact {

struct Settings {
  double tolerance = 1e-6;  ///< on the residual, m/s
  int max_sweeps = 100;
  int max_factorizations = 32;  ///< of Newton's matrix; 0: sweeps alone
  /// If positive: exactly this many sweeps, and nothing else. A world then gives the same bits as in lanes
  /// (fixed_sweeps.h), and takes the same time in every step.
  int fixed_sweeps = 0;
  /// Cap on normal impulses and on each bilateral or box row, N s. Impulses of infeasible problems (a body between
  /// closing walls) grow from step to step otherwise. 0: 1e14 times the largest |b| over the smallest diagonal element
  /// of G, which only keeps numbers finite.
  double max_impulse = 0;
};

enum class Status : std::uint8_t {
  converged,
  /// The budget ended first: the impulses are the best that were found.
  budget_exhausted,
  /// Impulses reached the cap, or Newton's method asks for huge ones: the problem has no solution, or nearly none.
  infeasible,
  /// An element of G, b or of a block is not finite, or blocks are not what problem.h asks for: all impulses are 0.
  invalid,
};

struct Report {
  Status status = Status::invalid;
  double residual = 0;           ///< m/s, of the block that is worst; infinite where the problem is invalid
  int worst_block = -1;          ///< with that residual; of an invalid problem, the one with the fault
  int sweeps = 0;                ///< over all blocks
  int factorizations = 0;        ///< of Newton's matrix
  bool discarded_start = false;  ///< the impulses given were not finite: the solver started from 0
  bool converged() const { return status == Status::converged; }
};

/// What a block does at some impulses and velocities: it parts, or p is at a bound; u = 0; it slips at the border of
/// its cone or disk.
enum class Mode : std::uint8_t { open, stick, slip };

/// A change of the friction of a block, in one column of Solver::differentiate.
struct FrictionChange {
  int block = 0, column = 0;
  double size = 1;
};

}  // namespace lissom::contact
