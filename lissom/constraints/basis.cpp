#include "lissom/constraints/basis.h"

#include <cmath>
#include <limits>

#include "lissom/api/unchecked.h"

namespace lissom {
namespace {

// A row of which less than this is left, once the others are taken out of it, depends on them.
constexpr double dependent = 1e-9;

}  // namespace

ConstraintBasis::ConstraintBasis(int rows, int nv)
    : J_(Matrix::Zero(rows, nv)),
      Y_(J_),
      parts_(Matrix::Zero(rows, rows)),
      whole_(Eigen::VectorXd::Zero(rows)),
      left_(whole_),
      wanted_(whole_),
      amount_(whole_),
      lambda_(whole_),
      order_(std::size_t(rows)) {}

void ConstraintBasis::solve(const MassMatrixFactor& factor, int row) {
  Unchecked::solve(factor, J_.row(row).data(), Y_.row(row).data());
}

// Takes out of a row what lies along another, which is of length 1.
void ConstraintBasis::orthogonalize(int row, int against) {
  const double along = J_.row(row).dot(Y_.row(against));
  J_.row(row) -= along * J_.row(against);
  parts_(row, against) += along;
  left_[row] -= along * along;
}

// The squared length of what is left. Differences tell it while it is large; then it is asked for anew.
double ConstraintBasis::left_of(const MassMatrixFactor& factor, int row) {
  if (left_[row] < 1e-6 * whole_[row]) {
    solve(factor, row);
    left_[row] = std::max(0.0, J_.row(row).dot(Y_.row(row)));
  }
  return left_[row];
}

void ConstraintBasis::set(const MassMatrixFactor& factor, const Matrix& J, const Eigen::VectorXd& rounding) {
  const int rows = int(J.rows());
  J_ = J;
  parts_.setZero();
  for (int i = 0; i < rows; ++i) {
    solve(factor, i);
    whole_[i] = left_[i] = std::max(0.0, J_.row(i).dot(Y_.row(i)));
    order_[std::size_t(i)] = i;
  }
  pivot_ratio_ = 1;
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  for (rank_ = 0; rank_ < rows; ++rank_) {
    // The row that is clearest of rounding.
    int best = -1;
    double most = 0;
    for (int k = rank_; k < rows; ++k) {
      const int i = order_[std::size_t(k)];
      if (whole_[i] == 0) continue;
      const double left = left_of(factor, i);
      if (left <= dependent * dependent * whole_[i]) continue;
      if (const double ratio = left / (rounding[i] * rounding[i]); ratio > most) most = ratio, best = k;
    }
    if (best < 0) return;
    std::swap(order_[std::size_t(rank_)], order_[std::size_t(best)]);
    const int pivot = order_[std::size_t(rank_)];
    for (int k = 0; k < rank_; ++k) orthogonalize(pivot, order_[std::size_t(k)]);  // once more, against rounding
    solve(factor, pivot);
    const double length = std::sqrt(J_.row(pivot).dot(Y_.row(pivot)));
    J_.row(pivot) /= length;
    Y_.row(pivot) /= length;
    parts_(pivot, pivot) = length;
    shortest = std::min(shortest, length);
    longest = std::max(longest, length);
    pivot_ratio_ = shortest / longest;
    for (int k = rank_ + 1; k < rows; ++k) orthogonalize(order_[std::size_t(k)], pivot);
  }
}

// b̂ = parts⁻¹ b, forward.
void ConstraintBasis::reduce(const Eigen::VectorXd& b) {
  for (int k = 0; k < rank_; ++k) {
    const int i = order_[std::size_t(k)];
    double wanted = b[i];
    for (int j = 0; j < k; ++j) {
      const int other = order_[std::size_t(j)];
      wanted -= parts_(i, other) * wanted_[other];
    }
    wanted_[i] = wanted / parts_(i, i);
  }
}

// What x lacks of b̂ goes along y.
void ConstraintBasis::satisfy(Eigen::VectorXd& x, const Eigen::VectorXd& b) {
  reduce(b);
  for (int k = 0; k < rank_; ++k) {
    const int i = order_[std::size_t(k)];
    amount_[i] = wanted_[i] - J_.row(i).dot(x);
    x += amount_[i] * Y_.row(i).transpose();
  }
}

void ConstraintBasis::add(Eigen::VectorXd& x, const Eigen::VectorXd& b) {
  reduce(b);
  for (int k = 0; k < rank_; ++k) {
    const int i = order_[std::size_t(k)];
    amount_[i] += wanted_[i];
    x += wanted_[i] * Y_.row(i).transpose();
  }
}

const Eigen::VectorXd& ConstraintBasis::multipliers() {
  // λ = parts⁻ᵀ amount, backward.
  lambda_.setZero();
  for (int k = rank_ - 1; k >= 0; --k) {
    const int i = order_[std::size_t(k)];
    double sum = amount_[i];
    for (int j = k + 1; j < rank_; ++j) {
      const int other = order_[std::size_t(j)];
      sum -= parts_(other, i) * lambda_[other];
    }
    lambda_[i] = sum / parts_(i, i);
  }
  return lambda_;
}

}  // namespace lissom
