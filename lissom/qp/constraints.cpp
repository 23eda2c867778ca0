#include "lissom/qp/constraints.h"

#include <algorithm>
#include <cmath>

namespace lissom::qp {

const char* wrong_sizes(const Problem& p, const Sizes& max_sizes) {
  const auto n = p.g.size(), me = p.b.size(), mi = p.l.size();
  if (n < 1) return "g is empty, expected at least one variable";
  if (n > max_sizes.variables) return "g has more variables than the solver was made for";
  if (me > max_sizes.equalities) return "b has more equalities than the solver was made for";
  if (mi > max_sizes.rows) return "l has more rows than the solver was made for";
  if (p.H.rows() != n || p.H.cols() != n) return "the size of H does not match g";
  if (p.A.rows() != me || (me > 0 && p.A.cols() != n)) return "the size of A does not match b and g";
  if (p.C.rows() != mi || (mi > 0 && p.C.cols() != n)) return "the size of C does not match l and g";
  if (p.u.size() != mi) return "the size of u does not match l";
  if (p.lx.size() != n || p.ux.size() != n) return "the size of lx or ux does not match g";
  if (p.weight.size() != 0 && p.weight.size() != mi) return "the size of weight does not match l";
  int sum = 0;
  for (const int size : p.blocks) {
    if (size < 1 || size > n - sum) return "blocks are not positive sizes whose sum is the number of variables";
    sum += size;
  }
  if (!p.blocks.empty() && sum != n) return "blocks are not positive sizes whose sum is the number of variables";
  return nullptr;
}

Constraints::Constraints(const Sizes& s)
    : k_(kernels()),
      rows_of_memory_(s.equalities + s.rows + 4),
      N_((s.equalities + s.rows + 4) * padded(s.variables)),
      lower_(s.equalities + s.rows + s.variables + 4),
      upper_(s.equalities + s.rows + s.variables + 4),
      length_(s.equalities + s.rows + s.variables + 4),
      weight_(s.equalities + s.rows + s.variables + 4),
      given_lower_(s.equalities + s.rows + s.variables + 4),
      given_upper_(s.equalities + s.rows + s.variables + 4),
      columns_(std::size_t(s.equalities + s.rows + 4)),
      fours_(std::size_t(s.equalities + s.rows + 4)),
      list_(std::size_t(s.equalities + s.rows + 4)),
      listed_(s.equalities + s.rows + 4) {}

bool Constraints::copy(const MatrixIn& from, int first, int count) {
  bool finite = true;
  for (int i = 0; i < count; ++i) {
    const double total = k_.take(from.data() + i * from.outerStride(), n_, N_ + (first + i) * stride_,
                                 &columns_[std::size_t(first + i)]);
    finite &= total < 1e300;
    length_[first + i] = total > 0 ? std::sqrt(total) : 1;
  }
  return finite;
}

bool Constraints::set_limits(int first, const VectorIn& lower, const VectorIn& upper) {
  // (Without branches, so that compilers vectorize it. Comparisons with NaN are false.)
  bool good = true, crossed = false;
  const double *const l = lower.data(), *const u = upper.data();
  for (int i = 0; i < int(lower.size()); ++i) {
    const bool over = l[i] > u[i];
    const double middle = 0.5 * (l[i] + u[i]);
    good &= (l[i] < unbounded) & (u[i] > -unbounded);
    crossed |= over;
    given_lower_[first + i] = l[i], given_upper_[first + i] = u[i];
    lower_[first + i] = over ? middle : l[i], upper_[first + i] = over ? middle : u[i];
  }
  if (crossed) find_crossing(first, int(lower.size()));
  return good;
}

void Constraints::find_crossing(int first, int count) {
  for (int i = first; i < first + count; ++i) {
    const double half = 0.5 * (given_lower_[i] - given_upper_[i]);
    crossing_ = std::max(crossing_, half);
    scaled_crossing_ = std::max(scaled_crossing_, half / (bound(i) ? 1 : std::max(1.0, length_[i])));
  }
}

void Constraints::find_ranges() {
  const int rows = me_ + mi_;
  for (int i = 0; i < rows; i += 4) {
    Columns all;
    for (int k = i; k < std::min(i + 4, rows); ++k) all = both(all, columns_[std::size_t(k)]);
    fours_[std::size_t(i / 4)] = all;
  }
}

const char* Constraints::set(const Problem& p) {
  n_ = int(p.g.size()), me_ = int(p.b.size()), mi_ = int(p.l.size());
  crossing_ = scaled_crossing_ = 0;
  any_soft_ = false;
  if (stride_ != padded(n_)) {
    // The stride changes, so that all rows move: the old ones are cleared.
    std::fill(N_.data(), N_ + rows_of_memory_ * stride_, 0.0);
    std::fill(columns_.begin(), columns_.end(), Columns{});
    stride_ = padded(n_);
  }
  if (!copy(p.A, 0, me_)) return "A has an element that is NaN, infinite or too large";
  if (!copy(p.C, me_, mi_)) return "C has an element that is NaN, infinite or too large";
  find_ranges();
  if (!set_limits(0, p.b, p.b)) return "b has an element that is NaN or infinite";
  if (!set_limits(me_, p.l, p.u)) return "l or u has an element that is NaN, or infinite with the wrong sign";
  if (!set_limits(me_ + mi_, p.lx, p.ux)) return "lx or ux has an element that is NaN, or infinite with the wrong sign";
  std::fill_n(length_ + me_ + mi_, n_, 1.0);
  std::fill_n(weight_.data(), size(), 0.0);
  for (int i = 0; i < int(p.weight.size()); ++i) {
    const double w = p.weight[i];
    if (!(w >= 0 && w < 1e100)) return "weight has an element that is negative, NaN or infinite";
    weight_[me_ + i] = w;
    any_soft_ |= w > 0;
  }
  return nullptr;
}

Conflict Constraints::conflict(int i, double value) const {
  Conflict c;
  c.part = i < me_ ? Part::equality : i < me_ + mi_ ? Part::row : Part::bound;
  c.index = i < me_ ? i : i < me_ + mi_ ? i - me_ : i - me_ - mi_;
  // A value between two crossed bounds violates both; the lower one is reported.
  c.amount = value < given_lower_[i] ? value - given_lower_[i] : value > given_upper_[i] ? value - given_upper_[i] : 0;
  return c;
}

void Constraints::values(const double* x, double* out) const {
  const int rows = me_ + mi_;
  for (int i = 0; i < rows; i += 4) {
    const auto [first, last] = fours_[std::size_t(i / 4)];
    k_.times(N_ + i * stride_, stride_, std::min(4, rows - i), x, out + i, first, last);
  }
  std::copy_n(x, n_, out + rows);
}

double Constraints::value(int i, const double* x) const {
  if (bound(i)) return x[i - me_ - mi_];
  const auto [first, last] = columns_[std::size_t(i)];
  return k_.dot(N_ + i * stride_ + first, x + first, last - first);
}

double Constraints::length(int i, const double* units) const {
  if (bound(i)) return units[i - me_ - mi_];
  const auto [first, last] = columns_[std::size_t(i)];
  double sum = 0;
  for (int k = first; k < last; ++k) sum += N_[i * stride_ + k] * N_[i * stride_ + k] * units[k] * units[k];
  return sum > 0 ? std::sqrt(sum) : 1;
}

Columns Constraints::columns(int i) const {
  if (!bound(i)) return columns_[std::size_t(i)];
  const int first = block_start(i - me_ - mi_);
  return {first, first + block};
}

Columns Constraints::to_w(int i, Hessian& hessian, double* v) const {
  if (bound(i)) return hessian.unit_to_w(i - me_ - mi_, v);
  return hessian.to_w(N_ + i * stride_, columns_[std::size_t(i)], v);
}

void Constraints::subtract(const double* multipliers, double* out) {
  const int rows = me_ + mi_;
  int count = 0;
  for (int i = 0; i < rows; ++i) {
    list_[std::size_t(count)] = i;
    listed_[count] = -multipliers[i];
    count += multipliers[i] != 0;
  }
  k_.add_listed(N_, stride_, count, list_.data(), listed_, out, 0, stride_);
  for (int i = 0; i < n_; ++i) out[i] -= multipliers[rows + i];
}

}  // namespace lissom::qp
