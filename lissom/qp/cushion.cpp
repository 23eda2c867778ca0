// Rows that are a little soft, for problems whose rows nearly depend on each other. With the compliance c of all rows,
// the dual problem has no eigenvalue below c, and the method of multipliers removes the slacks: in the direction of an
// eigenvalue σ² of V Vᵀ, each round reduces them by the factor c / (c + σ²).
#include <algorithm>

#include "lissom/qp/dual_active_set.h"

namespace lissom::qp {

void DualActiveSet::cushion(double softness, double margin) {
  softness_ = softness;
  margin_ = margin;
  slacks_ = rows_->size();
}

void DualActiveSet::stiffen(double factor) {
  softness_ *= factor;
  for (int i = 0; i < rows_->size(); ++i)
    if (rows_->weight(i) == 0) compliance_[i] *= factor * factor, moved_[i] *= factor * factor;
}

void DualActiveSet::absorb() {
  std::fill_n(moved_.data(), rows_->size(), 0.0);
  for (int i = 0; i < basis_.size(); ++i) {
    const auto& row = active_[std::size_t(i)];
    if (rows_->weight(row.index) == 0) moved_[row.index] = row.sign * compliance_[row.index] * lambda_[i];
  }
}

}  // namespace lissom::qp
