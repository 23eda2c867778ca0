#pragma once
// A second opinion: the primal-dual interior-point method (Mehrotra 1992; Wright, Primal-Dual Interior-Point Methods,
// 1997, chapter 10), in long double, dense, without any of the solver's ideas. Slow and simple.
//
//   min ½ xᵀ H x + gᵀ x   subject to   A x = b,   G x ≥ h.
#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "largest.h"
#include "lissom/qp/problem.h"

namespace lissom::qp::test {

using lissom::test::smaller;

using Long = long double;
using LongMatrix = Eigen::Matrix<Long, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<Long, Eigen::Dynamic, 1>;

struct InequalityForm {
  LongMatrix H, A, G;
  LongVector g, b, h;
};

// Each bound that there is becomes a row, of length 1; l = u becomes an equality.
inline InequalityForm inequality_form(const Problem& p) {
  const auto n = p.g.size();
  InequalityForm f{p.H.cast<Long>(), LongMatrix(0, n), LongMatrix(0, n),
                   p.g.cast<Long>(), LongVector(0),    LongVector(0)};
  const auto append = [n](LongMatrix& M, LongVector& v, const LongVector& row, Long value) {
    const Long length = row.norm() > 0 ? row.norm() : 1;
    M.conservativeResize(M.rows() + 1, n);
    M.row(M.rows() - 1) = row.transpose() / length;
    v.conservativeResize(v.size() + 1);
    v[v.size() - 1] = value / length;
  };
  const auto add = [&](const LongVector& row, double l, double u) {
    if (l == u) return append(f.A, f.b, row, l);
    if (l > -unbounded) append(f.G, f.h, row, l);
    if (u < unbounded) append(f.G, f.h, -row, -u);
  };
  for (int i = 0; i < p.b.size(); ++i) append(f.A, f.b, p.A.row(i).transpose().cast<Long>(), p.b[i]);
  for (int i = 0; i < p.l.size(); ++i) add(p.C.row(i).transpose().cast<Long>(), p.l[i], p.u[i]);
  for (int i = 0; i < n; ++i) add(LongVector::Unit(n, i), p.lx[i], p.ux[i]);
  return f;
}

struct InteriorPoint {
  LongVector x, y, z, s;
  bool converged = false;
  Long objective = 0;
};

// Newton's step on the conditions of optimality, towards σμ.
inline void newton_step(const InequalityForm& f, const InteriorPoint& at, const LongVector& complementarity,
                        InteriorPoint& step) {
  const auto n = f.g.size(), me = f.b.size(), mi = f.h.size();
  LongMatrix K = LongMatrix::Zero(n + me, n + me);
  LongVector r(n + me);
  const LongVector primal = f.G * at.x - f.h - at.s;
  const LongVector d = mi > 0 ? LongVector(at.z.cwiseQuotient(at.s)) : LongVector(0);
  K.topLeftCorner(n, n) = f.H + f.G.transpose() * d.asDiagonal() * f.G;
  K.topRightCorner(n, me) = -f.A.transpose();
  K.bottomLeftCorner(me, n) = f.A;
  // Equalities that depend on others: their multipliers are kept small.
  K.bottomRightCorner(me, me).diagonal().setConstant(1e-17L);
  r.head(n) = -(f.H * at.x + f.g - f.A.transpose() * at.y - f.G.transpose() * at.z);
  if (mi > 0) r.head(n) -= f.G.transpose() * (complementarity.cwiseQuotient(at.s) + d.cwiseProduct(primal));
  r.tail(me) = -(f.A * at.x - f.b);
  const LongVector solution = K.fullPivLu().solve(r);
  step.x = solution.head(n);
  step.y = solution.tail(me);
  step.s = f.G * step.x + primal;
  step.z = mi > 0 ? LongVector(-(complementarity + at.z.cwiseProduct(step.s)).cwiseQuotient(at.s)) : LongVector(0);
}

inline Long longest(const LongVector& at, const LongVector& step) {
  Long t = 1;
  for (int i = 0; i < at.size(); ++i)
    if (step[i] < 0) t = smaller(t, -at[i] / step[i]);
  return t;
}

inline InteriorPoint interior_point(const InequalityForm& f, int iterations = 100) {
  const auto n = f.g.size(), me = f.b.size(), mi = f.h.size();
  InteriorPoint at{LongVector::Zero(n), LongVector::Zero(me), LongVector::Ones(mi), LongVector::Ones(mi)}, step;
  const Long size = 1 + f.h.cwiseAbs().sum() + f.g.cwiseAbs().sum();
  at.s *= std::sqrt(size), at.z *= std::sqrt(size);
  for (int i = 0; i < iterations; ++i) {
    const Long mu = mi > 0 ? at.s.dot(at.z) / Long(mi) : 0;
    const Long dual = (f.H * at.x + f.g - f.A.transpose() * at.y - f.G.transpose() * at.z).norm();
    const Long primal = (f.A * at.x - f.b).norm() + (f.G * at.x - f.h - at.s).norm();
    at.objective = at.x.dot(f.H * at.x) / 2 + f.g.dot(at.x);
    const Long small = 1e-13L * (1 + std::abs(at.objective));
    if (mu < small && dual < 1e-11L * size && primal < 1e-11L * size) {
      at.converged = true;
      break;
    }
    newton_step(f, at, at.s.cwiseProduct(at.z), step);
    const Long t = std::min(longest(at.s, step.s), longest(at.z, step.z));
    const Long after = mi > 0 ? (at.s + t * step.s).dot(at.z + t * step.z) / Long(mi) : 0;
    const Long sigma = mu > 0 ? std::pow(after / mu, 3) : 0;
    const LongVector target =
        at.s.cwiseProduct(at.z) + step.s.cwiseProduct(step.z) - LongVector::Constant(mi, sigma * mu);
    newton_step(f, at, target, step);
    const Long p = std::min<Long>(1, 0.995L * longest(at.s, step.s)),
               q = std::min<Long>(1, 0.995L * longest(at.z, step.z));
    const Long both = std::min(p, q);
    at.x += both * step.x, at.s += both * step.s, at.y += both * step.y, at.z += both * step.z;
  }
  return at;
}

}  // namespace lissom::qp::test
