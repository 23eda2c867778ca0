#include "lissom/qp/row_basis.h"

#include <algorithm>
#include <cmath>

namespace lissom::qp {
namespace {

// A row of which less than this fraction remains after the projection is linearly dependent.
constexpr double dependent = 1e-10;
// A row of which less than this fraction remains is orthogonalized once more.
constexpr double again = 0.1;

}  // namespace

RowBasis::RowBasis(int variables, int rows)
    : k_(kernels()),
      capacity_(rows),
      T_stride_(padded(rows + 2)),
      columns_of_(std::size_t(rows + 1)),
      segments_(std::size_t(rows + 1)),
      Q_(rows * (padded(variables) + padded(rows))),
      T_((rows + 2) * padded(rows + 2)),
      v_(padded(variables) + padded(rows)),
      next_(padded(variables) + padded(rows)),
      more_(padded(rows + 1)),
      product_(padded(rows + 1)),
      lengths_(padded(rows + 1)),
      inverse_(padded(rows + 1)),
      slack_of_(std::size_t(rows + 1)),
      free_(std::size_t(rows + 1)) {}

void RowBasis::clear(int variables, int slacks) {
  x_ = reach_ = padded(variables);
  stride_ = x_ + padded(slacks);
  size_ = segment_count_ = free_count_ = 0;
  for (int i = slacks; i-- > 0;) free_[std::size_t(free_count_++)] = x_ + i;
}

// v -= Qᵀ Q v, and d = Q v. In the first pass, v shares no slack with other rows.
void RowBasis::take_out(bool slacks_too, double* d) {
  const Columns own = columns_of_v_;
  for (int i = 0; i < segment_count_; ++i) {
    const auto& [begin, end, columns] = segments_[std::size_t(i)];
    const double* const Q = Q_ + begin * stride_;
    const int first = std::max(own.first, columns.first), last = std::min(own.last, columns.last);
    if (first < last)
      k_.times(Q, stride_, end - begin, v_, d + begin, first, last);
    else
      std::fill(d + begin, d + end, 0.0);
    if (!slacks_too || reach_ == x_) continue;
    k_.times(Q, stride_, end - begin, v_, product_ + begin, x_, reach_);
    for (int k = begin; k < end; ++k) d[k] += product_[k];
  }
  for (int i = 0; i < segment_count_; ++i) {
    const auto& [begin, end, columns] = segments_[std::size_t(i)];
    if (all_zero(d + begin, d + end)) continue;
    const double* const Q = Q_ + begin * stride_;
    k_.add_rows(Q, stride_, end - begin, -1, d + begin, v_, columns.first, columns.last);
    if (reach_ > x_) k_.add_rows(Q, stride_, end - begin, -1, d + begin, v_, x_, reach_);
    columns_of_v_ = both(columns_of_v_, columns);
  }
}

// The first pass for two rows without slacks at once.
void RowBasis::take_out_two() {
  const Columns own = both(columns_of_v_, columns_of_next_);
  const double* const v[] = {v_, next_};
  double* const rest[] = {v_, next_};
  for (int i = 0; i < segment_count_; ++i) {
    const auto& [begin, end, columns] = segments_[std::size_t(i)];
    double* const d[] = {T(size_) + begin, T(size_ + 1) + begin};
    const int first = std::max(own.first, columns.first), last = std::min(own.last, columns.last);
    if (first < last) {
      k_.times_two(Q(begin), stride_, end - begin, v, d, first, last);
    } else {
      std::fill_n(d[0], end - begin, 0.0);
      std::fill_n(d[1], end - begin, 0.0);
    }
  }
  for (int i = 0; i < segment_count_; ++i) {
    const auto& [begin, end, columns] = segments_[std::size_t(i)];
    const double* const d[] = {T(size_) + begin, T(size_ + 1) + begin};
    if (all_zero(d[0], d[0] + (end - begin)) && all_zero(d[1], d[1] + (end - begin))) continue;
    k_.subtract_rows_two(Q(begin), stride_, end - begin, d, rest, columns.first, columns.last);
    columns_of_v_ = both(columns_of_v_, columns);
    columns_of_next_ = both(columns_of_next_, columns);
  }
}

double RowBasis::left() const {
  const auto [first, last] = columns_of_v_;
  const double own = k_.dot(v_ + first, v_ + first, last - first);
  return reach_ > x_ ? own + k_.dot(v_ + x_, v_ + x_, reach_ - x_) : own;
}

double RowBasis::project(Columns columns, double slack) {
  slack_ = slack > 0 && free_count_ > 0 ? free_[std::size_t(free_count_ - 1)] : -1;
  columns_of_v_ = columns;
  if (slack_ >= reach_) {
    // Begins a new block of columns for slacks.
    for (int i = 0; i < size_; ++i) std::fill_n(Q(i) + reach_, block, 0.0);
    reach_ += block;
  }
  std::fill(v_ + x_, v_ + reach_, 0.0);
  if (slack_ >= 0) v_[slack_] = slack;
  take_out(false, T(size_));
  return judge();
}

// (Otherwise a narrow row would be processed with as many columns as a wide one.)
bool RowBasis::can_project_two(Columns first, Columns second) const {
  return reach_ == x_ && both(first, second).size() <= std::max(first.size(), second.size()) + block;
}

double RowBasis::project_two(Columns columns, Columns next) {
  slack_ = -1;
  columns_of_v_ = columns;
  columns_of_next_ = next;
  before_ = size_;
  take_out_two();
  return judge();
}

double RowBasis::project_next() {
  std::swap(v_, next_);
  columns_of_v_ = columns_of_next_;
  double* const d = T(size_);
  if (size_ == before_) {
    std::copy_n(T(size_ + 1), size_, d);
  } else {
    const auto [first, last] = columns_of_[std::size_t(before_)];
    const double* const q = Q(before_);
    d[before_] = k_.dot(q + first, v_ + first, last - first);
    k_.add(-d[before_], q + first, v_ + first, last - first);
    columns_of_v_ = both(columns_of_v_, {first, last});
  }
  return judge();
}

// The squared norm of the projected row, after a second pass if needed; 0 if it depends on the basis.
double RowBasis::judge() {
  double* const d = T(size_);
  std::fill(d + size_, d + padded(size_ + 2), 0.0);
  left_ = left();
  const double whole = left_ + k_.dot(d, d, padded(size_));  // |v|², by Pythagoras
  length_ = std::sqrt(whole);
  // If most of the row was removed, the rest has a large rounding error: orthogonalize once more.
  if (left_ < again * again * whole) {
    take_out(true, more_);
    for (int i = 0; i < size_; ++i) d[i] += more_[i];
    left_ = left();
  }
  if (!(left_ > dependent * dependent * whole) || size_ == capacity_) left_ = 0;
  return left_;
}

// A row joins the segment before it if that does not make the segment much wider.
void RowBasis::join_segments(int from) {
  while (segment_count_ > 0 && segments_[std::size_t(segment_count_ - 1)].end > from) {
    auto& segment = segments_[std::size_t(segment_count_ - 1)];
    if (segment.begin >= from)
      --segment_count_;
    else
      segment.end = from;
  }
  const auto wide = [&](Columns c) { return 4 * c.size() > 3 * x_; };
  for (int i = from; i < size_; ++i) {
    const auto own = columns_of_[std::size_t(i)];
    if (segment_count_ > 0) {
      auto& segment = segments_[std::size_t(segment_count_ - 1)];
      const auto joint = both(segment.columns, own);
      if (!wide(joint) || (wide(segment.columns) && wide(own))) {
        segment.end = i + 1, segment.columns = joint;
        continue;
      }
    }
    segments_[std::size_t(segment_count_++)] = {i, i + 1, own};
  }
}

void RowBasis::add() {
  const double length = std::sqrt(left_);
  double* const q = Q(size_);
  const auto [first, last] = columns_of_v_;
  std::fill(q, q + first, 0.0);
  k_.multiply(1 / length, v_ + first, q + first, last - first);
  std::fill(q + last, q + x_, 0.0);
  k_.multiply(1 / length, v_ + x_, q + x_, reach_ - x_);
  T(size_)[size_] = length;
  inverse_[size_] = 1 / length;
  lengths_[size_] = length_;
  slack_of_[std::size_t(size_)] = slack_;
  columns_of_[std::size_t(size_)] = columns_of_v_;
  if (slack_ >= 0) --free_count_;
  ++size_;
  join_segments(size_ - 1);
}

void RowBasis::remove(int index) {
  const int slack = slack_of_[std::size_t(index)];
  Columns joint = columns_of_[std::size_t(index)];
  for (int i = index; i + 1 < size_; ++i) {
    std::copy_n(T(i + 1), padded(i + 2), T(i));
    lengths_[i] = lengths_[i + 1];
    slack_of_[std::size_t(i)] = slack_of_[std::size_t(i + 1)];
    // (The removed row is rotated with all rows behind it.)
    joint = both(joint, columns_of_[std::size_t(i + 1)]);
    columns_of_[std::size_t(i)] = joint;
  }
  --size_;
  // Row i of T now has an element right of its diagonal; a Givens rotation of columns i and i + 1 removes it.
  for (int i = index; i < size_; ++i) {
    const double a = T(i)[i], b = T(i)[i + 1], length = std::sqrt(a * a + b * b);
    const double c = a / length, s = b / length;
    T(i)[i] = length, T(i)[i + 1] = 0, inverse_[i] = 1 / length;
    for (int r = i + 1; r < size_; ++r) {
      const double x = T(r)[i], y = T(r)[i + 1];
      T(r)[i] = c * x + s * y;
      T(r)[i + 1] = c * y - s * x;
    }
    k_.rotate(Q(i), Q(i + 1), c, s, reach_);
  }
  join_segments(index);
  if (slack < 0) return;
  // The remaining rows have no component along the slack of the removed row.
  for (int i = 0; i < size_; ++i) Q(i)[slack] = 0;
  free_[std::size_t(free_count_++)] = slack;
}

void RowBasis::multipliers_of_last(double* r) const {
  std::copy_n(T(size_), padded(size_), r);
  backward(r);
}

// Both substitutions are done by blocks: the contribution of the other blocks is a product; only inside of a block each
// element depends on the one before.
void RowBasis::forward(const double* b, double* y) const {
  std::fill_n(y, padded(size_), 0.0);
  for (int first = 0; first < size_; first += block) {
    const int last = std::min(first + block, size_);
    k_.times(T(first), T_stride_, last - first, y, product_ + first, 0, first);
    for (int i = first; i < last; ++i) {
      double x = b[i] - product_[i];
      for (int j = first; j < i; ++j) x -= T(i)[j] * y[j];
      y[i] = x * inverse_[i];
    }
  }
}

void RowBasis::backward(double* y) const {
  for (int first = block_start(size_ - 1); first >= 0; first -= block) {
    const int last = std::min(first + block, size_);
    for (int i = last - 1; i >= first; --i) {
      y[i] *= inverse_[i];
      for (int j = first; j < i; ++j) y[j] -= T(i)[j] * y[i];
    }
    k_.add_rows(T(first), T_stride_, last - first, -1, y + first, y, 0, first);
  }
}

void RowBasis::add_to(const double* y, double* w) const {
  for (int i = 0; i < segment_count_; ++i) {
    const auto& [begin, end, columns] = segments_[std::size_t(i)];
    k_.add_rows(Q(begin), stride_, end - begin, 1, y + begin, w, columns.first, columns.last);
  }
}

void RowBasis::along(const double* w, double* y) const {
  for (int i = 0; i < segment_count_; ++i) {
    const auto& [begin, end, columns] = segments_[std::size_t(i)];
    k_.times(Q(begin), stride_, end - begin, w, y + begin, columns.first, columns.last);
  }
}

}  // namespace lissom::qp
