#include "lissom/stance/static_forces.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lissom::stance {

namespace {

constexpr double small_normals = 1e-2, small_tangents = 1;  // ε
constexpr double balance_tolerance = 1e-6;                  // in weights, and weights times m
constexpr double soft_weight = 1e5;
constexpr double torque_tolerance = 1e-6;  // relative to the limit

}  // namespace

int cone_rows(const StanceSetup& setup) {
  int rows = 0;
  for (std::size_t k = 0; k < setup.contacts.size(); ++k)
    if (setup.variables_of(k) > 0) rows += setup.contacts[k].friction_rows() + (setup.is_bounded(k) ? 1 : 0);
  return rows;
}

void add_cones(const StanceSetup& setup, int row, int column, Matrix& C, Eigen::VectorXd& l, Eigen::VectorXd& u,
               Eigen::VectorXd& lx) {
  for (std::size_t k = 0; k < setup.contacts.size(); ++k) {
    const auto& c = setup.contacts[k];
    if (setup.variables_of(k) == 0) continue;
    if (c.contact.kind == ContactKind::fixed) {
      column += c.variables();
      continue;
    }
    if (setup.is_bounded(k)) {
      for (std::size_t i = 0; i < c.points.size(); ++i) C(row, column + 3 * int(i) + 2) = 1;
      l[row] = setup.problem.contacts[k].min_normal_force / setup.weight;
      u[row++] = std::min(qp::unbounded, setup.problem.contacts[k].max_normal_force / setup.weight);
    }
    const double steep = c.contact.friction / std::numbers::sqrt2;
    for (std::size_t i = 0; i < c.points.size(); ++i, column += 3) {
      lx[column + 2] = 0;
      for (const int tangent : {0, 1})
        for (const int sign : {1, -1}) {
          C(row, column + tangent) = sign;
          C(row, column + 2) = steep;
          l[row] = 0, u[row] = qp::unbounded;
          ++row;
        }
    }
  }
}

Eigen::VectorXd force_costs(const StanceSetup& setup) {
  Eigen::VectorXd costs = Eigen::VectorXd::Constant(setup.variables, small_normals);
  int column = 0;
  for (std::size_t i = 0; i < setup.contacts.size(); ++i) {
    for (int k = 0; k < setup.variables_of(i); ++k)
      if (setup.contacts[i].contact.kind != ContactKind::fixed && k % 3 < 2) costs[column + k] = small_tangents;
    column += setup.variables_of(i);
  }
  return costs;
}

StaticForces static_forces(const StanceSetup& s, TorqueRows torque_rows) {
  const int n = s.variables, nu = int(s.passive.size()), nm = int(s.motors.size()), cones = cone_rows(s);
  const auto& h = s.robot.h;
  Matrix H = force_costs(s).asDiagonal(), A(nu, n), C = Matrix::Zero(cones + nm, n), T(nm, n);
  Eigen::VectorXd g = Eigen::VectorXd::Zero(n), b(nu), l(cones + nm), u(cones + nm),
                  lx = Eigen::VectorXd::Constant(n, -qp::unbounded), ux = -lx, t(nm);
  for (int k = 0; k < nu; ++k) {
    A.row(k) = s.generalized_forces.row(s.passive[std::size_t(k)]);
    b[k] = h[s.passive[std::size_t(k)]] / s.weight;
  }
  for (int k = 0; k < nm; ++k) {
    const int i = s.motors[std::size_t(k)];
    const double limit = s.limits[k], scale = std::isfinite(limit) ? s.weight / limit : 0;
    T.row(k) = -scale * s.generalized_forces.row(i);
    t[k] = scale * h[i] / s.weight;
  }
  H.noalias() += T.transpose() * T;
  g.noalias() = T.transpose() * t;
  add_cones(s, 0, 0, C, l, u, lx);
  C.bottomRows(nm) = T;
  l.tail(nm).setConstant(-1), u.tail(nm).setConstant(1);
  l.tail(nm) -= t, u.tail(nm) -= t;
  const int rows = torque_rows == TorqueRows::none ? cones : cones + nm;
  Eigen::VectorXd weight = Eigen::VectorXd::Zero(rows);
  if (torque_rows == TorqueRows::soft) weight.tail(nm).setConstant(soft_weight);

  qp::Solver solver({.variables = n, .equalities = nu, .rows = rows});
  const auto& found = solver.solve({.H = H,
                                    .g = g,
                                    .A = A,
                                    .b = b,
                                    .C = C.topRows(rows),
                                    .l = l.head(rows),
                                    .u = u.head(rows),
                                    .lx = lx,
                                    .ux = ux,
                                    .weight = weight});
  StaticForces result;
  result.forces = found.x.size() == n ? Eigen::VectorXd(found.x) : Eigen::VectorXd::Zero(n);
  result.torques = h - s.weight * (s.generalized_forces * result.forces);
  result.balanced = found.status == qp::Status::optimal;
  if (found.status == qp::Status::elastic) {
    const int hard = torque_rows == TorqueRows::hard ? rows : cones;
    const Eigen::VectorXd c = C.topRows(hard) * result.forces;
    result.balanced = (nu == 0 || (A * result.forces - b).lpNorm<Eigen::Infinity>() < balance_tolerance) &&
                      (l.head(hard) - c).maxCoeff() < torque_tolerance &&
                      (c - u.head(hard)).maxCoeff() < torque_tolerance &&
                      (lx - result.forces).maxCoeff() < balance_tolerance;
  }
  return result;
}

}  // namespace lissom::stance
