// Invalid problems are refused with a reason; the solver neither throws nor hangs, and stays usable.
#include <limits>

#include "qp_test_support.h"

namespace lissom::qp::test {
namespace {

using Eigen::VectorXd;

Data good() {
  Random r(1);
  Data d = random_problem(r, {}, 6);
  while (d.b.size() == 0 || d.l.size() == 0) d = random_problem(r, {}, 6);
  d.weight = VectorXd::Zero(d.l.size());
  return d;
}

void expect_refused(const Data& d, Solver& solver, const std::string& word) {
  const auto& s = solver.solve(d.problem());
  EXPECT_EQ(s.status, Status::invalid) << word;
  EXPECT_NE(std::string(s.reason).find(word), std::string::npos) << s.reason;
  EXPECT_NE(describe(s, {}).find(word), std::string::npos);
  // The next problem is solved as usual.
  expect_optimal(good(), solver.solve(good().problem()), "after " + word);
}

TEST(QpErrors, NotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, inf, -inf}) {
    Solver solver(good().sizes());
    auto d = good();
    d.H(0, 0) = bad, expect_refused(d, solver, "H");
    d = good(), d.g[0] = bad, expect_refused(d, solver, "g");
    d = good(), d.A(0, 0) = bad, expect_refused(d, solver, "A");
    d = good(), d.b[0] = bad, expect_refused(d, solver, "b");
    d = good(), d.C(0, 0) = bad, expect_refused(d, solver, "C");
    d = good(), d.weight[0] = bad, expect_refused(d, solver, "weight");
  }
  Solver solver(good().sizes());
  auto d = good();
  d.H(0, d.H.cols() - 1) = nan, expect_refused(d, solver, "H");
  d = good(), d.l[0] = nan, expect_refused(d, solver, "l or u");
  d = good(), d.u[0] = nan, expect_refused(d, solver, "l or u");
  d = good(), d.lx[0] = nan, expect_refused(d, solver, "lx or ux");
  d = good(), d.lx[0] = inf, expect_refused(d, solver, "lx or ux");
  d = good(), d.weight[0] = -1, expect_refused(d, solver, "weight");
}

TEST(QpErrors, InfiniteBounds) {
  auto d = good();
  d.lx.setConstant(-std::numeric_limits<double>::infinity());
  d.ux.setConstant(std::numeric_limits<double>::infinity());
  Solver solver(d.sizes());
  expect_optimal(d, solver.solve(d.problem()), "infinite");
}

TEST(QpErrors, Sizes) {
  const auto d = good();
  Solver small({.variables = int(d.g.size()) - 1, .equalities = int(d.b.size()), .rows = int(d.l.size())});
  EXPECT_EQ(small.solve(d.problem()).status, Status::invalid);
  Solver solver(d.sizes());
  auto e = good();
  e.g.conservativeResize(e.g.size() - 1), expect_refused(e, solver, "size of H does not match g");
  e = good(), e.b.conservativeResize(e.b.size() - 1), expect_refused(e, solver, "size of A does not match b");
  e = good(), e.u.conservativeResize(e.u.size() - 1), expect_refused(e, solver, "size of u does not match l");
  e = good(), e.lx.conservativeResize(e.lx.size() - 1), expect_refused(e, solver, "lx or ux");
  EXPECT_EQ(Solver({0, 0, 0}).solve(unconstrained(Matrix(0, 0), VectorXd(0)).problem()).status, Status::invalid);
  EXPECT_NO_THROW(Solver({-3, -1, -1}));
}

TEST(QpErrors, NotConvex) {
  auto d = unconstrained(Matrix::Identity(2, 2), VectorXd::Zero(2));
  d.H(1, 1) = -1;
  Solver solver(d.sizes());
  EXPECT_EQ(solver.solve(d.problem()).status, Status::invalid);
  EXPECT_NE(std::string(solver.solution().reason).find("semidefinite"), std::string::npos);
  d.H << 1, 0.5, -0.5, 1;
  d.g << 1, 1;
  EXPECT_EQ(solver.solve(d.problem()).status, Status::invalid);
  EXPECT_NE(std::string(solver.solution().reason).find("symmetric"), std::string::npos) << solver.solution().reason;
}

// The objective is unbounded below: the solver reports that, within its iterations.
TEST(QpErrors, Unbounded) {
  auto d = unconstrained(Matrix::Zero(3, 3), VectorXd::Ones(3));
  Solver solver(d.sizes());
  EXPECT_EQ(solver.solve(d.problem()).status, Status::limit);
}

TEST(QpErrors, Limit) {
  Random r(2);
  Data d = random_problem(r, {}, 40);
  Solver solver(d.sizes());
  solver.solve(d.problem());
  ASSERT_GT(solver.solution().iterations, 2);
  solver.forget();
  EXPECT_EQ(solver.solve(d.problem(), {.max_iterations = 1}).status, Status::limit);
  expect_optimal(d, solver.solve(d.problem()), "after the limit");
}

// Vertices at which many more rows meet than there are variables.
TEST(QpErrors, DegenerateVerticesDoNotCycle) {
  for (int trial = 0; trial < trials(100, 10'000); ++trial) {
    Random r{std::uint64_t(trial)};
    const int n = r.integer(2, 8), mi = 10 * n;
    Data d = unconstrained(Matrix::Identity(n, n), 10 * r.vector(n));
    d.C = r.matrix(mi, n);
    // Integers: ties and dependent rows abound.
    for (int i = 0; i < mi; ++i)
      for (int j = 0; j < n; ++j) d.C(i, j) = r.integer(-1, 1);
    d.l = VectorXd::Constant(mi, -1), d.u = VectorXd::Zero(mi), d.weight = VectorXd(0);
    Solver solver(d.sizes());
    expect_optimal(d, solver.solve(d.problem()), "vertex " + std::to_string(trial));
    EXPECT_FALSE(solver.solution().redone);
  }
}

}  // namespace
}  // namespace lissom::qp::test
