// The derivatives of explicit and semi-implicit steps: those of their formulas, stage by stage (runge_kutta.cpp,
// semi_implicit.cpp). Matrices have the columns of q, v and tau at the beginning of the step.
#include "lissom/api/unchecked.h"
#include "lissom/sim/step_slopes.h"

namespace lissom::sim {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd columns_of(int part, int nv) {
  MatrixXd m = MatrixXd::Zero(nv, 3 * nv);
  m.middleCols(part * nv, nv).setIdentity();
  return m;
}

// u̇ = increment_rate(u, v), and its derivatives: blocks of one joint each, by dual numbers.
struct RateSlopes {
  VectorXd rate;
  MatrixXd du, dv;
};
RateSlopes rate_slopes(const Model& model, const VectorXd& u, const VectorXd& v) {
  const int nv = model.nv();
  RateSlopes r{VectorXd(nv), MatrixXd::Zero(nv, nv), MatrixXd::Zero(nv, nv)};
  single_kernels().increment_rate(ModelView<double>(model), u.data(), v.data(), r.rate.data());
  for (const auto& piece : model.manifold().pieces) {
    const bool flat = piece.kind == ManifoldKind::flat;
    const int count = flat ? piece.count : piece.kind == ManifoldKind::se3 ? 6 : 3, at = piece.v;
    if (flat) {
      r.dv.block(at, at, count, count).setIdentity();
      continue;
    }
    for (int j = 0; j < 2 * count; ++j) {
      Slope du[6], dv[6], rate[6];
      for (int i = 0; i < count; ++i)
        du[i] = {u[at + i], i == j ? 1.0 : 0.0}, dv[i] = {v[at + i], i + count == j ? 1.0 : 0.0};
      visit_manifold(piece, [&](auto kind) { kind.increment_rate(du, dv, rate); });
      auto& to = j < count ? r.du : r.dv;
      for (int i = 0; i < count; ++i) to(at + i, at + j % count) = rate[i].slope;
    }
  }
  return r;
}

VectorXd integrated(const DifferentiatedStep& s, const VectorXd& v, double dt) {
  VectorXd q(s.system.model().nq());
  Unchecked(s.system.model(), s.system.work()).integrate(s.x.q.data(), v.data(), dt, q.data());
  return q;
}

// The end of a step that moves with the velocity at its end: v1 = v + h a, q1 = q exp(h v1).
StepSlopes end_of(const DifferentiatedStep& s, const VectorXd& a, const MatrixXd& da) {
  const int nv = s.nv();
  StepSlopes end;
  end.v = s.x.v + s.h * a;
  end.q = integrated(s, end.v, s.h);
  const auto moved = s.moved(s.x.q, end.v, s.h);
  end.dv = columns_of(1, nv) + s.h * da;
  end.dq = moved.dv * end.dv;
  end.dq.leftCols(nv) += moved.dq;
  return end;
}

}  // namespace

StepSlopes runge_kutta_slopes(const DifferentiatedStep& s, const Tableau& tableau) {
  const auto& model = s.system.model();
  const int nv = s.nv(), stages = tableau.stages;
  struct Stage {
    VectorXd u_dot, a;
    MatrixXd du_dot, da;
  };
  std::vector<Stage> done;
  VectorXd u, v, q;
  MatrixXd du, dv, dq;
  // u = h Σ w u̇, v = v0 + h Σ w a, q = q0 exp(u)
  const auto combine = [&](std::span<const double> weights) {
    u = VectorXd::Zero(nv), du = MatrixXd::Zero(nv, 3 * nv);
    v = s.x.v, dv = columns_of(1, nv);
    for (std::size_t j = 0; j < done.size(); ++j) {
      const double w = s.h * weights[j];
      if (w == 0) continue;
      u += w * done[j].u_dot, du += w * done[j].du_dot;
      v += w * done[j].a, dv += w * done[j].da;
    }
    q = integrated(s, u, 1);
    const auto moved = s.moved(s.x.q, u, 1);
    dq = moved.dv * du;
    dq.leftCols(nv) += moved.dq;
  };
  for (int i = 0; i < stages; ++i) {
    combine(tableau.a.subspan(std::size_t(i * stages), std::size_t(i)));
    const auto a = s.slopes.acceleration(s.x.t + tableau.c[std::size_t(i)] * s.h, q, v);
    const auto rate = rate_slopes(model, u, v);
    Stage stage{rate.rate, a.a, rate.du * du + rate.dv * dv, a.dq * dq + a.dv * dv};
    stage.da.rightCols(nv) += a.dtau;
    done.push_back(std::move(stage));
  }
  combine(tableau.b);
  return {q, v, dq, dv};
}

StepSlopes semi_implicit_slopes(const DifferentiatedStep& s) {
  const auto a = s.slopes.acceleration(s.x.t, s.x.q, s.x.v);
  MatrixXd da(s.nv(), 3 * s.nv());
  da << a.dq, a.dv, a.dtau;
  return end_of(s, a.a, da);
}

// (M + h D + h² K) a = tau - bias - h K v, with the dampers D and springs K of single joints; dry friction makes D a
// function of v.
StepSlopes implicit_joints_slopes(const DifferentiatedStep& s) {
  const auto& model = s.system.model();
  const int nv = s.nv();
  const double h = s.h;
  const auto &q = s.x.q, &v = s.x.v;
  s.slopes.evaluate_forces(s.x.t, q, v);
  VectorXd stiffness, damping, bias(nv), a(nv);
  s.system.passive_gains(v, stiffness, damping);
  Unchecked kernels(model, s.system.work());
  kernels.rnea(q.data(), v.data(), kernels.zero(), s.slopes.external(), bias.data());
  const VectorXd force = s.slopes.applied().tau - bias - h * stiffness.cwiseProduct(v);
  MassMatrixFactor factor(model);
  kernels.crba(q.data());
  for (int i = 0; i < nv; ++i) kernels.M(i, i) += h * damping[i] + h * h * stiffness[i];
  kernels.factorize(factor);
  Unchecked::solve(factor, force.data(), a.data());
  auto* const loops = s.system.loops();
  if (loops) loops->constrain(model, s.system.work(), factor, q, v, a);

  auto& terms = s.slopes.terms();
  const VectorXd lambda = loops ? VectorXd(loops->multipliers()) : VectorXd();
  terms.evaluate(model, loops, q, v, a, lambda, s.slopes.external());
  MatrixXd right(nv, 3 * nv);
  right << s.slopes.force_dq(q) - terms.dq(), s.slopes.force_dv(q) - terms.dv(),
      MatrixXd(s.slopes.input().asDiagonal());
  right.middleCols(nv, nv).diagonal() -= h * (stiffness + s.slopes.damping_change().cwiseProduct(a));
  if (loops) {
    const auto& rows = terms.of_rows();
    MatrixXd targets = MatrixXd::Zero(loops->rows().count(), 3 * nv);
    targets.leftCols(2 * nv) << -rows.acceleration_dq(), -rows.acceleration_dv();
    Matrix X, L;
    solve_constrained(*loops, factor, right, targets, X, L);
    return end_of(s, a, X);
  }
  for (int j = 0; j < 3 * nv; ++j) Unchecked::solve(factor, right.col(j).data(), right.col(j).data());
  return end_of(s, a, right);
}

}  // namespace lissom::sim
