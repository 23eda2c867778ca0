#pragma once
// Families of problems of up to a hundred variables on which a dual active-set method may cycle, lose its digits or
// take long: rows that depend on others exactly or nearly, Hessians without curvature, units far apart, rigid feet that
// are given point by point. All are feasible by construction: the rows hold at a point that is chosen first.
#include <Eigen/QR>

#include "qp_test_support.h"

namespace lissom::qp::test {

struct Family {
  const char* name;
  Data (*make)(Random& r, int trial);
};

// 0, 1e-14 … 1e-6 in turn.
inline double in_turn(int trial) {
  return trial % 10 ? std::pow(10, trial % 10 - 15) : 0;
}

inline Matrix definite(Random& r, int n) {
  const Matrix M = r.matrix(n, n);
  return M * M.transpose() / n + std::pow(10, r.between(-4, 0)) * Matrix::Identity(n, n);
}

// Bounds of rows and variables around a point: at it, near it, or none.
inline void bound_around(Random& r, Data& d, const Eigen::VectorXd& inside, double at_bound = 0.1) {
  const auto around = [&](double value, double length, double& l, double& u) {
    const auto away = [&] { return r.chance(at_bound) ? 0.0 : length * std::abs(r.normal()); };
    l = r.chance(0.7) ? value - away() : -unbounded;
    u = r.chance(0.7) ? value + away() : unbounded;
  };
  d.b = d.A * inside;
  const Eigen::VectorXd values = d.C * inside;
  d.l.resize(values.size()), d.u.resize(values.size());
  for (int i = 0; i < values.size(); ++i) around(values[i], d.C.row(i).norm(), d.l[i], d.u[i]);
  for (int i = 0; i < inside.size(); ++i) around(inside[i], 1, d.lx[i], d.ux[i]);
}

inline Data dense_problem(Random& r, int) {
  const int n = r.integer(2, 100);
  Data d = unconstrained(definite(r, n), r.vector(n));
  d.A = r.matrix(r.integer(0, n / 2), n), d.C = r.matrix(r.integer(0, 2 * n), n);
  bound_around(r, d, r.vector(n));
  return d;
}

inline void thin_out(Random& r, Matrix& M, double density) {
  for (int i = 0; i < M.rows(); ++i)
    for (int j = 0; j < M.cols(); ++j)
      if (!r.chance(density) && j != i % M.cols()) M(i, j) = 0;
}

inline Data sparse_problem(Random& r, int trial) {
  Data d = dense_problem(r, trial);
  const int n = int(d.g.size());
  const double density = r.between(0.02, 0.3);
  thin_out(r, d.A, density), thin_out(r, d.C, density);
  Matrix root = r.matrix(n, n);
  thin_out(r, root, 1.0 / n);
  d.H = root * root.transpose() + 1e-2 * Matrix::Identity(n, n);
  bound_around(r, d, r.vector(n));
  return d;
}

inline Data equalities_only(Random& r, int) {
  const int n = r.integer(2, 100);
  Data d = unconstrained(definite(r, n), r.vector(n));
  d.A = r.matrix(r.integer(1, 2 * n), n);
  d.b = d.A * r.vector(n);
  return d;
}

inline Data equal_bounds(Random& r, int trial) {
  Data d = dense_problem(r, trial);
  const Eigen::VectorXd inside = r.vector(int(d.g.size()));
  bound_around(r, d, inside);
  const Eigen::VectorXd values = d.C * inside;
  for (int i = 0; i < values.size(); ++i)
    if (r.chance(0.3)) d.l[i] = d.u[i] = values[i];
  for (int i = 0; i < inside.size(); ++i)
    if (r.chance(0.2)) d.lx[i] = d.ux[i] = inside[i];
  return d;
}

inline Data dependent_equalities(Random& r, int trial) {
  const double error = in_turn(trial);
  const int n = r.integer(3, 100), me = r.integer(1, std::max(1, n / 2)), more = r.integer(1, me);
  Data d = unconstrained(definite(r, n), r.vector(n));
  d.A.resize(me + more, n), d.C = r.matrix(r.integer(0, n), n);
  d.A.topRows(me) = r.matrix(me, n);
  d.A.bottomRows(more) = r.matrix(more, me) * d.A.topRows(me) + error * r.matrix(more, n);
  bound_around(r, d, r.vector(n));
  return d;
}

inline Data duplicate_rows(Random& r, int trial) {
  const double error = in_turn(trial);
  const int n = r.integer(3, 100), mi = r.integer(1, n);
  Data d = unconstrained(definite(r, n), r.vector(n));
  d.A = r.matrix(r.integer(0, n / 3), n), d.C.resize(2 * mi, n);
  d.C.topRows(mi) = r.matrix(mi, n);
  for (int i = 0; i < mi; ++i)
    d.C.row(mi + i) = (r.chance(0.5) ? 1 : r.normal()) * d.C.row(i) + error * r.vector(n).transpose();
  bound_around(r, d, r.vector(n), 0.5);
  return d;
}

inline Data equalities_as_rows(Random& r, int trial) {
  const double error = in_turn(trial);
  const int n = r.integer(3, 100), me = r.integer(1, std::max(1, n / 2)), mi = r.integer(0, n);
  Data d = unconstrained(definite(r, n), r.vector(n));
  d.A = r.matrix(me, n), d.C.resize(mi + me, n);
  d.C.topRows(mi) = r.matrix(mi, n), d.C.bottomRows(me) = d.A + error * r.matrix(me, n);
  bound_around(r, d, r.vector(n), 0.5);
  return d;
}

// More rows than variables meet in one point.
inline Data degenerate_vertex(Random& r, int trial) {
  const double error = in_turn(trial);
  const int n = r.integer(2, 40), mi = r.integer(n, 3 * n);
  Data d = unconstrained(definite(r, n), r.vector(n));
  d.C = r.matrix(mi, n);
  const Eigen::VectorXd inside = r.vector(n), values = d.C * inside;
  d.l = values, d.u = Eigen::VectorXd::Constant(mi, unbounded);
  for (auto& l : d.l) l -= error * std::abs(r.normal());
  return d;
}

// Some eigenvalues are zero, or 1e-16 … 1; H = 0 makes it a linear program.
inline Data semidefinite_in_a_box(Random& r, int trial) {
  const int n = r.integer(2, 100), kind = trial % 3;
  Data d = unconstrained(Matrix::Zero(n, n), r.vector(n));
  if (kind > 0) {
    const Matrix Q = Eigen::HouseholderQR<Eigen::MatrixXd>(r.matrix(n, n)).householderQ();
    Eigen::VectorXd eigenvalues(n);
    for (auto& e : eigenvalues) e = kind == 1 ? (r.chance(0.5) ? 0 : r.between(0, 2)) : std::pow(10, r.between(-16, 0));
    d.H = Q * eigenvalues.asDiagonal() * Q.transpose();
    d.H = (0.5 * (d.H + d.H.transpose())).eval();
  }
  d.A = r.matrix(r.integer(0, n / 3), n), d.C = r.matrix(r.integer(0, n), n);
  const Eigen::VectorXd inside = r.vector(n);
  bound_around(r, d, inside);
  for (int i = 0; i < n; ++i) {
    if (d.lx[i] <= -unbounded) d.lx[i] = inside[i] - 3;
    if (d.ux[i] >= unbounded) d.ux[i] = inside[i] + 3;
  }
  return d;
}

inline Data semidefinite_without_a_box(Random& r, int) {
  const int n = r.integer(2, 60), rank = r.integer(0, n);
  const Matrix root = r.matrix(n, std::max(rank, 1)) * (rank > 0);
  Data d = unconstrained(root * root.transpose(), root * r.vector(int(root.cols())));
  d.A = r.matrix(r.integer(0, n / 3), n), d.C = r.matrix(r.integer(0, n), n);
  const Eigen::VectorXd inside = r.vector(n);
  bound_around(r, d, inside);
  d.lx.setConstant(-unbounded), d.ux.setConstant(unbounded);
  return d;
}

// Semidefinite, with rows given twice that meet in one corner.
inline Data semidefinite_corner(Random& r, int) {
  return random_problem(
      r,
      {.semidefinite = true, .degenerate = true, .duplicates = true, .scaled = r.chance(0.3), .blocks = r.chance(0.5)},
      100);
}

inline Data scaled_objective(Random& r, int trial) {
  Data d = dense_problem(r, trial);
  const double scale = std::pow(10, r.between(-6, 6));
  d.H *= scale, d.g *= scale;
  return d;
}

inline Data scaled_rows(Random& r, int) {
  const int n = r.integer(2, 100);
  Data d = unconstrained(definite(r, n), r.vector(n));
  d.A = r.matrix(r.integer(0, n / 2), n), d.C = r.matrix(r.integer(0, n), n);
  for (int i = 0; i < d.A.rows(); ++i) d.A.row(i) *= std::pow(10, r.between(-6, 6));
  for (int i = 0; i < d.C.rows(); ++i) d.C.row(i) *= std::pow(10, r.between(-6, 6));
  bound_around(r, d, r.vector(n));
  return d;
}

inline Data scaled_x(Random& r, int trial) {
  Data d = dense_problem(r, trial);
  const double scale = std::pow(10, r.between(-6, 4.5));
  d.g *= scale, d.b *= scale;
  const auto move = [&](Eigen::VectorXd& bounds) {
    for (auto& bound : bounds)
      if (std::abs(bound) < unbounded) bound *= scale;
  };
  move(d.l), move(d.u), move(d.lx), move(d.ux);
  return d;
}

inline Data mixed_units(Random& r, int trial) {
  Data d = dense_problem(r, trial);
  const int n = int(d.g.size());
  Eigen::VectorXd unit(n);
  for (auto& u : unit) u = std::pow(10, r.between(-3, 3));
  const auto scale = unit.asDiagonal();
  d.H = (scale * d.H * scale).eval(), d.g = (scale * d.g).eval(), d.A = (d.A * scale).eval(),
  d.C = (d.C * scale).eval();
  for (int i = 0; i < n; ++i) {
    if (d.lx[i] > -unbounded) d.lx[i] /= unit[i];
    if (d.ux[i] < unbounded) d.ux[i] /= unit[i];
  }
  return d;
}

// The rows of a rigid foot: the accelerations of its four points, which are level to `tilt`. J: 6 rows of its frame.
inline Matrix rows_of_foot(Random& r, const Matrix& J, double tilt) {
  Matrix rows(12, J.cols());
  for (int point = 0; point < 4; ++point) {
    const Eigen::Vector3d p(point & 1 ? 0.1 : -0.1, point & 2 ? 0.05 : -0.05, tilt * r.normal());
    Eigen::Matrix3d cross;
    cross << 0, -p.z(), p.y(), p.z(), 0, -p.x(), -p.y(), p.x(), 0;
    rows.middleRows(3 * point, 3) = J.topRows(3) - cross * J.bottomRows(3);
  }
  return rows;
}

// Four points of each foot, level to 1e-10 … 0.1, with disturbed right-hand sides.
inline Data rigid_feet(Random& r, int) {
  const int n = r.integer(18, 36), feet = r.integer(1, 4);
  const double tilt = std::pow(10, r.between(-10, -1)), noise = std::pow(10, r.between(-14, -9.5));
  const Matrix M = r.matrix(n, n);
  Data d = unconstrained(Matrix(M * M.transpose() / n + 1e-2 * Matrix::Identity(n, n)), 3 * r.vector(n));
  d.A.resize(12 * feet, n);
  for (int foot = 0; foot < feet; ++foot) d.A.middleRows(12 * foot, 12) = rows_of_foot(r, r.matrix(6, n), tilt);
  const Eigen::VectorXd inside = 10 * r.vector(n);
  d.b = d.A * inside + noise * r.vector(12 * feet);
  d.C = r.matrix(n, n);
  d.l = d.C * inside - r.vector(n).cwiseAbs(), d.u = d.C * inside + r.vector(n).cwiseAbs();
  return d;
}

// A controller's problem: accelerations a and forces f of a robot on such feet, with the equations of motion of its
// base, friction pyramids and torque limits. Feet of parallel legs share Jacobians to 1e-9 … 1e-2.
inline Data standing_robot(Random& r, int) {
  const int nv = r.integer(12, 40), feet = r.integer(1, nv > 24 ? 4 : 2), points = 4 * feet, n = nv + 3 * points;
  const double tilt = std::pow(10, r.between(-10, -1)), noise = std::pow(10, r.between(-14, -9.5));
  const Matrix root = r.matrix(nv, nv), M = root * root.transpose() / nv + 0.1 * Matrix::Identity(nv, nv);
  Matrix J(3 * points, nv);
  for (int foot = 0; foot < feet; ++foot) J.middleRows(12 * foot, 12) = rows_of_foot(r, r.matrix(6, nv), tilt);
  if (feet > 1 && r.chance(0.3))
    J.middleRows(12, 12) = J.topRows(12) + std::pow(10, r.between(-9, -2)) * r.matrix(12, nv);
  Data d = unconstrained(Matrix::Zero(n, n), Eigen::VectorXd::Zero(n));
  d.H.topLeftCorner(nv, nv) = definite(r, nv);
  d.H.diagonal().tail(3 * points).setConstant(std::pow(10, r.between(-6, -2)));
  d.g.head(nv) = 3 * r.vector(nv);
  Eigen::VectorXd inside(n);
  inside.head(nv) = 3 * r.vector(nv);
  for (int p = 0; p < points; ++p) inside.segment<3>(nv + 3 * p) << 3 * r.normal(), 3 * r.normal(), r.between(20, 100);
  d.A = Matrix::Zero(6 + 3 * points, n);
  d.A.topLeftCorner(6, nv) = M.topRows(6), d.A.topRightCorner(6, 3 * points) = -J.transpose().topRows(6);
  d.A.bottomLeftCorner(3 * points, nv) = J;
  d.b = d.A * inside;
  d.b.tail(3 * points) += noise * r.vector(3 * points);
  d.C = Matrix::Zero(4 * points + nv - 6, n);
  d.l = Eigen::VectorXd::Constant(d.C.rows(), -unbounded), d.u = Eigen::VectorXd::Zero(d.C.rows());
  for (int p = 0; p < points; ++p) {
    const int f = nv + 3 * p;
    for (int k = 0; k < 4; ++k) d.C(4 * p + k, f + k / 2) = k % 2 ? -1 : 1, d.C(4 * p + k, f + 2) = -0.7;
    d.lx[f + 2] = r.chance(0.5) ? 0 : 10;
  }
  d.C.bottomLeftCorner(nv - 6, nv) = M.bottomRows(nv - 6);
  d.C.bottomRightCorner(nv - 6, 3 * points) = -J.transpose().bottomRows(nv - 6);
  const Eigen::VectorXd torques = d.C.bottomRows(nv - 6) * inside;
  for (int i = 0; i < nv - 6; ++i) {
    d.l[4 * points + i] = torques[i] - 20 * std::abs(r.normal());
    d.u[4 * points + i] = torques[i] + 20 * std::abs(r.normal());
  }
  for (int i = 0; i < 4 * points; ++i) d.u[i] = std::max(0.0, d.C.row(i).dot(inside));
  return d;
}

inline constexpr Family families[] = {
    {"dense", dense_problem},
    {"sparse", sparse_problem},
    {"equalities only", equalities_only},
    {"equal bounds", equal_bounds},
    {"dependent equalities", dependent_equalities},
    {"duplicate rows", duplicate_rows},
    {"equalities as rows", equalities_as_rows},
    {"degenerate vertex", degenerate_vertex},
    {"semidefinite in a box", semidefinite_in_a_box},
    {"semidefinite without a box", semidefinite_without_a_box},
    {"semidefinite corner", semidefinite_corner},
    {"scaled objective", scaled_objective},
    {"scaled rows", scaled_rows},
    {"scaled x", scaled_x},
    {"mixed units", mixed_units},
    {"rigid feet", rigid_feet},
    {"standing robot", standing_robot},
};

}  // namespace lissom::qp::test
