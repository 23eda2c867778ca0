#pragma once
// A fixed number of sweeps for any scalar: lanes with another world in each of them, float, or double. A world gives
// the same bits in any lane, and the same as Solver with Settings::fixed_sweeps.
//
// All lanes share the structure (kinds and rows of the blocks). A world that has fewer contacts than the others fills
// up with rows in which G is 0, and b ≥ 0 for normal ones: their impulses are 0.
//
// Defined in fixed_sweeps_impl.h, and instantiated in kernels.cpp for double, float, and lanes as wide as the registers
// of each instruction set: only there are products and sums not contracted, on which the equality of bits rests.
#include "lissom/contact/prepared_block.h"

namespace lissom::contact {

/// What became of the worlds.
template <class T>
struct FixedReport {
  T residual;  ///< m/s; infinite for a world whose data are not finite: its impulses and velocities are 0
  T capped;    ///< 1 where impulses reached the cap in the last sweep, else 0
};

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
class FixedSweeps {
 public:
  FixedSweeps(int max_rows, int max_blocks);

  /// p: impulses to start from, then the solution; u: velocities. max_impulse: as in Settings, but without a default;
  /// may be infinite. The blocks must be valid as problem.h says, and fit the memory; that is not checked.
  FixedReport<T> solve(const Problem<T>& problem, int sweeps, T* p, T* u, T max_impulse);

 private:
  AlignedMemory<T> p_, u_;
  AlignedMemory<PreparedBlock<T>> prepared_;
};

using DoubleLanes = Lanes<double, batch_lanes<double>>;
using FloatLanes = Lanes<float, batch_lanes<float>>;
extern template class FixedSweeps<double>;
extern template class FixedSweeps<float>;
extern template class FixedSweeps<DoubleLanes>;
extern template class FixedSweeps<FloatLanes>;

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom::contact
