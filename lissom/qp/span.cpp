#include "lissom/qp/span.h"

#include <algorithm>
#include <cmath>

namespace lissom::qp {
namespace {

// A row of which less than this is left, once the others are taken out of it, depends on them.
constexpr double dependent = 1e-10;

}  // namespace

Span::Span(int variables, int rows)
    : k_(kernels()),
      capacity_(rows),
      T_stride_(padded(rows + 1)),
      Q_(rows * (padded(variables) + padded(rows))),
      T_(rows * padded(rows + 1)),
      v_(padded(variables) + padded(rows)),
      d_(padded(rows + 1)),
      more_(padded(rows + 1)),
      lengths_(padded(rows + 1)),
      columns_(std::size_t(rows + 1)),
      free_(std::size_t(rows + 1)) {}

void Span::clear(int variables, int slacks) {
  n_ = variables;
  stride_ = padded(variables) + padded(slacks);
  size_ = 0;
  free_count_ = 0;
  for (int i = slacks; i-- > 0;) free_[std::size_t(free_count_++)] = padded(n_) + i;
}

double Span::project(double slack) {
  std::fill(v_ + padded(n_), v_ + stride_, 0.0);
  column_ = -1;
  if (slack > 0 && free_count_ > 0) column_ = free_[std::size_t(free_count_ - 1)], v_[column_] = slack;
  const double whole = k_.dot(v_, v_, stride_);
  length_ = std::sqrt(whole);
  k_.times(Q_, stride_, size_, v_, d_, 0, stride_);
  for (int i = 0; i < size_; ++i) more_[i] = -d_[i];
  k_.add_rows(Q_, stride_, size_, more_, 1, v_, 0, stride_);
  left_ = k_.dot(v_, v_, stride_);
  // What is left of a long row is full of rounding: once more.
  if (left_ < 0.25 * whole) {
    k_.times(Q_, stride_, size_, v_, more_, 0, stride_);
    for (int i = 0; i < size_; ++i) d_[i] += more_[i], more_[i] = -more_[i];
    k_.add_rows(Q_, stride_, size_, more_, 1, v_, 0, stride_);
    left_ = k_.dot(v_, v_, stride_);
  }
  if (!(left_ > dependent * dependent * whole) || size_ == capacity_) left_ = 0;
  return left_;
}

void Span::add() {
  const double length = std::sqrt(left_);
  double* const q = Q(size_);
  std::fill_n(q, stride_, 0.0);
  k_.add(1 / length, v_, q, stride_);
  std::copy_n(d_.data(), size_, T(size_));
  std::fill(T(size_) + size_, T(size_) + T_stride_, 0.0);
  T(size_)[size_] = length;
  lengths_[size_] = length_;
  columns_[std::size_t(size_)] = column_;
  if (column_ >= 0) --free_count_;
  ++size_;
}

void Span::remove(int place) {
  const int column = columns_[std::size_t(place)];
  for (int i = place; i + 1 < size_; ++i) {
    std::copy_n(T(i + 1), padded(i + 2), T(i));
    lengths_[i] = lengths_[i + 1];
    columns_[std::size_t(i)] = columns_[std::size_t(i + 1)];
  }
  --size_;
  // Row i of T now has a number right of its diagonal; a rotation of columns i and i + 1 brings it back.
  for (int i = place; i < size_; ++i) {
    const double a = T(i)[i], b = T(i)[i + 1], length = std::sqrt(a * a + b * b);
    const double c = a / length, s = b / length;
    T(i)[i] = length, T(i)[i + 1] = 0;
    for (int r = i + 1; r < size_; ++r) {
      const double x = T(r)[i], y = T(r)[i + 1];
      T(r)[i] = c * x + s * y;
      T(r)[i + 1] = c * y - s * x;
    }
    k_.turn(Q(i), Q(i + 1), c, s, stride_);
  }
  if (column < 0) return;
  // Nothing that stays lies along the slack of the row that went.
  for (int i = 0; i < size_; ++i) Q(i)[column] = 0;
  free_[std::size_t(free_count_++)] = column;
}

void Span::multipliers_of_last(double* r) const {
  std::copy_n(d_.data(), padded(size_), r);
  backward(r);
}

void Span::forward(const double* b, double* y) const {
  for (int i = 0; i < padded(size_); ++i) y[i] = 0;
  for (int i = 0; i < size_; ++i) y[i] = (b[i] - k_.dot(T(i), y, padded(i))) / T(i)[i];
}

void Span::backward(double* y) const {
  for (int i = size_ - 1; i >= 0; --i) {
    const double x = y[i] / T(i)[i];
    k_.add(-x, T(i), y, padded(i + 1));
    y[i] = x;
  }
}

void Span::add_to(const double* y, double* w) const {
  k_.add_rows(Q_, stride_, size_, y, 1, w, 0, padded(n_));
}

void Span::along(const double* w, double* y) const {
  k_.times(Q_, stride_, size_, w, y, 0, padded(n_));
}

}  // namespace lissom::qp
