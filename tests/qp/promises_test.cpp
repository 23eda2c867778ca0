// What the documentation promises at the edges: convexity is checked, tolerances count, a cold start is cold, and the
// work is bounded.
#include <cstring>
#include <limits>

#include <Eigen/QR>

#include "edge_problems.h"
#include "largest.h"
#include "lissom/qp/verify.h"
#include "verdicts.h"

namespace lissom::qp::test {
namespace {

using lissom::test::largest;

using Eigen::VectorXd;

Solution solved(const Data& d, const Options& o = {}) {
  Solver solver(d.sizes());
  return solver.solve(d.problem(), o);  // (its vectors refer to memory that is gone)
}

TEST(QpPromises, AsymmetricIsInvalid) {
  Matrix H(2, 2);
  VectorXd g(2);
  g << 1, -3;
  for (const auto& [upper, lower] : {std::pair{0.0, 3.0}, {0.1, 0.0}, {0.5, 0.5 + 1e-6}}) {
    H << 2, upper, lower, 2;
    const auto s = solved(unconstrained(H, g));
    EXPECT_EQ(s.status, Status::invalid) << upper << " " << lower;
    EXPECT_STREQ(s.reason, "H is not symmetric");
  }
  H << 2, 0.5, 0.5 + 1e-13, 2;
  EXPECT_EQ(solved(unconstrained(H, g)).status, Status::optimal);
  for (int trial = 0; trial < 200; ++trial) {
    Random r{std::uint64_t(trial)};
    Data d = random_problem(r, {.blocks = true}, 20);
    const int n = int(d.g.size()), i = r.integer(0, n - 1), j = r.integer(0, n - 1);
    if (i == j) continue;
    d.H(i, j) += std::pow(10, r.between(-6, -1));
    EXPECT_EQ(solved(d).status, Status::invalid) << trial;
  }
}

Data in_a_box(const Matrix& H) {
  Data d = unconstrained(H, VectorXd::Ones(H.rows()));
  d.lx.setConstant(-100), d.ux.setConstant(100);
  return d;
}

// Variables have units of their own: what is large elsewhere says nothing about an element.
TEST(QpPromises, AsymmetricIsInvalidBesideLargeElements) {
  Matrix H(3, 3);
  for (const double large : {1e4, 1e8, 1e12, 1e16, 1e20})
    for (const double lower : {0.1, 0.499, 0.5 + 1e-6, 0.5}) {
      const auto expected = lower == 0.5 ? Status::optimal : Status::invalid;
      H << large, 0, 0, 0, 2, 0.5, 0, lower, 2;
      const auto s = solved(in_a_box(H));
      EXPECT_EQ(s.status, expected) << "beside " << large << ": " << lower;
      EXPECT_STREQ(s.reason, lower == 0.5 ? "" : "H is not symmetric");
      H << 2, 0, 0.5, 0, large, 0, lower, 0, 2;  // (the variables between are in the same block)
      EXPECT_EQ(solved(in_a_box(H)).status, expected) << "around " << large << ": " << lower;
    }
  H << 1e12, 1, 1, 1, 2, 0.5, 1, 0.1, 2;
  EXPECT_EQ(solved(in_a_box(H)).status, Status::invalid) << "coupled";
}

TEST(QpPromises, IndefiniteIsInvalidBesideLargeElements) {
  for (const double large : {1e4, 1e8, 1e12, 1e16, 1e20}) {
    SCOPED_TRACE(large);
    EXPECT_EQ(solved(in_a_box(Eigen::Vector2d(large, -4).asDiagonal().toDenseMatrix())).status, Status::invalid);
    for (const auto& [a, b] : {std::pair{0.0, 0.0}, {0.0, 2.0}, {-4.0, 2.0}, {0.5, 0.5}}) {
      Matrix H(3, 3);
      H << large, 0, 0, 0, a, 1, 0, 1, b;
      const auto s = solved(in_a_box(H));
      EXPECT_EQ(s.status, Status::invalid) << a << " " << b;
      EXPECT_STREQ(s.reason, "H is not positive semidefinite");
      H << a, 0, 1, 0, large, 0, 1, 0, b;
      EXPECT_EQ(solved(in_a_box(H)).status, Status::invalid) << a << " around " << b;
    }
    EXPECT_NE(solved(in_a_box(Eigen::Vector2d(large, 0).asDiagonal().toDenseMatrix())).status, Status::invalid);
  }
  Matrix H(2, 2);
  H << 1e12, 1e-5, 1e-5, -4;
  EXPECT_EQ(solved(in_a_box(H)).status, Status::invalid) << "coupled";
}

// The Hessian of tasks, JᵀWJ, has rounding errors, no full rank, variables that no task moves, and mixed units.
TEST(QpPromises, HessiansOfTasksAreValidInAnyUnits) {
  for (int trial = 0; trial < trials(300, 30'000); ++trial) {
    Random r{std::uint64_t(trial)};
    const int n = r.integer(2, 40), rows = r.integer(1, n);
    Matrix J = r.matrix(rows, n);
    for (int j = 0; j < n; ++j) {
      if (r.chance(0.1)) J.col(j).setZero();
      if (r.chance(0.1)) J.col(j) *= 1e-16;  // (zero up to rounding)
      J.col(j) *= std::pow(10, r.between(-3, 3));
    }
    VectorXd weights(rows);
    for (auto& w : weights) w = std::pow(10, r.between(-3, 3));
    const Matrix WJ = weights.asDiagonal() * J, H = J.transpose() * WJ;
    Data d = in_a_box(H);
    d.g = WJ.transpose() * r.vector(rows);
    const auto s = solved(d);
    EXPECT_NE(s.status, Status::invalid) << trial << ": " << s.reason;
    const int i = r.integer(0, n - 1), j = r.integer(0, n - 1);
    const double mean = std::sqrt(H(i, i) * H(j, j));
    if (i == j || 1e-6 * mean < 1e-14 * largest(H.diagonal())) continue;  // (could be rounding)
    d.H(i, j) += 1e-6 * mean;
    EXPECT_EQ(solved(d).status, Status::invalid) << trial;
  }
}

TEST(QpPromises, IndefiniteIsInvalid) {
  Data d = unconstrained(Eigen::Vector2d(1e6, -4).asDiagonal().toDenseMatrix(), VectorXd::Zero(2));
  d.lx.setConstant(-100), d.ux.setConstant(100);
  EXPECT_EQ(solved(d).status, Status::invalid);
  for (int trial = 0; trial < 200; ++trial) {
    Random r{std::uint64_t(trial)};
    const int n = r.integer(2, 20);
    const Matrix Q = Eigen::HouseholderQR<Eigen::MatrixXd>(r.matrix(n, n)).householderQ();
    VectorXd eigenvalues(n);
    for (auto& x : eigenvalues) x = r.between(0.1, 1);
    eigenvalues[0] = -std::pow(10, r.between(-7, 0));
    Matrix H = Q * eigenvalues.asDiagonal() * Q.transpose();
    H = 0.5 * (H + H.transpose()).eval();
    Data box = unconstrained(H, VectorXd::Zero(n));
    box.lx.setConstant(-1), box.ux.setConstant(1);
    EXPECT_EQ(solved(box).status, Status::invalid) << trial << " " << eigenvalues[0];
  }
}

TEST(QpPromises, BoundsCrossedWithinTheTolerancesAreMet) {
  Data d = unconstrained(Matrix::Identity(1, 1), VectorXd::Zero(1));
  d.lx[0] = 0.1 + 0.2, d.ux[0] = 0.3;
  ASSERT_GT(d.lx[0], d.ux[0]);
  EXPECT_EQ(solved(d).status, Status::optimal);
  EXPECT_EQ(solved(d, {.elastic = false}).status, Status::optimal);
  d.lx[0] = 0.3 + 4e-6;
  EXPECT_EQ(solved(d).status, Status::elastic);
  EXPECT_EQ(solved(d).conflicts.size(), 1u);
  d = unconstrained(Matrix::Identity(1, 1), VectorXd::Zero(1));
  d.C = 1e3 * Matrix::Identity(1, 1), d.l = VectorXd::Constant(1, 1 + 1e-4), d.u = VectorXd::Constant(1, 1);
  const auto s = solved(d);
  EXPECT_EQ(s.status, Status::optimal);
  EXPECT_NEAR(s.row_error, 5e-5, 1e-9);
}

TEST(QpPromises, FeasibilityProblems) {
  for (int trial = 0; trial < trials(300, 30'000); ++trial) {
    Random r{std::uint64_t(trial)};
    Data d = random_problem(r, {.degenerate = r.chance(0.3), .duplicates = r.chance(0.3)}, 20);
    d.H.setZero(), d.g.setZero();
    Solver solver(d.sizes());
    const auto& s = solver.solve(d.problem());
    ASSERT_EQ(s.status, Status::optimal) << trial << s.reason;
    EXPECT_LE(distance(d, s.x).most, 1e-6) << trial;
    EXPECT_EQ(s.objective, 0) << trial;
  }
}

TEST(QpPromises, SmallCurvatureCounts) {
  Data d = unconstrained(Eigen::Vector2d(1, 1e-13).asDiagonal().toDenseMatrix(), Eigen::Vector2d(1, 1e-13));
  Solver solver(d.sizes());
  const auto& s = solver.solve(d.problem());
  ASSERT_EQ(s.status, Status::optimal);
  EXPECT_NEAR(s.x[0], -1, 1e-9);
  EXPECT_NEAR(s.x[1], -1, 1e-6);
}

bool same_bits(const Solution& a, const Solution& b) {
  return a.status == b.status && a.iterations == b.iterations && a.x.size() == b.x.size() &&
         std::memcmp(a.x.data(), b.x.data(), std::size_t(a.x.size()) * sizeof(double)) == 0;
}

TEST(QpPromises, ColdIsCold) {
  for (int trial = 0; trial < trials(200, 20'000) && !::testing::Test::HasFailure(); ++trial) {
    Random r{std::uint64_t(trial)};
    const auto kind = random_kind(r);
    const Data first = trial % 2 ? random_problem(r, kind) : infeasible_problem(r, kind);
    Data d = first;
    d.g += 0.1 * r.vector(int(d.g.size()));
    Solver fresh(d.sizes()), used(d.sizes());
    const auto& expected = fresh.solve(d.problem(), {.warm = false});
    used.solve(first.problem());
    EXPECT_TRUE(same_bits(used.solve(d.problem(), {.warm = false}), expected)) << trial;
    used.solve(first.problem());
    used.forget();
    EXPECT_TRUE(same_bits(used.solve(d.problem()), expected)) << trial;
  }
}

// One bound for the whole solve: all attempts, and the search for the smallest relaxation.
TEST(QpPromises, WorkIsBounded) {
  for (int trial = 0; trial < trials(200, 20'000) && !::testing::Test::HasFailure(); ++trial) {
    Random r{std::uint64_t(trial) + 9};
    const auto kind = random_kind(r);
    const Data d = trial % 2 ? random_problem(r, kind, 30) : infeasible_problem(r, kind);
    Solver solver(d.sizes());
    EXPECT_LE(solver.solve(d.problem()).iterations, 10 * (d.g.size() + d.l.size() + d.b.size()) + 100) << trial;
    for (const int most : {1, 3, 10, 30}) {
      const auto& s = solver.solve(d.problem(), {.warm = false, .max_iterations = most});
      // (Rows with multipliers of the wrong sign are removed at a start, each once.)
      EXPECT_LE(s.iterations, most + int(d.l.size() + d.g.size())) << trial;
      EXPECT_TRUE(s.status != Status::limit || *s.reason) << trial;
    }
  }
}

// A multiplier that is NaN is an error, not a multiplier of the right sign.
TEST(QpPromises, NaNIsNeverVerified) {
  Random r{3};
  const Data d = random_problem(r, {}, 8);
  Solver solver(d.sizes());
  const auto& s = solver.solve(d.problem());
  ASSERT_EQ(s.status, Status::optimal);
  Constraints rows(d.sizes());
  const auto problem = d.problem();
  ASSERT_EQ(rows.set(problem), nullptr);
  Hessian hessian(d.sizes().variables);
  ASSERT_EQ(hessian.set(problem, 0), Hessian::Kind::definite);
  Verifier verifier(d.sizes());
  const int n = rows.variables(), m = rows.size();
  Numbers x(padded(n)), values(padded(m + 8)), multipliers(padded(m + 8));
  std::copy_n(s.x.data(), n, x.data());
  rows.values(x, values);
  const auto stationarity = [&] {
    return verifier.errors(rows, hessian, problem.g, x, values, multipliers).stationarity;
  };
  for (int i = 0; i < rows.equalities(); ++i) multipliers[i] = s.equality_multipliers[i];
  for (int i = 0; i < rows.rows(); ++i) multipliers[rows.equalities() + i] = s.row_multipliers[i];
  for (int i = 0; i < n; ++i) multipliers[rows.equalities() + rows.rows() + i] = s.bound_multipliers[i];
  EXPECT_LE(stationarity(), 1e-10);
  for (int i = 0; i < m; ++i) {
    const double was = multipliers[i];
    multipliers[i] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(stationarity() <= 1e300) << i;
    multipliers[i] = was;
  }
}

// A softer version of a problem, its equalities in the cost, starts from the rows that were active in the other, and
// then has the same solution as from a cold start, after fewer iterations.
TEST(QpPromises, ASofterProblemStartsFromTheRowsOfTheHarderOne) {
  int from_rows = 0, cold = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random r(seed);
    const Data hard = random_problem(r, {}, 30);
    Data soft = hard;
    soft.H += 1e3 * hard.A.transpose() * hard.A;
    soft.g -= 1e3 * hard.A.transpose() * hard.b;
    soft.A.resize(0, hard.g.size()), soft.b.resize(0);
    Solver first(hard.sizes()), second(hard.sizes()), third(hard.sizes());
    ASSERT_EQ(first.solve(hard.problem()).status, Status::optimal);
    second.start_like(first, 0);
    const auto& s = second.solve(soft.problem());
    const auto& t = third.solve(soft.problem());
    ASSERT_EQ(s.status, Status::optimal);
    ASSERT_EQ(t.status, Status::optimal);
    EXPECT_LE(largest(s.x - t.x), 1e-6 * (1 + largest(t.x)));
    from_rows += s.iterations, cold += t.iterations;
  }
  EXPECT_LT(2 * from_rows, cold);
}

}  // namespace
}  // namespace lissom::qp::test
