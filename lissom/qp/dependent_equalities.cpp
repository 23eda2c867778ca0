// Equalities that depend on active rows: v_d = Σ r_j v_j, exactly or nearly. They were left out at the start.
//
// Their bounds do not agree with those of the active rows to the last digit, and often only to nine or ten (contacts
// that are given point by point). Then the rows are met in the sense of least squares: of all displacements Δ with
// which they agree, K Δ = -δ with a row (-r, 1) of K for each of them and δ_d = b_d - Σ r_j b_j, the smallest,
//
//   Δ = -D² Kᵀ (K D² Kᵀ)⁻¹ δ,   D: the norms of the rows.
//
// A row that is not entirely dependent may have to be active itself: if Δ is more than slight, or changes the
// objective, those that add most are added. How far rows that depend on others entirely still disagree shows how
// accurate the bounds are: if Δ was of that size without the added rows, these held as well as the others, what they
// add is not known, and they are left out again. (Morozov's discrepancy principle: data are not fitted more closely
// than they are known. Otherwise their errors, divided by the tiny part that such rows add, would decide about x.)
#include <algorithm>
#include <cmath>

#include "lissom/qp/dual_active_set.h"

namespace lissom::qp {
namespace {

// Displacements up to this are allowed: less than the tolerance of equalities.
constexpr double slight_displacement = 5e-9;
// Changes of the objective up to this are allowed where the row could be met exactly.
constexpr double slight_change = 1e-9;
// Rows of which at least this fraction remains, relative to the one of which most remains, are added with it.
constexpr double similar = 0.1;
// Displacements up to this multiple of those that remain in any case are as good as these.
constexpr double as_inexact = 10;
constexpr double too_many = -1;

}  // namespace

// Lists the hard equalities that are not active; writes K, scaled by D, and δ. Returns the largest squared fraction
// that one of them adds to the active rows, 0 if all depend on them entirely, or `too_many`.
double DualActiveSet::find_dependent() {
  double most = 0;
  dependent_count_ = 0;
  for (int i = 0; i < rows_->size(); ++i) {
    const auto state = state_[std::size_t(i)];
    if (!rows_->fixed(i) || compliance_[i] != 0 || (state != idle && state != passed)) continue;
    if (dependent_count_ == max_dependent_) return too_many;
    most = std::max(most, project(i, true) / (basis_.length() * basis_.length()));
    double* const row = dependent_rows_ + dependent_count_ * dependent_stride_;
    basis_.multipliers_of_last(row);
    for (int j = 0; j < basis_.size(); ++j) row[j] *= -rows_->length(active_[std::size_t(j)].index);
    std::fill(row + basis_.size(), row + padded(basis_.size()), 0.0);
    disagreement_[dependent_count_] = rows_->lower(i) + moved_[i] - values_[i];
    dependent_[std::size_t(dependent_count_++)] = i;
  }
  return most;
}

// Writes z = (K D² Kᵀ)⁻¹ δ to disagreement_, by Cholesky's method. (All eigenvalues are at least the smallest norm².)
void DualActiveSet::solve_dependent() {
  const int n = dependent_count_, size = padded(basis_.size());
  const auto row = [&](int i) { return dependent_rows_ + i * dependent_stride_; };
  const auto G = [&](int i, int j) -> double& { return gram_[i * max_dependent_ + j]; };
  for (int i = 0; i < n; ++i) {
    const double own = rows_->length(dependent_[std::size_t(i)]);
    for (int j = 0; j <= i; ++j) {
      double sum = k_.dot(row(i), row(j), size) + (i == j ? own * own : 0);
      for (int k = 0; k < j; ++k) sum -= G(i, k) * G(j, k);
      G(i, j) = i == j ? std::sqrt(sum) : sum / G(j, j);
    }
  }
  double* const z = disagreement_;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) z[i] -= G(i, k) * z[k];
    z[i] /= G(i, i);
  }
  for (int i = n; i-- > 0;) {
    for (int k = i + 1; k < n; ++k) z[i] -= G(k, i) * z[k];
    z[i] /= G(i, i);
  }
}

// Turns z into Δ: of the active rows in r_, of the others in disagreement_. Returns the largest, relative to the
// norm of the row if that is more than 1.
double DualActiveSet::find_displacements() {
  std::fill_n(r_.data(), padded(basis_.size()), 0.0);
  for (int i = 0; i < dependent_count_; ++i)
    k_.add(-disagreement_[i], dependent_rows_ + i * dependent_stride_, r_, padded(basis_.size()));
  double largest = 0;
  for (int j = 0; j < basis_.size(); ++j) {
    const double length = rows_->length(active_[std::size_t(j)].index);
    r_[j] *= length;
    largest = std::max(largest, std::abs(r_[j]) / std::max(1.0, length));
  }
  for (int i = 0; i < dependent_count_; ++i) {
    const double length = rows_->length(dependent_[std::size_t(i)]);
    disagreement_[i] *= -length * length;
    largest = std::max(largest, std::abs(disagreement_[i]) / std::max(1.0, length));
  }
  return largest;
}

// Whether the displacements of active rows change the objective by very little. (Its derivatives are the multipliers.)
bool DualActiveSet::cheap_displacements() const {
  const int size = padded(rows_->variables());
  const double w = k_.dot(w_, w_, size), scale = w + std::sqrt(w * k_.dot(w0_, w0_, size));
  double change = 0;
  for (int j = 0; j < basis_.size(); ++j) change += std::abs(lambda_[j] * r_[j]);
  return change <= slight_change * scale;
}

void DualActiveSet::displace() {
  for (int j = 0; j < basis_.size(); ++j) moved_[active_[std::size_t(j)].index] += active_[std::size_t(j)].sign * r_[j];
  for (int i = 0; i < dependent_count_; ++i) {
    moved_[dependent_[std::size_t(i)]] += disagreement_[i];
    state_[std::size_t(dependent_[std::size_t(i)])] = passed;
  }
  any_passed_ = true;
}

// Adds those of the listed rows that add about as much as the one that adds most. (One at a time, each of them would be
// projected once more for each that is added.)
void DualActiveSet::add_dependent(double most) {
  for (int i = 0; i < dependent_count_; ++i) {
    const int index = dependent_[std::size_t(i)];
    if (!(project(index, true) > similar * similar * most * basis_.length() * basis_.length())) continue;
    active_[std::size_t(basis_.size())] = {index, 1, true};
    basis_.add();
    state_[std::size_t(index)] = equal;
    fresh_ = false;
    ++iterations_;
  }
}

// Makes all equalities hold; false if they contradict each other.
bool DualActiveSet::reconcile() {
  int enough = -1;     // active rows with which all equalities held within slight displacements,
  double largest = 0;  // and the largest of these
  for (;;) {
    const double most = find_dependent();
    if (most < 0) return false;
    solve_dependent();
    const double displacement = find_displacements();
    const bool slight = displacement <= slight_displacement;
    if (slight && (most == 0 || cheap_displacements())) {
      if (most == 0 && enough >= 0 && largest <= as_inexact * displacement) leave_out(enough);
      break;
    }
    if (most == 0) return false;
    if (slight && enough < 0) enough = basis_.size(), largest = displacement;
    add_dependent(most);
    hold();
  }
  displace();
  solve();
  find_w();
  tighten();
  return true;
}

// Removes the active rows that were added last, all but the first `rows`, and finds the displacements without them.
void DualActiveSet::leave_out(int rows) {
  while (basis_.size() > rows) drop(basis_.size() - 1);
  hold();
  find_dependent();
  solve_dependent();
  find_displacements();
}

// The nearest point at which the active rows hold.
void DualActiveSet::hold() {
  solve();
  find_w();
  tighten();
  find_values();
}

}  // namespace lissom::qp
