#include "lissom/constraints/basis.h"

#include <cmath>
#include <limits>

#include "lissom/api/unchecked.h"

namespace lissom {
namespace {

// A row depends on others if less than this fraction of it remains after orthogonalization against them.
constexpr double dependent = 1e-9;

}  // namespace

ConstraintBasis::ConstraintBasis(int rows, int nv)
    : J_(Matrix::Zero(rows, nv)),
      Y_(J_),
      L_(Matrix::Zero(rows, rows)),
      squared_norm_(Eigen::VectorXd::Zero(rows)),
      remaining_(squared_norm_),
      target_(squared_norm_),
      amount_(squared_norm_),
      lambda_(squared_norm_),
      order_(std::size_t(rows)) {}

void ConstraintBasis::solve(const MassMatrixFactor& factor, int row) {
  Unchecked::solve(factor, J_.row(row).data(), Y_.row(row).data());
}

// Removes from a row its component along another, which has length 1.
void ConstraintBasis::orthogonalize(int row, int against) {
  const double along = J_.row(row).dot(Y_.row(against));
  J_.row(row) -= along * J_.row(against);
  L_(row, against) += along;
  remaining_[row] -= along * along;
}

// The squared length of the remaining row. Updating it by differences is accurate while it is large; below, it is
// computed anew.
double ConstraintBasis::remaining(const MassMatrixFactor& factor, int row) {
  if (remaining_[row] < 1e-6 * squared_norm_[row]) {
    solve(factor, row);
    remaining_[row] = std::max(0.0, J_.row(row).dot(Y_.row(row)));
  }
  return remaining_[row];
}

void ConstraintBasis::set(const MassMatrixFactor& factor, const Matrix& J, const Eigen::VectorXd& rounding) {
  const int rows = int(J.rows());
  J_ = J;
  L_.setZero();
  for (int i = 0; i < rows; ++i) {
    solve(factor, i);
    squared_norm_[i] = remaining_[i] = std::max(0.0, J_.row(i).dot(Y_.row(i)));
    order_[std::size_t(i)] = i;
  }
  pivot_ratio_ = 1;
  double min_length = std::numeric_limits<double>::infinity(), max_length = 0;
  for (rank_ = 0; rank_ < rows; ++rank_) {
    // The pivot is the row that is largest relative to its rounding error.
    int best = -1;
    double best_ratio = 0;
    for (int k = rank_; k < rows; ++k) {
      const int i = order_[std::size_t(k)];
      if (squared_norm_[i] == 0) continue;
      const double rest = remaining(factor, i);
      if (rest <= dependent * dependent * squared_norm_[i]) continue;
      if (const double ratio = rest / (rounding[i] * rounding[i]); ratio > best_ratio) best_ratio = ratio, best = k;
    }
    if (best < 0) return;
    std::swap(order_[std::size_t(rank_)], order_[std::size_t(best)]);
    const int pivot = order_[std::size_t(rank_)];
    for (int k = 0; k < rank_; ++k) orthogonalize(pivot, order_[std::size_t(k)]);  // reorthogonalization
    solve(factor, pivot);
    const double length = std::sqrt(J_.row(pivot).dot(Y_.row(pivot)));
    J_.row(pivot) /= length;
    Y_.row(pivot) /= length;
    L_(pivot, pivot) = length;
    min_length = std::min(min_length, length);
    max_length = std::max(max_length, length);
    pivot_ratio_ = min_length / max_length;
    for (int k = rank_ + 1; k < rows; ++k) orthogonalize(order_[std::size_t(k)], pivot);
  }
}

// b̂ = L⁻¹ b, by forward substitution.
void ConstraintBasis::reduce(const Eigen::VectorXd& b) {
  for (int k = 0; k < rank_; ++k) {
    const int i = order_[std::size_t(k)];
    double target = b[i];
    for (int j = 0; j < k; ++j) {
      const int other = order_[std::size_t(j)];
      target -= L_(i, other) * target_[other];
    }
    target_[i] = target / L_(i, i);
  }
}

// Moves x along each y by b̂ - ĵ x.
void ConstraintBasis::satisfy(Eigen::VectorXd& x, const Eigen::VectorXd& b) {
  reduce(b);
  for (int k = 0; k < rank_; ++k) {
    const int i = order_[std::size_t(k)];
    amount_[i] = target_[i] - J_.row(i).dot(x);
    x += amount_[i] * Y_.row(i).transpose();
  }
}

void ConstraintBasis::add(Eigen::VectorXd& x, const Eigen::VectorXd& b) {
  reduce(b);
  for (int k = 0; k < rank_; ++k) {
    const int i = order_[std::size_t(k)];
    amount_[i] += target_[i];
    x += target_[i] * Y_.row(i).transpose();
  }
}

const Eigen::VectorXd& ConstraintBasis::multipliers() {
  // λ = L⁻ᵀ amount, by back substitution.
  lambda_.setZero();
  for (int k = rank_ - 1; k >= 0; --k) {
    const int i = order_[std::size_t(k)];
    double sum = amount_[i];
    for (int j = k + 1; j < rank_; ++j) {
      const int other = order_[std::size_t(j)];
      sum -= L_(other, i) * lambda_[other];
    }
    lambda_[i] = sum / L_(i, i);
  }
  return lambda_;
}

}  // namespace lissom
