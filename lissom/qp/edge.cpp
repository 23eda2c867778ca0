// The dual method where the active rows seem infeasible: by rounding, by a tiny amount, or truly.
#include <algorithm>
#include <cmath>

#include "lissom/qp/dual_active_set.h"

namespace lissom::qp {
namespace {

// Infeasible rows may each be violated by this, relative to their norms: it is less than any tolerance.
constexpr double slight = 2e-9;
// The rounding error of x relative to x0, by cancellation if x is much smaller than x0.
constexpr double cancellation = 1e-10;
// A bound that is moved by less than this, relative to the largest displacement, may have been moved by rounding only.
constexpr double moved_by_rounding = 1e-6;

}  // namespace

// One step of refinement that reduces the errors of the active rows, which are computed on the original data. If w0 is
// far away (little curvature, a large gradient), w has a large rounding error.
void DualActiveSet::tighten() {
  find_values();
  for (int i = 0; i < basis_.size(); ++i) b_[i] = row_residual(i);
  basis_.forward(b_, y_);
  basis_.add_to(y_, w_);
  basis_.backward(y_);
  for (int i = 0; i < basis_.size(); ++i) lambda_[i] += y_[i];
}

// By how much a row that depends on active ones is violated once these hold on the original data.
double DualActiveSet::violation_after_tightening(int index, double sign) {
  tighten();
  find_values();
  return sign * (target({index, sign, rows_->fixed(index)}) - values_[index]);
}

// The amount by which an active row is below its target, including its slack.
double DualActiveSet::row_residual(int i) const {
  const auto& row = active_[std::size_t(i)];
  return row.sign * (target(row) - values_[row.index]) - compliance_[row.index] * lambda_[i];
}

// The row p depends on active rows, v_p = Σ r_j v_j, and is violated by `left`. In the smallest relaxation each of
// these rows is moved by y |n|² left / Σ (y |n|)², with y = 1 for p and -r for the others. Is that tiny?
bool DualActiveSet::slight_gap(int index, double left) {
  sum_ = rows_->length(index) * rows_->length(index);
  for (int i = 0; i < basis_.size(); ++i) sum_ += std::pow(r_[i] * rows_->length(active_[std::size_t(i)].index), 2);
  return left <= slight * std::sqrt(sum_);
}

// Returns whether the violation may be rounding. (w is the difference of w0 and terms of its size.)
bool DualActiveSet::doubtful(int index) {
  const double far = std::sqrt(k_.dot(x0_, x0_, padded(rows_->variables())));
  return slight_gap(index, left_) || left_ <= cancellation * far * rows_->length(index);
}

// If the relaxation is tiny, the bounds are moved by it, so that a problem at the boundary of feasibility becomes
// feasible. p, which depends on the other rows, then holds together with them.
bool DualActiveSet::relax_slightly(int index, double sign) {
  if (!slight_gap(index, left_)) return false;
  const auto move = [&](int i, double y) { moved_[i] -= y * left_ / sum_ * rows_->length(i) * rows_->length(i); };
  move(index, sign);
  for (int i = 0; i < basis_.size(); ++i) move(active_[std::size_t(i)].index, -r_[i] * active_[std::size_t(i)].sign);
  return true;
}

void DualActiveSet::pin() {
  double most = 0;
  for (int i = 0; i < rows_->size(); ++i) most = std::max(most, std::abs(moved_[i]) / rows_->length(i));
  for (int i = 0; i < rows_->size(); ++i)
    if (std::abs(moved_[i]) > moved_by_rounding * most * rows_->length(i))
      pinned_[std::size_t(i)] = moved_[i] < 0 ? lower : upper;
}

// The smallest relaxation v is a certificate of infeasibility: Σ v n / |n|² = 0, and each term has the right sign. The
// smallest sufficient multiple of it is added to the multipliers.
void DualActiveSet::right_signs() {
  const auto part = [&](int i) { return -moved_[i] / (rows_->length(i) * rows_->length(i)); };
  double most = 0;
  for (int i = 0; i < rows_->size(); ++i)
    if (pinned(i) && !rows_->fixed(i)) most = std::max(most, -zeta_[i] / part(i));
  for (int i = 0; most > 0 && i < rows_->size(); ++i) zeta_[i] += most * part(i);
}

void DualActiveSet::balance(const double* residual) {
  hessian_->to_w(residual, {0, padded(rows_->variables())}, e_);
  basis_.along(e_, r_);
  basis_.backward(r_);
  for (int i = 0; i < basis_.size(); ++i) zeta_[active_[std::size_t(i)].index] += active_[std::size_t(i)].sign * r_[i];
}

}  // namespace lissom::qp
