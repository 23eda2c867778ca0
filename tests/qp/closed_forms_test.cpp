// Problems whose answers are known.
#include <array>

#include "qp_test_support.h"

namespace lissom::qp::test {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

VectorXd vector(std::initializer_list<double> x) {
  VectorXd v(Eigen::Index(x.size()));
  std::copy(x.begin(), x.end(), v.begin());
  return v;
}

TEST(QpClosedForm, WithoutRows) {
  Matrix H(2, 2);
  H << 2, 1, 1, 3;
  const auto d = unconstrained(H, vector({-1, 2}));
  Solver solver(d.sizes());
  const auto& s = solver.solve(d.problem());
  expect_optimal(d, s, "2 × 2");
  EXPECT_LE((s.x - vector({1, -1})).norm(), 1e-14);
  EXPECT_NEAR(s.objective, -1.5, 1e-14);
}

TEST(QpClosedForm, OneVariable) {
  auto d = unconstrained(Matrix::Constant(1, 1, 2), vector({-6}));
  Solver solver(d.sizes());
  EXPECT_NEAR(solver.solve(d.problem()).x[0], 3, 1e-15);
  d.ux[0] = 1;
  EXPECT_NEAR(solver.solve(d.problem()).x[0], 1, 1e-15);
  EXPECT_NEAR(solver.solution().bound_multipliers[0], -4, 1e-14);  // 2·1 - 6
  d.lx[0] = d.ux[0] = -2;
  EXPECT_NEAR(solver.solve(d.problem()).x[0], -2, 1e-15);
  EXPECT_NEAR(solver.solution().bound_multipliers[0], -10, 1e-14);
}

// The point of a plane nearest to a given one.
TEST(QpClosedForm, Projection) {
  auto d = unconstrained(Matrix::Identity(3, 3), vector({-1, -2, -3}));
  d.A = Matrix::Ones(1, 3), d.b = vector({3});
  Solver solver(d.sizes());
  const auto& s = solver.solve(d.problem());
  expect_optimal(d, s, "plane");
  EXPECT_LE((s.x - vector({0, 1, 2})).norm(), 1e-14);
  EXPECT_NEAR(s.equality_multipliers[0], -1, 1e-14);
}

// Goldfarb and Idnani 1983, section 4, their example.
TEST(QpClosedForm, OfThePaper) {
  Matrix H(2, 2);
  H << 4, -2, -2, 4;
  auto d = unconstrained(H, vector({6, 0}));
  d.lx.setZero();
  d.C = Matrix::Ones(1, 2), d.l = vector({2}), d.u = vector({unbounded});
  Solver solver(d.sizes());
  const auto& s = solver.solve(d.problem());
  expect_optimal(d, s, "example");
  EXPECT_LE((s.x - vector({0.5, 1.5})).norm(), 1e-14);
}

TEST(QpClosedForm, RowBetweenTwoBounds) {
  auto d = unconstrained(Matrix::Identity(2, 2), vector({0, 0}));
  d.C = Matrix::Ones(1, 2), d.l = vector({1}), d.u = vector({2});
  Solver solver(d.sizes());
  EXPECT_NEAR(solver.solve(d.problem()).x[0], 0.5, 1e-15);
  EXPECT_NEAR(solver.solution().row_multipliers[0], 0.5, 1e-15);
  d.g = vector({-3, -3});
  EXPECT_NEAR(solver.solve(d.problem()).x[0], 1, 1e-15);
  EXPECT_NEAR(solver.solution().row_multipliers[0], -2, 1e-15);
  d.g = vector({-0.75, -0.75});
  EXPECT_NEAR(solver.solve(d.problem()).x[0], 0.75, 1e-15);
  EXPECT_EQ(solver.solution().row_multipliers[0], 0);
}

// Linear programs are semidefinite to the utmost.
TEST(QpClosedForm, LinearProgram) {
  auto d = unconstrained(Matrix::Zero(2, 2), vector({-3, -2}));
  d.lx.setZero();
  d.C.resize(2, 2), d.C << 1, 1, 1, 3;
  d.l = VectorXd::Constant(2, -unbounded), d.u = vector({4, 6});
  Solver solver(d.sizes());
  const auto& s = solver.solve(d.problem());
  expect_optimal(d, s, "linear program");
  EXPECT_LE((s.x - vector({4, 0})).norm(), 1e-9);
}

TEST(QpClosedForm, BlocksAreFoundOrGiven) {
  Random r(5);
  Matrix H = Matrix::Zero(7, 7);
  const Matrix M = r.matrix(3, 3), K = r.matrix(2, 2);
  H.topLeftCorner(3, 3) = M * M.transpose() + Matrix::Identity(3, 3);
  H.block(4, 4, 2, 2) = K * K.transpose() + Matrix::Identity(2, 2);
  H(3, 3) = 2, H(6, 6) = 1e-5;
  auto d = unconstrained(H, r.vector(7));
  d.A = r.matrix(2, 7), d.b = r.vector(2);
  Solver solver(d.sizes());
  const VectorXd found = solver.solve(d.problem()).x;
  expect_optimal(d, solver.solution(), "found");
  const std::array<int, 4> blocks{3, 1, 2, 1};
  auto p = d.problem();
  Problem given{
      .H = p.H, .g = p.g, .A = p.A, .b = p.b, .C = p.C, .l = p.l, .u = p.u, .lx = p.lx, .ux = p.ux, .blocks = blocks};
  EXPECT_LE((solver.solve(given).x - found).norm(), 1e-12);
}

// A corner of larger matrices: nothing has to be copied for it.
TEST(QpClosedForm, CornersOfLargerMatrices) {
  Random r(6);
  const Matrix big = 100 * Matrix::Ones(9, 9);
  Matrix H = big, C = big;
  H.topLeftCorner(2, 2) << 2, 1, 1, 3;
  C.topLeftCorner(1, 2) << 1, 1;
  const VectorXd g = vector({-1, 2}), none(0), wide = VectorXd::Constant(2, unbounded);
  const VectorXd lower = -wide, l = vector({1}), u = vector({unbounded});
  Solver solver({.variables = 9, .equalities = 9, .rows = 9});
  const auto& s = solver.solve({.H = H.topLeftCorner(2, 2),
                                .g = g,
                                .A = big.topLeftCorner(0, 2),
                                .b = none,
                                .C = C.topLeftCorner(1, 2),
                                .l = l,
                                .u = u,
                                .lx = lower,
                                .ux = wide});
  ASSERT_EQ(s.status, Status::optimal);
  ASSERT_EQ(s.x.size(), 2);
  EXPECT_NEAR(s.x.sum(), 1, 1e-14);
}

}  // namespace
}  // namespace lissom::qp::test
