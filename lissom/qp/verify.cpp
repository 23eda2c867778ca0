#include "lissom/qp/verify.h"

#include <algorithm>
#include <cmath>

namespace lissom::qp {
namespace {

// A row that is farther than this from its bound is not at the bound.
constexpr double apart = 1e-6;

}  // namespace

Verifier::Verifier(const Sizes& max_sizes)
    : k_(kernels()), Hx_(padded(max_sizes.variables)), residual_(padded(max_sizes.variables)) {}

const double* Verifier::residual(Constraints& rows, const Hessian& hessian, const VectorIn& g, const double* x,
                                 const double* multipliers) {
  const int n = rows.variables();
  hessian.times(x, Hx_);
  for (int i = 0; i < n; ++i) residual_[i] = Hx_[i] + g[i];
  std::fill(residual_ + n, residual_ + padded(n), 0.0);
  rows.subtract(multipliers, residual_);
  return residual_;
}

Errors Verifier::errors(Constraints& rows, const Hessian& hessian, const VectorIn& g, const double* x,
                        const double* values, const double* multipliers, const double* moved,
                        const signed char* pinned) {
  Errors e;
  const int n = rows.variables();
  residual(rows, hessian, g, x, multipliers);
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    e.objective += x[i] * (0.5 * Hx_[i] + g[i]);
    largest = std::max({largest, std::abs(Hx_[i]), std::abs(g[i])});
  }

  double wrong = 0;
  for (int i = 0; i < rows.size(); ++i) {
    const double value = moved ? values[i] - moved[i] : values[i];
    const double below = rows.lower(i) - value, above = value - rows.upper(i);
    const double out = rows.weight(i) > 0 ? 0 : std::max(below, above), length = rows.length(i);
    auto& error = i < rows.equalities() ? e.equality_error : e.row_error;
    auto& scaled = i < rows.equalities() ? e.scaled_equality_error : e.scaled_row_error;
    error = std::max(error, out);
    // (Divisions are avoided unless the maximum changes.)
    if (const double unit = std::max(1.0, length); out > scaled * unit) scaled = out / unit;
    const double zeta = multipliers[i] * length;
    if (zeta == 0) continue;
    largest = std::max(largest, std::abs(zeta));
    // A row with a nonzero multiplier must be at the bound of its sign, or beyond it if it is soft.
    const double inside = pinned && pinned[i] ? std::abs(pinned[i] > 0 ? below : above) : zeta > 0 ? -below : -above;
    if (inside > apart * std::max(1.0, length)) wrong = std::max(wrong, std::abs(zeta));
  }
  for (int i = 0; i < n; ++i) e.stationarity = std::max(e.stationarity, std::abs(residual_[i]));
  if (largest > 0) e.stationarity /= largest, e.misplaced = wrong / largest;
  return e;
}

}  // namespace lissom::qp
