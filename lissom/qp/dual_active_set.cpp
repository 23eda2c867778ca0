#include "lissom/qp/dual_active_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lissom::qp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// A row counts as met within this, in proportion to its length and that of x.
constexpr double met = 1e-11;
// The same where the distances of rows are what is looked for.
constexpr double closely_met = 1e-14;
// A row that depends on active ones, or nearly, counts as met within this.
constexpr double agrees = 1e-9;
// A row of which less than this is left, once the others are taken out of it, is not made to hold unless it has to be:
// equalities that say the same twice never say quite the same.
constexpr double nearly_dependent = 1e-7;
// The same of a pinned row: its bound is where the others let it be, to some ten digits, which would be multiplied.
constexpr double nearly_dependent_pinned = 1e-5;
// How often rows that seem to contradict each other are looked at again.
constexpr int looks = 6;
// A bound that is moved by less than this, in proportion to the farthest, may not have been moved at all.
constexpr double moved_by_rounding = 1e-6;
// A multiplier whose change is less than this, in proportion, is not changed by a step.
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
      give_(all(s)),
      moved_(all(s)),
      active_(std::size_t(all(s) + 1)),
      state_(std::size_t(all(s))),
      pinned_(std::size_t(all(s))),
      aim_of_(std::size_t(all(s))),
      last_(std::size_t(all(s) + 1)),
      saved_(std::size_t(all(s) + 1)),
      wanted_(std::size_t(all(s) + 1)),
      key_(std::size_t(all(s) + 1)),
      order_(std::size_t(all(s) + 1)),
      starts_(std::size_t(s.variables / block + 4)) {}

void DualActiveSet::set(const Constraints& constraints, Hessian& hessian) {
  rows_ = &constraints;
  hessian_ = &hessian;
  slacks_ = 0;
  met_ = met;
  loose_ = 0;
  for (int i = 0; i < rows_->size(); ++i) {
    moved_[i] = 0;
    pinned_[std::size_t(i)] = 0;
    give_[i] = rows_->weight(i) > 0 ? 1 / rows_->weight(i) : 0;
    slacks_ += give_[i] > 0;
  }
}

void DualActiveSet::soften() {
  for (int i = 0; i < rows_->size(); ++i)
    give_[i] = rows_->weight(i) > 0 ? ignored : rows_->length(i) * rows_->length(i);
  slacks_ = rows_->size();
  met_ = closely_met;
}

void DualActiveSet::move(const double* by, double loose) {
  loose_ = loose;
  std::copy_n(by, rows_->size(), moved_.data());
}

void DualActiveSet::pin() {
  double most = 0;
  for (int i = 0; i < rows_->size(); ++i) most = std::max(most, std::abs(moved_[i]) / rows_->length(i));
  for (int i = 0; i < rows_->size(); ++i)
    if (std::abs(moved_[i]) > moved_by_rounding * most * rows_->length(i))
      pinned_[std::size_t(i)] = moved_[i] < 0 ? lower : upper;
}

// Moved by the smallest relaxation v, rows add up to nothing: Σ v n / |n|² = 0, each with the right sign. As much of
// this is added to the multipliers as it takes.
void DualActiveSet::right_signs() {
  const auto part = [&](int i) { return -moved_[i] / (rows_->length(i) * rows_->length(i)); };
  double most = 0;
  for (int i = 0; i < rows_->size(); ++i)
    if (pinned(i) && !rows_->fixed(i)) most = std::max(most, -zeta_[i] / part(i));
  for (int i = 0; most > 0 && i < rows_->size(); ++i) zeta_[i] += most * part(i);
}

void DualActiveSet::aim(const double* gradient) {
  hessian_->to_w(gradient, {0, padded(rows_->variables())}, w0_);
  for (int i = 0; i < padded(rows_->variables()); ++i) w0_[i] = -w0_[i];
  hessian_->to_x(w0_, x0_);
  ++aim_;
}

// n·x0, found where it is asked for: of few rows, and of those often.
double DualActiveSet::value0(int index) {
  const auto i = std::size_t(index);
  if (aim_of_[i] != aim_) aim_of_[i] = aim_, values0_[index] = rows_->value(index, x0_);
  return values0_[index];
}

double DualActiveSet::target(const Row& r) const {
  const double loose = r.free ? 0 : r.sign * loose_ * rows_->length(r.index);
  return (r.sign > 0 ? rows_->lower(r.index) : rows_->upper(r.index)) + moved_[r.index] - loose;
}

// The row in w, turned so that it has to grow.
Columns DualActiveSet::turned(int index, bool grows, double* v) {
  const auto columns = rows_->to_w(index, *hessian_, v);
  if (!grows)
    for (int i = columns.first; i < columns.last; ++i) v[i] = -v[i];
  return columns;
}

// Without what the active rows have of it: the squared length of what is left.
double DualActiveSet::project(int index, bool grows) {
  return basis_.project(turned(index, grows, basis_.row()), std::sqrt(give_[index]));
}

// Takes in the row that was projected last, unless it nearly depends on those that are here.
void DualActiveSet::take_in(const Entry& row, double square) {
  const auto [index, state] = row;
  const double least = (pinned(index) ? nearly_dependent_pinned : nearly_dependent) * basis_.length();
  if (square <= least * least) return;
  active_[std::size_t(basis_.size())] = {index, state == upper ? -1.0 : 1.0, state == equal || pinned(index)};
  basis_.add();
  state_[std::size_t(index)] = state;
}

void DualActiveSet::drop(int where) {
  recall_passed();
  state_[std::size_t(active_[std::size_t(where)].index)] = idle;
  for (int i = where; i + 1 < basis_.size(); ++i) {
    active_[std::size_t(i)] = active_[std::size_t(i + 1)];
    lambda_[i] = lambda_[i + 1];
  }
  basis_.remove(where);
  fresh_ = false;
  ++iterations_;
}

// The multipliers with which the active rows hold: T y = b - V w0, R λ = y. (y stays, for place.)
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
void DualActiveSet::place() {
  std::copy_n(w0_.data(), padded(rows_->variables()), w_.data());
  basis_.add_to(y_, w_);
}

void DualActiveSet::find_values() {
  hessian_->to_x(w_, x_);
  rows_->values(x_, values_);
}

void DualActiveSet::settle() {
  recall_passed();
  settle_signs();
}

// A row that was as good as met has to be looked at again once one on which it depends is gone.
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
  place();
}

// The row that is farthest from its bounds, in proportion to its length; -1 where all are met.
int DualActiveSet::most_violated(double* amount) {
  find_values();
  size_of_x_ = std::sqrt(k_.dot(x_, x_, padded(rows_->variables())));
  int worst = -1;
  double most = met_ * (1 + size_of_x_);
  for (int i = 0; i < rows_->size(); ++i) {
    if (state_[std::size_t(i)] != idle || give_[i] == ignored) continue;
    const double value = values_[i] - moved_[i], length = rows_->length(i);
    const double below = rows_->lower(i) - value, above = value - rows_->upper(i);
    const double loose = rows_->fixed(i) ? 0 : loose_ * length;
    const double out = std::max(below, above) - loose;
    if (!(out > most * length) || ((rows_->fixed(i) || pinned(i)) && out <= agrees * length)) continue;
    most = out / length;
    worst = i;
    *amount = below > above ? below - loose : loose - above;
  }
  return worst;
}

// The place of the first row whose multiplier vanishes when λ goes along -r, and when.
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

// Brings one row to where it holds. amount: how far it is outside, positive below its lower bound.
DualActiveSet::End DualActiveSet::bring(int index, double amount) {
  const signed char state = rows_->fixed(index) ? equal : amount > 0 ? lower : upper;
  const double sign = amount > 0 ? 1 : -1;
  double left = std::abs(amount), own = 0;
  for (;;) {
    if (iterations_ >= limit_) return End::limit;
    const double square = project(index, sign > 0);
    basis_.multipliers_of_last(r_);
    double t1 = infinity;
    const int vanishing = first_to_vanish(&t1);
    // Of a row that nearly depends on the others, what is left may be no more than rounding: a step along it would lead
    // far away, where giving way a very little will do.
    const bool thin = square <= nearly_dependent * nearly_dependent * basis_.length() * basis_.length();
    const double t2 = thin && (square == 0 || slight_gap(index, left)) ? infinity : left / square;
    const double t = std::min(t1, t2);
    if (t == infinity) {
      if (left <= agrees * rows_->length(index) * std::min(1 + size_of_x_, 10.0)) {
        state_[std::size_t(index)] = passed;
        any_passed_ = true;
        return End::optimal;
      }
      left_ = left;
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

DualActiveSet::End DualActiveSet::climb(int limit) {
  limit_ = limit;
  int looked = 0, stuck = -1;
  for (;;) {
    double amount = 0;
    const int index = most_violated(&amount);
    if (index < 0) break;
    const End end = bring(index, amount);
    if (end == End::limit) return end;
    if (end == End::optimal) continue;
    // Rounding may be all there is to it: once more, from a point where the active rows hold. Then they may give way.
    if (looked++ == looks || !doubtful(index) || (index == stuck && !give_way(index, amount > 0 ? 1 : -1))) return end;
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

// With e = L⁻¹ residual and f what the active rows lack:
//   δw = -(1 - QᵀQ) e + Qᵀ T⁻¹ f,   R δλ = T⁻¹ f + Q e.
void DualActiveSet::refine(const double* residual) {
  const int size = padded(rows_->variables());
  hessian_->to_w(residual, {0, size}, e_);
  for (int i = 0; i < basis_.size(); ++i) b_[i] = lack(i);
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
