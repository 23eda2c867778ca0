// The dual method where rows seem to contradict each other: by rounding, by next to nothing, or truly.
#include <cmath>

#include "lissom/qp/dual_active_set.h"

namespace lissom::qp {
namespace {

// Rows that contradict each other may each be missed by this, in proportion to their lengths: less than any tolerance.
constexpr double slight = 2e-9;
// What may be lost of x where it is a small part of what it started from.
constexpr double canceled = 1e-10;

}  // namespace

// One step towards active rows without error, found on the original data. Where w0 is far away (little curvature, a
// large gradient), what is left of it in w is full of rounding.
void DualActiveSet::tighten() {
  find_values();
  for (int i = 0; i < basis_.size(); ++i) b_[i] = lack(i);
  basis_.forward(b_, y_);
  basis_.add_to(y_, w_);
  basis_.backward(y_);
  for (int i = 0; i < basis_.size(); ++i) lambda_[i] += y_[i];
}

// What an active row lacks.
double DualActiveSet::lack(int i) const {
  const auto& row = active_[std::size_t(i)];
  return row.sign * (target(row) - values_[row.index]) - give_[row.index] * lambda_[i];
}

// Rows that contradict each other: v_p = Σ r_j v_j, and p lacks `left`. In the way that takes the least, each of them
// misses its bound by y |n|² left / Σ (y |n|)², with y = 1 of p and -r of the others. Is that next to nothing?
bool DualActiveSet::slight_gap(int index, double left) {
  sum_ = rows_->length(index) * rows_->length(index);
  for (int i = 0; i < basis_.size(); ++i) sum_ += std::pow(r_[i] * rows_->length(active_[std::size_t(i)].index), 2);
  return left <= slight * std::sqrt(sum_);
}

// Or may it be rounding? (w is what is left of w0.)
bool DualActiveSet::doubtful(int index) {
  const double far = std::sqrt(k_.dot(x0_, x0_, padded(rows_->variables())));
  return slight_gap(index, left_) || left_ <= canceled * far * rows_->length(index);
}

// If next to nothing, their bounds are moved by as much: a problem on the edge of what can be met then is on the right
// side of it. p, which depends on the others, holds together with them.
bool DualActiveSet::give_way(int index, double sign) {
  if (!slight_gap(index, left_)) return false;
  const auto move = [&](int i, double y) { moved_[i] -= y * left_ / sum_ * rows_->length(i) * rows_->length(i); };
  move(index, sign);
  for (int i = 0; i < basis_.size(); ++i) move(active_[std::size_t(i)].index, -r_[i] * active_[std::size_t(i)].sign);
  return true;
}

}  // namespace lissom::qp
