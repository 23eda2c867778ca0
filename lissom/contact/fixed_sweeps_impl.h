#pragma once
// Only for files that are compiled without contraction (fixed_sweeps.h).
#include <limits>

#include "lissom/contact/fixed_sweeps.h"
#include "lissom/contact/sweep.h"

namespace lissom::contact {
inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
FixedSweeps<T>::FixedSweeps(int max_rows, int max_blocks)
    : p_(std::size_t(padded<T>(max_rows))), u_(std::size_t(padded<T>(max_rows))), prepared_(std::size_t(max_blocks)) {}

template <class T>
FixedReport<T> FixedSweeps<T>::solve(const Problem<T>& problem, int sweeps, T* p, T* u, T max_impulse) {
  using S = Number<T>;
  const T zero(S(0)), infinity(std::numeric_limits<S>::infinity());
  T *const own_p = p_.data(), *const own_u = u_.data();
  // Impulses that are not finite are no start.
  for (int i = 0; i < problem.rows; ++i) own_p[i] = select(abs(p[i]) < infinity, p[i], zero);
  for (int i = problem.rows; i < padded<T>(problem.rows); ++i) own_p[i] = zero;
  velocities(problem, own_p, own_u);
  T largest = zero;
  for (int i = 0; i < problem.rows; ++i)
    largest = select(abs(own_u[i]) < infinity, larger(abs(own_u[i]), largest), infinity);
  PreparedBlock<T>* prepared = prepared_.data();
  for (const Block<T>& block : problem.blocks) prepare(problem, block, own_p, own_u, *prepared++);
  Sweeps<T> state{problem, prepared_.data(), own_p, own_u, max_impulse, zero};
  for (int i = 0; i < sweeps; ++i) sweep(state);
  T residual = zero;
  prepared = prepared_.data();
  for (const Block<T>& block : problem.blocks) {
    const T r = block_residual(block, (prepared++)->g, own_p, own_u);
    residual = select(r <= residual, residual, r);  // keeps NaN
    residual = select(r < infinity, residual, infinity);
  }
  const auto valid = both(largest < infinity, residual < infinity);
  for (int i = 0; i < problem.rows; ++i) {
    p[i] = select(valid, own_p[i], zero);
    u[i] = select(valid, own_u[i], zero);
  }
  return {select(valid, residual, infinity), state.capped};
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom::contact
