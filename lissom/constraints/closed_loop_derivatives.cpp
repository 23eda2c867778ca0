#include "lissom/constraints/closed_loop_derivatives.h"

#include "lissom/api/unchecked.h"
#include "lissom/constraints/constrained_slopes.h"
#include "lissom/math/dense.h"

namespace lissom {
namespace {

// As in closed_loops.cpp: singular values below this, relative to the largest, are rounding.
constexpr double dependent_directions = 1e-9;

}  // namespace

ClosedLoopDerivatives forward_dynamics_derivatives(const Model& model, Workspace& work, ClosedLoops& loops,
                                                   const VectorIn& q, const VectorIn& v, const VectorIn& tau) {
  const int nv = model.nv();
  const Eigen::VectorXd q0 = q, v0 = v;
  ClosedLoopDerivatives d;
  d.a = forward_dynamics(model, work, loops, q, v, tau);
  d.multipliers = loops.multipliers();
  ConstrainedSlopes slopes(model, &loops);
  slopes.evaluate(model, &loops, q0, v0, d.a, d.multipliers, nullptr);
  const auto& rows = slopes.of_rows();
  solve_constrained(loops, loops.factor(), -slopes.dq(), -rows.acceleration_dq(), d.da_dq, d.dlambda_dq);
  solve_constrained(loops, loops.factor(), -slopes.dv(), -rows.acceleration_dv(), d.da_dv, d.dlambda_dv);
  solve_constrained(loops, loops.factor(), Eigen::MatrixXd::Identity(nv, nv),
                    Eigen::MatrixXd::Zero(loops.rows().count(), nv), d.da_dtau, d.dlambda_dtau);
  // The loops keep the multipliers of the acceleration, as after forward_dynamics.
  Eigen::VectorXd a = forward_dynamics(model, work, q, v, tau);
  loops.constrain(model, work, loops.factor(), q0, v0, a);
  return d;
}

// Torques of least norm minimize ½ ‖tau‖² subject to S tau + Jᵀ λ = n, where S selects the actuated degrees of freedom
// and n are the generalized forces of the open tree. With the multipliers y of these equations, tau = S y and
//   ( S  Jᵀ ) (y)   (n)
//   ( J  0  ) (λ) = (0),   in short K x = b,   of which x = K⁺ b has the λ of least norm.
// At constant rank δx = K⁺ (δb - δK x) + (1 - K⁺ K) δK K⁺ x (Golub, Pereyra 1973); the last term changes λ only.
ClosedLoopTorqueDerivatives inverse_dynamics_derivatives(const Model& model, Workspace& work, ClosedLoops& loops,
                                                         const VectorIn& q, const VectorIn& v, const VectorIn& a,
                                                         const std::vector<bool>& actuated) {
  const auto torques = inverse_dynamics(model, work, loops, q, v, a, actuated);
  const int nv = model.nv(), rows = loops.rows().count();
  const Eigen::MatrixXd J = loops.rows().J();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(nv + rows, nv + rows);
  for (int i = 0; i < nv; ++i) K(i, i) = actuated[std::size_t(i)] ? 1 : 0;
  if (nv > 0) {
    Eigen::MatrixXd driven =
        dense::complement(J.transpose(), dependent_directions).transpose() * K.topLeftCorner(nv, nv);
    const auto all = driven.rows(), free = dense::complement(driven.transpose(), dependent_directions).cols();
    if (nv - free < all)
      throw Error("actuated has " + std::to_string(nv - free) + " independent joints, expected " + std::to_string(all) +
                  ", as many as the robot has degrees of freedom with its loops: only then there are torques for every "
                  "acceleration; actuate more joints");
  }
  K.topRightCorner(nv, rows) = J.transpose();
  K.bottomLeftCorner(rows, nv) = J;
  const Eigen::MatrixXd inverse = dense::pseudo_inverse(K, dependent_directions);

  const Eigen::VectorXd q0 = q, v0 = v, a0 = a, zero = Eigen::VectorXd::Zero(nv);
  const Eigen::VectorXd needed = inverse_dynamics(model, work, q, v, a);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(nv + rows);
  b.head(nv) = needed;
  const Eigen::VectorXd x = inverse * b, again = inverse * x;
  ConstrainedSlopes slopes(model, &loops);
  slopes.evaluate(model, &loops, q0, v0, a0, torques.multipliers, nullptr);
  LoopDerivatives of_y(model, loops.rows());
  of_y.evaluate(model, loops.rows(), q0, x.head(nv), zero, torques.multipliers);
  // The columns of δb - δK x with respect to q, v and a.
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(nv + rows, 3 * nv);
  right.topRows(nv) << slopes.dq(), slopes.dv(), slopes.M();
  right.bottomLeftCorner(rows, nv) = -of_y.rate_dq();
  Eigen::MatrixXd change = inverse * right;
  of_y.evaluate(model, loops.rows(), q0, again.head(nv), zero, torques.multipliers);
  Eigen::MatrixXd turned = Eigen::MatrixXd::Zero(nv + rows, nv);
  turned.bottomRows(rows) = of_y.rate_dq();
  change.leftCols(nv) += turned - inverse * (K * turned);

  ClosedLoopTorqueDerivatives d;
  d.tau = torques.tau, d.multipliers = torques.multipliers;
  const auto block = [&](int k, Matrix& dtau, Matrix& dlambda) {
    dtau = change.block(0, k * nv, nv, nv);
    for (int i = 0; i < nv; ++i)
      if (!actuated[std::size_t(i)]) dtau.row(i).setZero();
    dlambda = change.block(nv, k * nv, rows, nv);
  };
  block(0, d.dtau_dq, d.dlambda_dq);
  block(1, d.dtau_dv, d.dlambda_dv);
  block(2, d.dtau_da, d.dlambda_da);
  return d;
}

Matrix closed_directions(const Model& model, Workspace& work, ClosedLoops& loops, const VectorIn& q,
                         const VectorIn& v) {
  const int nv = model.nv(), rows = loops.rows().count();
  const Eigen::VectorXd q0 = q, v0 = v, zero = Eigen::VectorXd::Zero(nv);
  loops.gap(model, work, q0);
  LoopDerivatives slopes(model, loops.rows());
  slopes.evaluate(model, loops.rows(), q0, v0, zero, Eigen::VectorXd::Zero(rows));
  const Eigen::MatrixXd J = loops.rows().J();
  // J δq = 0; J δv = -(∂(J v)/∂q) δq, of which redundant rows follow from the others.
  const Eigen::MatrixXd free = dense::complement(J.transpose(), dependent_directions);
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(2 * nv, 2 * free.cols());
  all.topLeftCorner(nv, free.cols()) = free;
  all.bottomLeftCorner(nv, free.cols()) = -dense::pseudo_inverse(J, dependent_directions) * (slopes.rate_dq() * free);
  all.bottomRightCorner(nv, free.cols()) = free;
  // Orthonormal: the complement of the complement.
  return dense::complement(dense::complement(all));
}

ClosedLoopLinearization linearize(const Model& model, Workspace& work, ClosedLoops& loops, const VectorIn& q,
                                  const VectorIn& v, const VectorIn& tau) {
  const auto f = forward_dynamics_derivatives(model, work, loops, q, v, tau);
  auto [A, B] = linearization_of(model, v, f.da_dq, f.da_dv, f.da_dtau);
  return {std::move(A), std::move(B), closed_directions(model, work, loops, q, v)};
}

}  // namespace lissom
