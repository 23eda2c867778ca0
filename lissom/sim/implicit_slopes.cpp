// The derivatives of implicit steps, from the equations that they solve (implicit_euler.cpp, variational.cpp) by the
// implicit function theorem. The end of the step is the integrator's own.
#include "lissom/api/state.h"
#include "lissom/kernels/in_model_coordinates.h"
#include "lissom/math/dense.h"
#include "lissom/sim/step_slopes.h"

namespace lissom::sim {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

State end_of_step(const DifferentiatedStep& s) {
  State end = s.x;
  integrator(s.system.model(), s.integrator, s.options)->step(s.system, end, s.h);
  return end;
}

// All forces but inertial ones, gravity too: their derivatives, and how the momentum M v changes with q.
struct ForceSlopes {
  MatrixXd dq, dv, M, momentum_dq;
};
ForceSlopes force_slopes(const DifferentiatedStep& s, double t, const VectorXd& q, const VectorXd& v) {
  const auto& model = s.system.model();
  const VectorXd zero = VectorXd::Zero(s.nv()), none;
  s.slopes.evaluate_forces(t, q, v);
  auto& terms = s.slopes.terms();
  ForceSlopes f;
  terms.evaluate(model, nullptr, q, zero, zero, none, s.slopes.external());
  f.dq = s.slopes.force_dq(q) - terms.dq();
  f.dv = s.slopes.force_dv(q);
  f.M = terms.M();
  f.momentum_dq = terms.evaluate_momentum(model, nullptr, q, v, none);
  return f;
}

// The derivatives of the momenta with which a step from q0 to q1 = q0 exp(h w) begins and ends, with respect to q0 and
// w, by dual numbers.
struct MomentumSlopes {
  MatrixXd begin_dq, begin_dw, end_dq, end_dw;
};
MomentumSlopes momentum_slopes(const Model& model, const VectorXd& q0, const VectorXd& w, double h) {
  const int nv = model.nv();
  const ModelView<double> view(model);
  in_model_coordinates::DiscreteMomentumInModel<Slope> scratch(view);
  const auto nq_padded = std::size_t(model.nq() + padding), nv_padded = std::size_t(nv + padding);
  Array<Slope> q(nq_padded), q1(nq_padded), rate(nv_padded), one(nv_padded), begin(nv_padded), end(nv_padded);
  MomentumSlopes m{MatrixXd(nv, nv), MatrixXd(nv, nv), MatrixXd(nv, nv), MatrixXd(nv, nv)};
  for (int j = 0; j < 2 * nv; ++j) {
    for (int i = 0; i < model.nq(); ++i) q[i] = Slope(q0[i]);
    for (int i = 0; i < nv; ++i) one[i] = {0, i == j ? 1.0 : 0.0}, rate[i] = {w[i], i + nv == j ? 1.0 : 0.0};
    const Slope unit(1), dt(h);
    integrate(view.manifold, q.data(), one.data(), unit, q.data());
    integrate(view.manifold, q.data(), rate.data(), dt, q1.data());
    in_model_coordinates::discrete_momenta(view, scratch, q.data(), q1.data(), rate.data(), dt, begin.data(),
                                           end.data());
    auto &to_begin = j < nv ? m.begin_dq : m.begin_dw, &to_end = j < nv ? m.end_dq : m.end_dw;
    for (int i = 0; i < nv; ++i) to_begin(i, j % nv) = begin[i].slope, to_end(i, j % nv) = end[i].slope;
  }
  return m;
}

}  // namespace

// r = rnea(q1, v1, (v1 - v) / h) - tau(q1, v1) = 0 with q1 = q exp(h v1).
StepSlopes implicit_euler_slopes(const DifferentiatedStep& s) {
  const auto& model = s.system.model();
  const int nv = s.nv();
  const auto end = end_of_step(s);
  const VectorXd a = (end.v - s.x.v) / s.h, none;
  s.slopes.evaluate_forces(end.t, end.q, end.v);
  auto& terms = s.slopes.terms();
  terms.evaluate(model, nullptr, end.q, end.v, a, none, s.slopes.external());
  const MatrixXd r_q = terms.dq() - s.slopes.force_dq(end.q), r_v = terms.dv() - s.slopes.force_dv(end.q);
  const auto moved = s.moved(s.x.q, end.v, s.h);
  const MatrixXd matrix = r_q * moved.dv + r_v + terms.M() / s.h;
  MatrixXd right(nv, 3 * nv);
  right << -r_q * moved.dq, terms.M() / s.h, MatrixXd(s.slopes.input().asDiagonal());
  StepSlopes result{end.q, end.v, {}, dense::inverse(matrix) * right};
  result.dq = moved.dv * result.dv;
  result.dq.leftCols(nv) += moved.dq;
  return result;
}

// begin(q, w) = M v + h/2 F(q, v),   M(q1) v1 = end(q, w) + h/2 F(q1, v1),   q1 = q exp(h w)
StepSlopes variational_slopes(const DifferentiatedStep& s) {
  const int nv = s.nv();
  const double h = s.h;
  const auto end = end_of_step(s);
  const VectorXd w = difference(s.system.model(), s.x.q, end.q) / h;
  const auto momenta = momentum_slopes(s.system.model(), s.x.q, w, h);
  const auto f0 = force_slopes(s, s.x.t, s.x.q, s.x.v);
  const MatrixXd input = MatrixXd(s.slopes.input().asDiagonal());
  MatrixXd right(nv, 3 * nv);
  right << f0.momentum_dq + h / 2 * f0.dq - momenta.begin_dq, f0.M + h / 2 * f0.dv, h / 2 * input;
  const MatrixXd dw = dense::inverse(momenta.begin_dw) * right;
  const auto moved = s.moved(s.x.q, w, h);
  StepSlopes result{end.q, end.v, moved.dv * dw, {}};
  result.dq.leftCols(nv) += moved.dq;

  const auto f1 = force_slopes(s, end.t, end.q, end.v);
  right = momenta.end_dw * dw + (h / 2 * f1.dq - f1.momentum_dq) * result.dq;
  right.leftCols(nv) += momenta.end_dq;
  right.rightCols(nv) += h / 2 * input;
  result.dv = dense::inverse(f1.M - h / 2 * f1.dv) * right;
  return result;
}

}  // namespace lissom::sim
