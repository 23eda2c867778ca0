#include "lissom/constraints/constrained_slopes.h"

#include "lissom/api/unchecked.h"
#include "lissom/math/dense.h"

namespace lissom {

ConstrainedSlopes::ConstrainedSlopes(const Model& model, const ClosedLoops* loops)
    : scratch_(single_kernels().derivative_scratch(ModelView<double>(model))),
      zero_(Eigen::VectorXd::Zero(model.nv())),
      external_(std::size_t(6 * (model.body_count() + 1)), 0.0) {
  for (auto* const matrix : {&dq_rows_, &dv_rows_, &M_rows_}) *matrix = Array<double>(padded_square(model.nv()));
  if (loops) of_rows_.emplace(model, loops->rows());
}

void ConstrainedSlopes::recursion(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                  const Eigen::VectorXd& a, const double* external) {
  const int nv = model.nv(), stride = row_stride(nv);
  single_kernels().rnea_derivatives(ModelView<double>(model), *scratch_, q.data(), v.data(), a.data(), external,
                                    dq_rows_.data(), dv_rows_.data(), M_rows_.data(), stride);
  dense::mirror_upper(M_rows_.data(), nv, stride);
  const auto view = [&](const Array<double>& m) { return MatrixView(m.data(), nv, nv, Eigen::OuterStride<>(stride)); };
  dq_ = view(dq_rows_), dv_ = view(dv_rows_), M_ = view(M_rows_);
}

void ConstrainedSlopes::evaluate(const Model& model, const ClosedLoops* loops, const Eigen::VectorXd& q,
                                 const Eigen::VectorXd& v, const Eigen::VectorXd& a, const Eigen::VectorXd& lambda,
                                 const double* external) {
  if (!loops) return recursion(model, q, v, a, external);
  of_rows_->evaluate(model, loops->rows(), q, v, a, lambda);
  external_ = of_rows_->forces();
  if (external)
    for (std::size_t i = 0; i < external_.size(); ++i) external_[i] += external[i];
  recursion(model, q, v, a, external_.data());
  dq_ -= of_rows_->force_change_dq();
}

const Eigen::MatrixXd& ConstrainedSlopes::evaluate_momentum(const Model& model, const ClosedLoops* loops,
                                                            const Eigen::VectorXd& q, const Eigen::VectorXd& s,
                                                            const Eigen::VectorXd& lambda) {
  recursion(model, q, zero_, zero_, nullptr);  // gravity
  without_ = dq_;
  evaluate(model, loops, q, zero_, s, lambda, nullptr);
  dq_ -= without_;
  return dq_;
}

void solve_constrained(ClosedLoops& loops, const MassMatrixFactor& factor, const Eigen::MatrixXd& forces,
                       const Eigen::MatrixXd& targets, Matrix& X, Matrix& L) {
  X.resize(forces.rows(), forces.cols());
  L.resize(targets.rows(), forces.cols());
  Eigen::VectorXd x(forces.rows()), target(targets.rows());
  for (Eigen::Index j = 0; j < forces.cols(); ++j) {
    x = forces.col(j);
    target = targets.col(j);
    Unchecked::solve(factor, x.data(), x.data());
    loops.satisfy(x, target);
    X.col(j) = x;
    L.col(j) = loops.multipliers();
  }
}

}  // namespace lissom
