#include "lissom/qp/dual.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lissom::qp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// A row counts as met within this, in proportion to its length and that of x.
constexpr double met = 1e-11;
// A row that depends on active ones, or nearly, counts as met within this.
constexpr double agrees = 1e-9;
// A row of which less than this is left, once the others are taken out of it, is not made to hold unless it has to be:
// equalities that say the same twice never say quite the same.
constexpr double nearly_dependent = 1e-7;
// A multiplier whose change is less than this, in proportion, is not changed by a step.
constexpr double unchanged = 1e-11;

int all(const Sizes& s) {
  return padded(s.equalities + s.rows + s.variables + 4);
}

}  // namespace

Dual::Dual(const Sizes& s)
    : k_(kernels()),
      span_(s.variables, all(s)),
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
      last_(std::size_t(all(s) + 1)),
      wanted_(std::size_t(all(s) + 1)),
      key_(std::size_t(all(s) + 1)),
      order_(std::size_t(all(s) + 1)),
      starts_(std::size_t(s.variables / block + 4)) {}

void Dual::set(const Constraints& constraints, Hessian& hessian) {
  rows_ = &constraints;
  hessian_ = &hessian;
  slacks_ = 0;
  for (int i = 0; i < rows_->size(); ++i) {
    moved_[i] = 0;
    give_[i] = rows_->weight(i) > 0 ? 1 / rows_->weight(i) : 0;
    slacks_ += give_[i] > 0;
  }
}

void Dual::soften(double stiffness) {
  for (int i = 0; i < rows_->size(); ++i)
    if (give_[i] == 0) give_[i] = rows_->length(i) * rows_->length(i) / stiffness;
  slacks_ = rows_->size();
}

void Dual::aim(const double* gradient) {
  hessian_->to_w(gradient, {0, padded(rows_->variables())}, w0_);
  for (int i = 0; i < padded(rows_->variables()); ++i) w0_[i] = -w0_[i];
  hessian_->to_x(w0_, x0_);
  rows_->values(x0_, values0_);
}

double Dual::target(const Row& r) const {
  return (r.sign > 0 ? rows_->lower(r.index) : rows_->upper(r.index)) + moved_[r.index];
}

bool Dual::enter(int index, signed char state) {
  const auto columns = rows_->to_w(index, *hessian_, span_.row());
  if (state == upper)
    for (int i = 0; i < padded(rows_->variables()); ++i) span_.row()[i] = -span_.row()[i];
  const double square = span_.project(columns, std::sqrt(give_[index]));
  if (square <= nearly_dependent * nearly_dependent * span_.length() * span_.length()) return false;
  active_[std::size_t(span_.size())] = {index, state == upper ? -1.0 : 1.0, state == equal};
  span_.add();
  state_[std::size_t(index)] = state;
  return true;
}

// Equalities that depend on others are left out; whether they agree with them is seen in the end. Rows that are alike
// in where they have numbers come one after the other, wide ones last: those that enter behind them become wide
// themselves.
void Dual::start(bool warm) {
  span_.clear(rows_->variables(), slacks_);
  fresh_ = true;
  std::fill_n(state_.data(), rows_->size(), idle);
  int count = 0;
  for (int i = 0; i < rows_->size(); ++i)
    if (rows_->fixed(i)) wanted_[std::size_t(count++)] = {i, equal};
  for (int i = 0; warm && i < last_size_; ++i) {
    const auto& [index, state] = last_[std::size_t(i)];
    const double bound = state == lower ? rows_->lower(index) : rows_->upper(index);
    if (!rows_->fixed(index) && std::abs(bound) < unbounded) wanted_[std::size_t(count++)] = {index, state};
  }
  sort_by_columns(count);
  for (int i = 0; i < count; ++i)
    enter(wanted_[std::size_t(order_[std::size_t(i)])].index, wanted_[std::size_t(order_[std::size_t(i)])].state);
}

// order_: of the first `count` of wanted_, by their first column, wide ones last. (Counted, not compared.)
void Dual::sort_by_columns(int count) {
  const int width = padded(rows_->variables()), keys = width / block + 1;
  std::fill_n(starts_.data(), keys + 1, 0);
  for (int i = 0; i < count; ++i) {
    const auto columns = rows_->columns(wanted_[std::size_t(i)].index);
    key_[std::size_t(i)] = 4 * columns.size() > 3 * width ? keys - 1 : columns.first / block;
    ++starts_[std::size_t(key_[std::size_t(i)] + 1)];
  }
  for (int k = 0; k < keys; ++k) starts_[std::size_t(k + 1)] += starts_[std::size_t(k)];
  for (int i = 0; i < count; ++i) order_[std::size_t(starts_[std::size_t(key_[std::size_t(i)])]++)] = i;
}

void Dual::keep() {
  last_size_ = 0;
  for (int i = 0; i < span_.size(); ++i) {
    const auto& row = active_[std::size_t(i)];
    if (!row.free) last_[std::size_t(last_size_++)] = {row.index, row.sign > 0 ? lower : upper};
  }
}

void Dual::drop(int where) {
  state_[std::size_t(active_[std::size_t(where)].index)] = idle;
  for (int i = where; i + 1 < span_.size(); ++i) {
    active_[std::size_t(i)] = active_[std::size_t(i + 1)];
    lambda_[i] = lambda_[i + 1];
  }
  span_.remove(where);
  fresh_ = false;
  ++iterations_;
}

// The multipliers with which the active rows hold: T y = b - V w0, R λ = y. (y stays, for place.)
void Dual::solve() {
  for (int i = 0; i < span_.size(); ++i) {
    const auto& row = active_[std::size_t(i)];
    b_[i] = row.sign * (target(row) - values0_[row.index]);
  }
  span_.forward(b_, y_);
  std::copy_n(y_.data(), padded(span_.size()), lambda_.data());
  span_.backward(lambda_);
}

// w = w0 + Qᵀ y
void Dual::place() {
  std::copy_n(w0_.data(), padded(rows_->variables()), w_.data());
  span_.add_to(y_, w_);
}

void Dual::settle() {
  for (int i = 0; i < rows_->size(); ++i)
    if (state_[std::size_t(i)] == passed) state_[std::size_t(i)] = idle;
  for (;;) {
    solve();
    int worst = -1;
    double least = 0;
    for (int i = 0; i < span_.size(); ++i) {
      const double size = lambda_[i] * span_.length(i);
      if (!active_[std::size_t(i)].free && size < least) least = size, worst = i;
    }
    if (worst < 0) break;
    drop(worst);
  }
  place();
}

// The row that is farthest from its bounds, in proportion to its length; -1 where all are met.
int Dual::most_violated(double* amount) {
  hessian_->to_x(w_, x_);
  rows_->values(x_, values_);
  size_of_x_ = std::sqrt(k_.dot(x_, x_, padded(rows_->variables())));
  int worst = -1;
  double most = met * (1 + size_of_x_);
  for (int i = 0; i < rows_->size(); ++i) {
    if (state_[std::size_t(i)] != idle) continue;
    const double value = values_[i] - moved_[i];
    const double below = rows_->lower(i) > -unbounded ? rows_->lower(i) - value : 0;
    const double above = rows_->upper(i) < unbounded ? value - rows_->upper(i) : 0;
    double out = std::max(below, above) / rows_->length(i);
    if (below == -above && out <= agrees) continue;
    if (out > most) most = out, worst = i, *amount = below > above ? below : -above;
  }
  return worst;
}

// The place of the first row whose multiplier vanishes when λ goes along -r, and when.
int Dual::first_to_vanish(double* t) const {
  int first = -1;
  *t = infinity;
  for (int i = 0; i < span_.size(); ++i) {
    if (active_[std::size_t(i)].free || !(r_[i] * span_.length(i) > unchanged * span_.length())) continue;
    const double when = std::max(0.0, lambda_[i]) / r_[i];
    if (when < *t) *t = when, first = i;
  }
  return first;
}

// Brings one row to where it holds. amount: how far it is outside, positive below its lower bound.
Dual::End Dual::bring(int index, double amount) {
  const signed char state = rows_->fixed(index) ? equal : amount > 0 ? lower : upper;
  const double sign = amount > 0 ? 1 : -1;
  double left = std::abs(amount), own = 0;
  for (;;) {
    if (iterations_ >= limit_) return End::limit;
    const auto columns = rows_->to_w(index, *hessian_, span_.row());
    if (sign < 0)
      for (int i = 0; i < padded(rows_->variables()); ++i) span_.row()[i] = -span_.row()[i];
    const double square = span_.project(columns, std::sqrt(give_[index]));
    span_.multipliers_of_last(r_);
    double t1 = infinity;
    const int vanishing = first_to_vanish(&t1);
    const double t2 = square > 0 ? left / square : infinity;
    const double t = std::min(t1, t2);
    if (t == infinity) {
      if (left <= agrees * rows_->length(index) * (1 + size_of_x_)) {
        state_[std::size_t(index)] = passed;
        return End::optimal;
      }
      stuck_ = index;
      return End::infeasible;
    }
    for (int i = 0; i < span_.size(); ++i) lambda_[i] -= t * r_[i];
    own += t;
    if (square > 0) k_.add(t, span_.rest(), w_, padded(rows_->variables())), left -= t * square;
    if (t2 <= t1) {
      const int at = span_.size();
      active_[std::size_t(at)] = {index, sign, state == equal};
      span_.add();
      lambda_[at] = own;
      state_[std::size_t(index)] = state;
      fresh_ = false;
      ++iterations_;
      return End::optimal;
    }
    drop(vanishing);
  }
}

Dual::End Dual::climb(int limit) {
  limit_ = limit;
  for (;;) {
    double amount = 0;
    const int index = most_violated(&amount);
    if (index < 0) break;
    if (const End end = bring(index, amount); end != End::optimal) return end;
  }
  gather_multipliers();
  return End::optimal;
}

void Dual::gather_multipliers() {
  std::fill_n(zeta_.data(), rows_->size(), 0.0);
  for (int i = 0; i < span_.size(); ++i)
    zeta_[active_[std::size_t(i)].index] = active_[std::size_t(i)].sign * lambda_[i];
}

// With e = L⁻¹ residual and f what the active rows lack:
//   δw = -(1 - QᵀQ) e + Qᵀ T⁻¹ f,   R δλ = T⁻¹ f + Q e.
void Dual::refine(const double* residual) {
  const int size = padded(rows_->variables());
  hessian_->to_w(residual, {0, size}, e_);
  for (int i = 0; i < span_.size(); ++i) {
    const auto& row = active_[std::size_t(i)];
    b_[i] = row.sign * (target(row) - values_[row.index]) - give_[row.index] * lambda_[i];
  }
  span_.forward(b_, y_);
  span_.along(e_, r_);
  for (int i = 0; i < span_.size(); ++i) y_[i] += r_[i];
  for (int i = 0; i < size; ++i) e_[i] = -e_[i];
  span_.add_to(y_, e_);
  span_.backward(y_);
  for (int i = 0; i < span_.size(); ++i) lambda_[i] += y_[i];
  hessian_->to_x(e_, b_);
  for (int i = 0; i < size; ++i) w_[i] += e_[i], x_[i] += b_[i];
  rows_->values(x_, values_);
  gather_multipliers();
}

}  // namespace lissom::qp
