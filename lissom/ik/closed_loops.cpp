#include "lissom/ik/closed_loops.h"

#include "lissom/constraints/loop_rows.h"

namespace lissom::ik {

ExtraRows closed_loops(const Model& model, const Closures& description, double tolerance) {
  struct Kept {
    LoopRows rows;
    Eigen::VectorXd q;
  };
  const auto kept = std::make_shared<Kept>(Kept{LoopRows(model, description), Eigen::VectorXd::Zero(model.nq())});
  ExtraRows extra;
  extra.count = kept->rows.count();
  extra.tolerance = tolerance;
  extra.evaluate = [kept](const Model& of, Workspace& work, const VectorIn& q, Eigen::Ref<Eigen::VectorXd> residual,
                          Eigen::Ref<Matrix> jacobian) {
    kept->q = q;
    kept->rows.evaluate_far(of, work, kept->q);
    residual = kept->rows.residual();
    jacobian = kept->rows.J();
  };
  return extra;
}

}  // namespace lissom::ik
