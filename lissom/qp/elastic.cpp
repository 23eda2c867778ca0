#include "lissom/qp/elastic.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lissom::qp {
namespace {

// ε, for rows scaled to norm 1.
constexpr double elastic_curvature = 1e-9;
// The gradient of f, relative to |v|, at which v is accepted as minimal: as it follows from the steps, and as computed
// on the data.
constexpr double flat = 1e-12, almost_flat = 1e-11;
// The rounding error of the gradient, relative to x.
constexpr double rounding = 1e-15;
// |v| up to this counts as zero.
constexpr double negligible = 1e-11;
constexpr int elastic_rounds = 100;
constexpr int newton_steps = 50;

double outside(double value, double lower, double upper) {
  return value < lower ? value - lower : value > upper ? value - upper : 0;
}

}  // namespace

Relaxation::Relaxation(const Sizes& s)
    : k_(kernels()),
      v_(s.equalities + s.rows + s.variables + 4),
      x_(padded(s.variables)),
      step_(padded(s.variables)),
      direction_(padded(s.variables)),
      slope_(padded(s.variables)),
      slope_before_(padded(s.variables)),
      gradient_(padded(s.variables)),
      gradient_at_x_(padded(s.variables)),
      values_(padded(s.equalities + s.rows + s.variables + 4)),
      along_(padded(s.equalities + s.rows + s.variables + 4)),
      line_(std::size_t(s.equalities + s.rows + s.variables + 4)) {}

// Writes v at a point; returns its norm, relative to the norms of the rows.
double Relaxation::measure(const Constraints& rows, const double* values) {
  double sum = 0;
  for (int i = 0; i < rows.size(); ++i) {
    v_[i] = rows.weight(i) > 0 ? 0 : outside(values[i], rows.lower(i), rows.upper(i));
    const double distance = v_[i] / rows.length(i);
    sum += distance * distance;
  }
  return std::sqrt(sum);
}

// Exact line search: the t ≥ 0 that minimizes f on values_ + t along_. Newton's method finds the zero of the slope,
// which is increasing and piecewise linear; a step that would leave the bracket is replaced by bisection.
double Relaxation::line_minimum(const Constraints& rows) {
  int count = 0;
  for (int i = 0; i < rows.size(); ++i) {
    if (rows.weight(i) > 0 || along_[i] == 0) continue;
    const double scale = 1 / rows.length(i);
    line_[std::size_t(count++)] = {scale * values_[i], scale * along_[i], scale * rows.lower(i), scale * rows.upper(i)};
  }
  double t = 0, low = 0, high = std::numeric_limits<double>::infinity();
  for (int step = 0; step < newton_steps; ++step) {
    double slope = 0, bend = 0;
    for (int i = 0; i < count; ++i) {
      const auto& [value, along, lower, upper] = line_[std::size_t(i)];
      const double out = outside(value + t * along, lower, upper);
      slope += along * out;
      bend += out != 0 ? along * along : 0;
    }
    if (!(bend > 0)) break;
    (slope < 0 ? low : high) = t;
    double next = t - slope / bend;
    if (std::abs(next - t) <= 1e-12 * t) break;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    t = next;
  }
  return t;
}

// The gradient of f where it was measured.
void Relaxation::find_slope(Constraints& rows, double* slope) {
  for (int i = 0; i < rows.size(); ++i) along_[i] = -v_[i] / (rows.length(i) * rows.length(i));
  std::fill_n(slope, padded(rows.variables()), 0.0);
  rows.subtract(along_, slope);
}

// Whether the gradient is zero when computed on the data, not only as it follows from the steps.
bool Relaxation::proven(Constraints& rows, const double* x, double v) {
  const int size = padded(rows.variables());
  find_slope(rows, gradient_at_x_);
  return std::sqrt(k_.dot(gradient_at_x_, gradient_at_x_, size)) <=
         almost_flat * v + rounding * (1 + std::sqrt(k_.dot(x, x, size)));
}

// Line search from x_ along direction_, which becomes step_ plus a multiple of the previous direction (conjugate
// gradients, Polak and Ribière).
void Relaxation::search(Constraints& rows) {
  const int size = padded(rows.variables());
  const double was = steepness_;
  double change = 0;
  for (int i = 0; i < size; ++i) change += step_[i] * (slope_[i] - slope_before_[i]);
  steepness_ = k_.dot(step_, slope_, size);
  const double part = was < 0 ? std::max(0.0, change / was) : 0;
  for (int i = 0; i < size; ++i) direction_[i] = step_[i] + part * direction_[i];
  if (!(k_.dot(direction_, slope_, size) < 0)) std::copy_n(step_.data(), size, direction_.data());
  std::copy_n(slope_.data(), size, slope_before_.data());
  rows.values(direction_, along_);
  const double t = line_minimum(rows);
  if (t > 0 && t < 1e12) return k_.add(t, direction_, x_, size);
  // The slope is only rounding.
  k_.add(1, step_, x_, size);
  steepness_ = 0;
}

bool Relaxation::find(DualActiveSet& dual, Constraints& rows, Hessian& hessian, Verifier& verifier, int limit) {
  const int n = rows.variables(), size = padded(n);
  std::fill_n(x_.data(), size, 0.0);
  rows.values(x_, values_);
  hessian.flatten(elastic_curvature);
  dual.set(rows, hessian);
  dual.keep_violated(values_);
  dual.soften();
  dual.start(true);
  steepness_ = 0;
  for (int round = 0; round < elastic_rounds && dual.work() < limit; ++round) {
    rows.values(x_, values_);
    measure(rows, values_);
    find_slope(rows, slope_);
    for (int i = 0; i < size; ++i) gradient_[i] = -elastic_curvature * x_[i];
    dual.aim(gradient_);
    dual.settle();
    if (dual.climb(limit) != DualActiveSet::End::optimal) return false;
    double v = measure(rows, dual.values());
    for (int i = 0; i < size; ++i) step_[i] = dual.x()[i] - x_[i];
    const bool level = elastic_curvature * std::sqrt(k_.dot(step_, step_, size)) <= flat * v;
    if (v <= negligible || (level && proven(rows, dual.x(), v))) return true;
    if (level) {
      // Found, but not yet accurate.
      const Eigen::Map<const Eigen::VectorXd> g(gradient_, n);
      dual.refine(verifier.residual(rows, hessian, g, dual.x(), dual.multipliers()));
      v = measure(rows, dual.values());
      if (proven(rows, dual.x(), v) || round + 1 == elastic_rounds) return true;
    }
    search(rows);
  }
  return false;
}

}  // namespace lissom::qp
