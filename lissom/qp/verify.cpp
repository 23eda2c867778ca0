#include "lissom/qp/verify.h"

#include <algorithm>
#include <cmath>

namespace lissom::qp {
namespace {

// A row that is farther than this from its bound is not at the bound.
constexpr double apart = 1e-6;
// Multipliers count up to this, relative to the other terms of the gradient.
constexpr double canceling = 1e3;
// The rounding error of multipliers, relative to them, and the largest that is accepted, relative to the other terms of
// the gradient; both divided by the tolerance of stationarity.
constexpr double rounding_of_multipliers = 1e-6, max_rounding = 3e3;
// The rounding error of H x, relative to x, divided by the tolerance of stationarity.
constexpr double rounding_of_Hx = 1e-6;
// A residual that is good enough for every tolerance, relative to H x and g.
constexpr double balanced = 1e-11;

}  // namespace

Verifier::Verifier(const Sizes& max_sizes)
    : k_(kernels()),
      Hx_(padded(max_sizes.variables)),
      residual_(padded(max_sizes.variables)),
      ones_(padded(max_sizes.variables)) {
  std::fill_n(ones_.data(), max_sizes.variables, 1.0);
}

const double* Verifier::residual(Constraints& rows, const Hessian& hessian, const VectorIn& g, const double* x,
                                 const double* multipliers) {
  const int n = rows.variables();
  hessian.times(x, Hx_);
  for (int i = 0; i < n; ++i) residual_[i] = Hx_[i] + g[i];
  std::fill(residual_ + n, residual_ + padded(n), 0.0);
  rows.subtract(multipliers, residual_);
  return residual_;
}

// The largest element of the gradient's terms, all in the same unit. Multipliers that cancel each other, as those of
// nearly dependent rows do, count only up to a limit: otherwise they would hide every error. `inexact` is what their
// rounding errors are worth.
double Verifier::size_of_terms(const Constraints& rows, const double* unit, const VectorIn& g, const double* x,
                               const double* multipliers, double* inexact) const {
  double size = 0, of_x = 0, of_multipliers = 0;
  for (int i = 0; i < rows.variables(); ++i) {
    size = std::max({size, unit[i] * std::abs(Hx_[i]), unit[i] * std::abs(g[i])});
    of_x = std::max(of_x, std::abs(x[i]) / unit[i]);
  }
  for (int i = 0; i < rows.size(); ++i)
    if (multipliers[i] != 0) of_multipliers = std::max(of_multipliers, std::abs(multipliers[i]) * rows.length(i, unit));
  *inexact = std::min(rounding_of_multipliers * of_multipliers, max_rounding * size);
  return std::max({size, std::min(of_multipliers, canceling * size), rounding_of_Hx * of_x});
}

Errors Verifier::errors(Constraints& rows, const Hessian& hessian, const VectorIn& g, const double* x,
                        const double* values, const double* multipliers, const double* moved,
                        const signed char* pinned) {
  Errors e;
  const int n = rows.variables();
  const double* const unit = hessian.units();
  residual(rows, hessian, g, x, multipliers);
  double largest = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    e.objective += x[i] * (0.5 * Hx_[i] + g[i]);
    largest = std::max({largest, unit[i] * std::abs(Hx_[i]), unit[i] * std::abs(g[i])});
    e.stationarity = std::max(e.stationarity, unit[i] * std::abs(residual_[i]));
    sum += residual_[i];
  }

  e.max_term = largest;

  // (std::max loses NaN: a NaN in x, in the rows' values or in a multiplier makes the sum NaN.)
  if (std::isnan(sum)) e.stationarity = sum;

  double wrong = 0, inexact = 0;
  for (int i = 0; i < rows.size(); ++i) {
    const double value = moved ? values[i] - moved[i] : values[i];
    const double below = rows.lower(i) - value, above = value - rows.upper(i);
    const double out = rows.weight(i) > 0 ? 0 : std::max(below, above), length = rows.length(i);
    auto& error = i < rows.equalities() ? e.equality_error : e.row_error;
    auto& scaled = i < rows.equalities() ? e.scaled_equality_error : e.scaled_row_error;
    error = std::max(error, out);
    // (Divisions are avoided unless the maximum changes.)
    if (const double norm = std::max(1.0, length); out > scaled * norm) scaled = out / norm;
    if (multipliers[i] == 0) continue;
    // A row with a nonzero multiplier must be at the bound of its sign, or beyond it if it is soft.
    const double inside = pinned && pinned[i]  ? std::abs(pinned[i] > 0 ? below : above)
                          : multipliers[i] > 0 ? -below
                                               : -above;
    if (!(inside <= apart * std::max(1.0, length)))
      wrong = std::max(wrong, std::abs(multipliers[i]) * rows.length(i, unit));
  }
  // (The terms of the multipliers are rarely needed.)
  if (!(e.stationarity <= balanced * largest && wrong <= balanced * largest))
    largest = size_of_terms(rows, unit, g, x, multipliers, &inexact);
  if (largest > 0) e.stationarity /= std::max(largest, inexact), e.misplaced = wrong / largest;
  if (hessian.mixed_units()) {
    // The promise holds in the units of the problem, too.
    double raw = 0;
    for (int i = 0; i < n; ++i) raw = std::max(raw, std::abs(residual_[i]));
    const double terms = size_of_terms(rows, ones_, g, x, multipliers, &inexact), size = std::max(terms, inexact);
    if (raw > e.stationarity * size) e.stationarity = raw / size;
  }
  return e;
}

}  // namespace lissom::qp
