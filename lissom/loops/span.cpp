#include "lissom/loops/span.h"

#include <cmath>

#include "lissom/api/inside.h"

namespace lissom {
namespace {

// A row of which less than this is left, once the others are taken out of it, depends on them.
constexpr double dependent = 1e-9;

}  // namespace

ClosureSpan::ClosureSpan(int rows, int nv)
    : J_(Matrix::Zero(rows, nv)),
      Y_(J_),
      combination_(Matrix::Zero(rows, rows)),
      norm_(Eigen::VectorXd::Zero(rows)),
      target_(norm_),
      lambda_(norm_),
      order_(std::size_t(rows)) {}

// Takes out of a row what lies along another, which is of length 1.
void ClosureSpan::orthogonalise(int against, int row) {
  const double along = J_.row(row).dot(Y_.row(against));
  J_.row(row) -= along * J_.row(against);
  Y_.row(row) -= along * Y_.row(against);
  combination_.row(row) -= along * combination_.row(against);
}

void ClosureSpan::set(const Model& model, Workspace& work, const Matrix& J) {
  auto& w = work.inside();
  const ModelView<double> view(model);
  const int rows = int(J.rows());
  J_ = J;
  combination_.setIdentity();
  for (int i = 0; i < rows; ++i) {
    w.kernels.solve(view, *w.scratch, J_.row(i).data(), Y_.row(i).data());
    norm_[i] = std::sqrt(std::max(0.0, J_.row(i).dot(Y_.row(i))));
    order_[std::size_t(i)] = i;
  }
  rank_ = 0;
  for (int done = 0; done < rows; ++done) {
    // The row of which the most is left, in proportion.
    int best = -1;
    double most = dependent * dependent;
    for (int k = done; k < rows; ++k) {
      const int i = order_[std::size_t(k)];
      if (norm_[i] == 0) continue;
      const double left = J_.row(i).dot(Y_.row(i)) / (norm_[i] * norm_[i]);
      if (left > most) most = left, best = k;
    }
    if (best < 0) break;
    std::swap(order_[std::size_t(done)], order_[std::size_t(best)]);
    const int pivot = order_[std::size_t(done)];
    for (int k = 0; k < done; ++k) orthogonalise(order_[std::size_t(k)], pivot);  // once more, against rounding
    const double length = std::sqrt(J_.row(pivot).dot(Y_.row(pivot)));
    J_.row(pivot) /= length;
    Y_.row(pivot) /= length;
    combination_.row(pivot) /= length;
    ++rank_;
    for (int k = done + 1; k < rows; ++k) orthogonalise(pivot, order_[std::size_t(k)]);
  }
}

void ClosureSpan::satisfy(Eigen::VectorXd& x, const Eigen::VectorXd& b) {
  lambda_.setZero();
  for (int k = 0; k < rank_; ++k) {
    const int i = order_[std::size_t(k)];
    const double missing = combination_.row(i).dot(b) - J_.row(i).dot(x);
    x += missing * Y_.row(i).transpose();
    lambda_ += missing * combination_.row(i).transpose();
  }
}

}  // namespace lissom
