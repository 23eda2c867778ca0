#include "lissom/qp/dual_active_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lissom::qp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// A row counts as met within this, relative to its norm and that of x.
constexpr double met = 1e-11;
// The same for the smallest relaxation, where the violations themselves are the result.
constexpr double closely_met = 1e-14;
// The same for equalities, if they depend on others (dependent_equalities.cpp).
constexpr double closely = 1e-12;
// A row that is linearly dependent on active ones, or nearly, counts as met within this.
constexpr double agrees = 1e-9;
// A row of which less than this fraction remains after the projection is not added at the start unless it is violated:
// duplicate equalities never agree exactly.
constexpr double nearly_dependent = 1e-8;
// The same for a pinned row: the others determine its bound to about ten digits, and the error would be amplified.
constexpr double nearly_dependent_pinned = 1e-5;
// A violation of such a row up to this, relative to its norm and that of x, may be a rounding error of the active ones.
constexpr double canceled = 1e-6;
// After how many iterations it is checked whether the search makes progress.
constexpr int check_every = 50;
// How often rows that seem infeasible are tried again.
constexpr int max_retries = 6;
// A multiplier whose change is less than this, relative to the norm of the added row, does not change in a step.
constexpr double unchanged = 1e-11;

int all(const Sizes& s) {
  return padded(s.equalities + s.rows + s.variables + 4);
}

}  // namespace

DualActiveSet::DualActiveSet(const Sizes& s)
    : k_(kernels()),
      basis_(s.variables, all(s)),
      w0_(padded(s.variables)),
      w_(padded(s.variables)),
      x0_(padded(s.variables)),
      x_(padded(s.variables)),
      values0_(all(s)),
      values_(all(s)),
      lambda_(all(s) + block),
      zeta_(all(s)),
      r_(all(s) + block),
      b_(all(s) + block),
      y_(all(s) + block),
      e_(padded(s.variables)),
      compliance_(all(s)),
      moved_(all(s)),
      mixed_norms_(all(s)),
      max_dependent_(s.equalities),
      dependent_stride_(all(s) + block),
      dependent_rows_(s.equalities * dependent_stride_),
      disagreement_(s.equalities + 1),
      gram_(s.equalities * s.equalities + 1),
      dependent_(std::size_t(s.equalities)),
      active_(std::size_t(all(s) + 1)),
      state_(std::size_t(all(s))),
      pinned_(std::size_t(all(s))),
      aim_of_(std::size_t(all(s))),
      last_(std::size_t(all(s) + 1)),
      saved_(std::size_t(all(s) + 1)),
      candidates_(std::size_t(all(s) + 1)),
      waiting_(std::size_t(all(s) + 1)),
      key_(std::size_t(all(s) + 1)),
      order_(std::size_t(all(s) + 1)),
      starts_(std::size_t(s.variables / block + 4)) {}

void DualActiveSet::set(const Constraints& constraints, Hessian& hessian) {
  rows_ = &constraints;
  hessian_ = &hessian;
  slacks_ = 0;
  met_ = met;
  margin_ = 0;
  softness_ = 0;
  norms_ = hessian.mixed_units() ? mixed_norms_.data() : rows_->lengths();
  for (int i = 0; hessian.mixed_units() && i < rows_->size(); ++i) mixed_norms_[i] = rows_->length(i, hessian.units());
  for (int i = 0; i < rows_->size(); ++i) {
    moved_[i] = 0;
    pinned_[std::size_t(i)] = 0;
    compliance_[i] = 0;
  }
  for (int i = 0; rows_->any_soft() && i < rows_->size(); ++i)
    if (rows_->weight(i) > 0) compliance_[i] = 1 / rows_->weight(i), ++slacks_;
}

void DualActiveSet::soften() {
  for (int i = 0; i < rows_->size(); ++i)
    compliance_[i] = rows_->weight(i) > 0 ? ignored : rows_->length(i) * rows_->length(i);
  slacks_ = rows_->size();
  met_ = closely_met;
}

void DualActiveSet::move(const double* by, double margin) {
  margin_ = margin;
  std::copy_n(by, rows_->size(), moved_.data());
}

void DualActiveSet::aim(const double* gradient) {
  hessian_->to_w(gradient, {0, padded(rows_->variables())}, w0_);
  for (int i = 0; i < padded(rows_->variables()); ++i) w0_[i] = -w0_[i];
  hessian_->to_x(w0_, x0_);
  ++aim_;
}

// n·x0, computed on demand: few rows need it, and these often.
double DualActiveSet::value0(int index) {
  const auto i = std::size_t(index);
  if (aim_of_[i] != aim_) aim_of_[i] = aim_, values0_[index] = rows_->value(index, x0_);
  return values0_[index];
}

double DualActiveSet::target(const Row& r) const {
  const double margin = r.free ? 0 : r.sign * margin_ * rows_->length(r.index);
  return (r.sign > 0 ? rows_->lower(r.index) : rows_->upper(r.index)) + moved_[r.index] - margin;
}

// The row in w, with its sign chosen such that it has to increase.
Columns DualActiveSet::oriented(int index, bool increasing, double* v) {
  const auto columns = rows_->to_w(index, *hessian_, v);
  if (!increasing)
    for (int i = columns.first; i < columns.last; ++i) v[i] = -v[i];
  return columns;
}

// Projects the row onto the orthogonal complement of the active rows; returns the squared norm of the projection.
double DualActiveSet::project(int index, bool increasing) {
  const auto columns = oriented(index, increasing, basis_.row());
  if (softness_ > 0 && compliance_[index] == 0) {
    const double* const v = basis_.row() + columns.first;
    compliance_[index] = softness_ * softness_ * k_.dot(v, v, columns.size());
  }
  return basis_.project(columns, std::sqrt(compliance_[index]));
}

// The fraction of a row that may be only rounding. (Of cushioned rows, the slack remains in any case.)
double DualActiveSet::negligible_rest() const {
  return cushioned() ? 0 : nearly_dependent;
}

// Adds the row that was projected last, unless it is nearly dependent on the active rows. A row of which less than the
// fraction `enough` remains has to wait.
void DualActiveSet::add_projected(const Entry& row, double square, double enough) {
  const auto [index, state] = row;
  const double min_norm = (pinned(index) ? nearly_dependent_pinned : negligible_rest()) * basis_.length();
  if (square <= min_norm * min_norm) return;
  if (square <= enough * enough * basis_.length() * basis_.length()) {
    waiting_[std::size_t(waiting_count_++)] = row;
    return;
  }
  active_[std::size_t(basis_.size())] = {index, state == upper ? -1.0 : 1.0, state == equal || pinned(index)};
  basis_.add();
  state_[std::size_t(index)] = state;
}

void DualActiveSet::drop(int position) {
  recall_passed();
  state_[std::size_t(active_[std::size_t(position)].index)] = idle;
  for (int i = position; i + 1 < basis_.size(); ++i) {
    active_[std::size_t(i)] = active_[std::size_t(i + 1)];
    lambda_[i] = lambda_[i + 1];
  }
  basis_.remove(position);
  fresh_ = false;
  ++iterations_;
}

// The multipliers with which the active rows hold: T y = b - V w0, R λ = y. (find_w() reads y.)
void DualActiveSet::solve() {
  for (int i = 0; i < basis_.size(); ++i) {
    const auto& row = active_[std::size_t(i)];
    b_[i] = row.sign * (target(row) - value0(row.index));
  }
  basis_.forward(b_, y_);
  std::copy_n(y_.data(), padded(basis_.size()), lambda_.data());
  basis_.backward(lambda_);
}

// w = w0 + Qᵀ y
void DualActiveSet::find_w() {
  std::copy_n(w0_.data(), padded(rows_->variables()), w_.data());
  basis_.add_to(y_, w_);
}

void DualActiveSet::find_values() {
  hessian_->to_x(w_, x_);
  rows_->values(x_, values_);
}

void DualActiveSet::settle() {
  ++settled_;
  recall_passed();
  settle_signs();
}

// A row that counted as met has to be checked again after a row on which it depends was removed.
void DualActiveSet::recall_passed() {
  if (!any_passed_) return;
  for (int i = 0; i < rows_->size(); ++i)
    if (state_[std::size_t(i)] == passed) state_[std::size_t(i)] = idle;
  any_passed_ = false;
}

void DualActiveSet::settle_signs() {
  for (;;) {
    solve();
    int worst = -1;
    double least = 0;
    for (int i = 0; i < basis_.size(); ++i) {
      const double size = lambda_[i] * basis_.length(i);
      if (!active_[std::size_t(i)].free && size < least) least = size, worst = i;
    }
    if (worst < 0) break;
    drop(worst);
  }
  find_w();
}

// The row with the largest violation relative to its norm; -1 if all rows are met.
int DualActiveSet::most_violated(double* amount) {
  find_values();
  size_of_x_ = std::sqrt(k_.dot(x_, x_, padded(rows_->variables())));
  int worst = -1;
  double most = 0;
  for (int i = 0; i < rows_->size(); ++i) {
    if (state_[std::size_t(i)] != idle || compliance_[i] == ignored) continue;
    const double value = values_[i] - moved_[i];
    const double below = rows_->lower(i) - value, above = value - rows_->upper(i);
    if (!(std::max(below, above) > most * norms_[i])) continue;
    const double length = rows_->length(i), margin = rows_->fixed(i) ? 0 : margin_ * length;
    const double out = std::max(below, above) - margin;
    const double enough = pinned(i) ? agrees : (rows_->fixed(i) ? std::min(met_, closely) : met_) * (1 + size_of_x_);
    if (!(out > enough * length && out > most * norms_[i])) continue;
    most = out / norms_[i];
    worst = i;
    *amount = below > above ? below - margin : margin - above;
  }
  return worst;
}

// The position of the active row whose multiplier vanishes first when λ moves along -r; t is the step to there.
int DualActiveSet::first_to_vanish(double* t) const {
  int first = -1;
  *t = infinity;
  for (int i = 0; i < basis_.size(); ++i) {
    if (active_[std::size_t(i)].free || !(r_[i] * basis_.length(i) > unchanged * basis_.length())) continue;
    const double when = std::max(0.0, lambda_[i]) / r_[i];
    if (when < *t) *t = when, first = i;
  }
  return first;
}

// Steps until a violated row holds, and adds it. amount: its violation, positive below its lower bound.
DualActiveSet::End DualActiveSet::add_violated(int index, double amount) {
  const signed char state = rows_->fixed(index) ? equal : amount > 0 ? lower : upper;
  const double sign = amount > 0 ? 1 : -1;
  double left = std::abs(amount), own = 0;
  bool tightened = false;
  for (;;) {
    if (work() >= limit_) return End::limit;
    const double square = project(index, sign > 0);
    basis_.multipliers_of_last(r_);
    const bool thin = square <= negligible_rest() * negligible_rest() * basis_.length() * basis_.length();
    // (Before any step: r of such a row may be only rounding, and would remove rows that have to stay.)
    if (thin && !tightened && left <= canceled * rows_->length(index) * (1 + size_of_x_)) {
      tightened = true;
      left = violation_after_tightening(index, sign);
    }
    if (thin && left <= agrees * rows_->length(index) * std::min(1 + size_of_x_, 10.0)) {
      state_[std::size_t(index)] = passed;
      any_passed_ = true;
      return End::optimal;
    }
    double t1 = infinity;
    const int vanishing = first_to_vanish(&t1);
    // The projection of a row that is nearly dependent may be only rounding: a step along it would lead far away, while
    // a tiny relaxation is enough.
    const double t2 = thin && (square == 0 || slight_gap(index, left)) ? infinity : left / square;
    const double t = std::min(t1, t2);
    if (t == infinity) {
      slight_gap(index, left_ = left);
      return End::infeasible;
    }
    for (int i = 0; i < basis_.size(); ++i) lambda_[i] -= t * r_[i];
    own += t;
    if (square > 0) k_.add(t, basis_.rest(), w_, padded(rows_->variables())), left -= t * square;
    if (t2 <= t1) {
      const int at = basis_.size();
      active_[std::size_t(at)] = {index, sign, state == equal || state == pinned_[std::size_t(index)]};
      basis_.add();
      lambda_[at] = own;
      state_[std::size_t(index)] = state;
      fresh_ = false;
      ++iterations_;
      return End::optimal;
    }
    drop(vanishing);
  }
}

double DualActiveSet::distance_to_w0() const {
  double sum = 0;
  for (int i = 0; i < rows_->variables(); ++i) sum += (w_[i] - w0_[i]) * (w_[i] - w0_[i]);
  return std::sqrt(sum);
}

DualActiveSet::End DualActiveSet::climb(int limit) {
  limit_ = limit;
  int retries = 0, stuck = -1;
  bool consistent = true;  // the equalities do not contradict each other
  double distance = 0;
  int next_check = iterations_ + check_every;
  for (;;) {
    double amount = 0;
    const int index = most_violated(&amount);
    if (index < 0) break;
    if (iterations_ >= next_check) {
      // Without rounding, the distance to w0 grows with every step.
      const double now = distance_to_w0();
      if (slacks_ == 0 && !(now > distance * (1 + 1e-15))) return End::limit;
      distance = now;
      next_check = iterations_ + check_every;
    }
    if (rows_->fixed(index) && consistent && !cushioned()) {
      consistent = reconcile();
      settle_signs();
      continue;
    }
    const End end = add_violated(index, amount);
    if (end == End::limit) return end;
    if (end == End::optimal) continue;
    // The infeasibility may be only rounding: retry from a point where the active rows hold. If the same row fails
    // again, the rows are relaxed slightly.
    if (retries++ == max_retries || !doubtful(index) || (index == stuck && !relax_slightly(index, amount > 0 ? 1 : -1)))
      return end;
    stuck = index == stuck ? -1 : index;
    settle_signs();
    tighten();
  }
  gather_multipliers();
  return End::optimal;
}

void DualActiveSet::gather_multipliers() {
  std::fill_n(zeta_.data(), rows_->size(), 0.0);
  for (int i = 0; i < basis_.size(); ++i)
    zeta_[active_[std::size_t(i)].index] = active_[std::size_t(i)].sign * lambda_[i];
}

// With e = L⁻¹ residual and f the residuals of the active rows:
//   δw = -(1 - QᵀQ) e + Qᵀ T⁻¹ f,   R δλ = T⁻¹ f + Q e.
void DualActiveSet::refine(const double* residual) {
  const int size = padded(rows_->variables());
  hessian_->to_w(residual, {0, size}, e_);
  for (int i = 0; i < basis_.size(); ++i) b_[i] = row_residual(i);
  basis_.forward(b_, y_);
  basis_.along(e_, r_);
  for (int i = 0; i < basis_.size(); ++i) y_[i] += r_[i];
  for (int i = 0; i < size; ++i) e_[i] = -e_[i];
  basis_.add_to(y_, e_);
  basis_.backward(y_);
  for (int i = 0; i < basis_.size(); ++i) lambda_[i] += y_[i];
  hessian_->to_x(e_, b_);
  for (int i = 0; i < size; ++i) w_[i] += e_[i], x_[i] += b_[i];
  rows_->values(x_, values_);
  gather_multipliers();
}

}  // namespace lissom::qp
