#pragma once
// The algorithms on dual numbers: the change of a result along a direction. Programs that use it link
// lissom_test_scalars.
#include <memory>

#include "lissom/kernels/kernels.h"
#include "random_tree.h"
#include "scalar_tables.h"

namespace lissom::test {

class DualOracle {
 public:
  explicit DualOracle(const Model& model)
      : model_(model), view_(model), table_(table_dual()), scratch_(table_.scratch(view_)) {}
  // dq is in the tangent space. `forces`: one per body, or empty.
  Eigen::VectorXd change(bool forward, const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& third,
                         const Eigen::VectorXd& dq, const Eigen::VectorXd& dv, const Eigen::VectorXd& dthird,
                         const Eigen::VectorXd& forces) {
    const Eigen::VectorXd Q = pairs(q, rate_of_q(model_, q, dq)), V = pairs(v, dv), X = pairs(third, dthird),
                          F = pairs(forces, Eigen::VectorXd::Zero(forces.size()));
    Eigen::VectorXd out = Eigen::VectorXd::Zero(2 * (model_.nv() + padding));
    const double* const f = forces.size() ? F.data() : nullptr;
    (forward ? table_.aba : table_.rnea)(view_, *scratch_, Q.data(), V.data(), X.data(), f, out.data());
    Eigen::VectorXd slope(model_.nv());
    for (int i = 0; i < model_.nv(); ++i) slope[i] = out[2 * i + 1];
    return slope;
  }
  // Column j is the change along e_j of q, v, or the third argument.
  Eigen::MatrixXd matrix(bool forward, int which, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                         const Eigen::VectorXd& third, const Eigen::VectorXd& forces = {}) {
    const int nv = model_.nv();
    Eigen::MatrixXd m(nv, nv);
    for (int j = 0; j < nv; ++j) {
      Eigen::VectorXd d[3] = {Eigen::VectorXd::Zero(nv), Eigen::VectorXd::Zero(nv), Eigen::VectorXd::Zero(nv)};
      d[which][j] = 1;
      m.col(j) = change(forward, q, v, third, d[0], d[1], d[2], forces);
    }
    return m;
  }

 private:
  static Eigen::VectorXd pairs(const Eigen::VectorXd& value, const Eigen::VectorXd& slope) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(2 * (value.size() + padding));
    for (long i = 0; i < value.size(); ++i) x[2 * i] = value[i], x[2 * i + 1] = slope[i];
    return x;
  }
  const Model& model_;
  ModelView<double> view_;
  const Kernels<double>& table_;
  std::unique_ptr<KernelScratch> scratch_;
};

}  // namespace lissom::test
