// Infeasible problems and soft rows.
#include "edge_problems.h"
#include "interior_point.h"
#include "verdicts.h"

namespace lissom::qp::test {
namespace {

using Eigen::VectorXd;

VectorXd one(double x) {
  return VectorXd::Constant(1, x);
}

// x = 1 and x = 3, the second row twice as long: both are missed by as much in proportion.
TEST(QpElastic, TwoEqualities) {
  auto d = unconstrained(Matrix::Identity(1, 1), one(0));
  d.A.resize(2, 1), d.A << 1, 2;
  d.b.resize(2), d.b << 1, 6;
  Solver solver(d.sizes());
  const auto& s = solver.solve(d.problem());
  ASSERT_EQ(s.status, Status::elastic);
  EXPECT_NEAR(s.x[0], 2, 1e-6);
  ASSERT_EQ(s.conflicts.size(), 2U);
  EXPECT_NEAR(s.conflicts[0].amount / (s.conflicts[0].index == 0 ? 1 : -2), 1, 1e-6);
}

TEST(QpElastic, BoundsThatHaveCrossed) {
  auto d = unconstrained(Matrix::Identity(2, 2), VectorXd::Zero(2));
  d.C = Matrix::Ones(1, 2), d.l = one(4), d.u = one(2);
  Solver solver(d.sizes());
  const auto& s = solver.solve(d.problem());
  ASSERT_EQ(s.status, Status::elastic);
  EXPECT_NEAR(s.x.sum(), 3, 1e-9);
  ASSERT_EQ(s.conflicts.size(), 1U);
  EXPECT_EQ(s.conflicts[0].part, Part::row);
  EXPECT_NEAR(s.conflicts[0].amount, -1, 1e-9);
}

TEST(QpElastic, OnlySaysSoWhereAsked) {
  auto d = unconstrained(Matrix::Identity(1, 1), one(0));
  d.lx = one(2), d.ux = one(3);
  d.C = Matrix::Ones(1, 1), d.l = one(-1), d.u = one(1);
  Solver solver(d.sizes());
  EXPECT_EQ(solver.solve(d.problem(), {.elastic = false}).status, Status::infeasible);
  EXPECT_FALSE(solver.solution().conflicts.empty());
  EXPECT_EQ(solver.solve(d.problem()).status, Status::elastic);
  EXPECT_NEAR(solver.solution().x[0], 1.5, 1e-6);
}

TEST(QpElastic, NamesConflicts) {
  auto d = unconstrained(Matrix::Identity(1, 1), one(0));
  d.lx = one(2), d.ux = one(3);
  d.C = Matrix::Ones(1, 1), d.l = one(-1), d.u = one(1);
  Solver solver(d.sizes());
  solver.solve(d.problem());
  const auto text = describe(solver.solution(), {.rows = {"torque left_knee"}, .row_units = {"N m"}});
  EXPECT_NE(text.find("row 'torque left_knee': 0.5 N m above its upper bound"), std::string::npos) << text;
  EXPECT_NE(text.find("variable 0: 0.5 below its lower bound"), std::string::npos) << text;
}

// The smallest relaxation, written out as a problem of its own in (x, v): min ½ Σ (v / |n|)². Negative where the second
// solver fails.
double smallest_relaxation(const Data& d) {
  const int n = int(d.g.size()), me = int(d.b.size()), mi = int(d.l.size()), m = me + mi + n;
  Data r = unconstrained(Matrix::Zero(n + m, n + m), VectorXd::Zero(n + m));
  r.A = Matrix::Zero(me, n + m), r.C = Matrix::Zero(mi + n, n + m);
  r.A.leftCols(n) = d.A, r.C.topLeftCorner(mi, n) = d.C, r.C.bottomLeftCorner(n, n).setIdentity();
  r.b = d.b;
  r.l.resize(mi + n), r.u.resize(mi + n);
  r.l << d.l, d.lx;
  r.u << d.u, d.ux;
  for (int i = 0; i < m; ++i) {
    const double length = i < me ? d.A.row(i).norm() : i < me + mi ? d.C.row(i - me).norm() : 1;
    r.H(n + i, n + i) = 1 / (length * length);
    (i < me ? r.A(i, n + i) : r.C(i - me, n + i)) = 1;
  }
  r.H.topLeftCorner(n, n).diagonal().setConstant(1e-12);
  r.weight = VectorXd(0);
  const auto found = interior_point(inequality_form(r.problem()));
  return found.converged ? std::sqrt(double(2 * found.objective)) : -1;
}

double relaxation(const Data& d, const Solution& s) {
  double sum = 0;
  for (const auto& c : s.conflicts) {
    const double length = c.part == Part::equality ? d.A.row(c.index).norm()
                          : c.part == Part::row    ? d.C.row(c.index).norm()
                                                   : 1;
    sum += c.amount * c.amount / length / length;
  }
  return std::sqrt(sum);
}

TEST(QpElastic, RelaxationIsTheSmallest) {
  const int count = trials(200, 20'000);
  int compared = 0;
  for (int trial = 0; trial < count && !::testing::Test::HasFailure(); ++trial) {
    Random r{std::uint64_t(trial)};
    auto kind = random_kind(r);
    const auto d = infeasible_problem(r, kind);
    Solver solver(d.sizes());
    const auto& s = solver.solve(d.problem());
    ASSERT_EQ(s.status, Status::elastic) << trial << ": " << s.reason;
    EXPECT_EQ(not_elastic(d, s), "") << trial;
    const double least = smallest_relaxation(d), ours = relaxation(d, s);
    compared += least >= 0;
    EXPECT_TRUE(least < 0 || std::abs(ours - least) <= 1e-5 * least + 1e-6) << trial << ": " << ours << ", " << least;
    for (std::size_t i = 1; i < s.conflicts.size(); ++i) EXPECT_NE(s.conflicts[i].amount, 0);
  }
  EXPECT_GT(compared, count * 0.9);
}

TEST(QpElastic, NeighborsOfInfeasibleProblemsAreRight) {
  // The same solver on problems that can and cannot be solved, in turn: nothing of one is left in the next.
  Random r(3);
  const auto kind = Kind{};
  auto a = infeasible_problem(r, kind), b = a;
  const auto rows = b.l.size();
  b.l[rows - 1] = b.l[rows - 2] = -unbounded;
  Solver solver(a.sizes()), fresh(a.sizes());
  const VectorXd expected = fresh.solve(b.problem()).x;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(solver.solve(a.problem()).status, Status::elastic);
    expect_optimal(b, solver.solve(b.problem()), "feasible neighbor");
    EXPECT_LE((solver.solution().x - expected).norm(), 1e-9 * (1 + expected.norm()));
  }
}

// A problem that cannot be met is answered with the same bits whatever was solved before, unless an answer took more
// than one attempt.
TEST(QpElastic, AnswersDoNotDependOnProblemsBefore) {
  int compared = 0;
  for (int trial = 0; trial < trials(200, 20'000) && !::testing::Test::HasFailure(); ++trial) {
    Random r{std::uint64_t(trial) + 11};
    Data d = infeasible_problem(r, random_kind(r));
    const auto rows = d.l.size();
    const double second = d.l[rows - 1];
    Solver used(d.sizes());
    for (int step = 0; step < 6; ++step) {
      d.g += 0.1 * r.vector(int(d.g.size()));
      // Feasible now and then; or bounds have crossed.
      d.l[rows - 1] = step % 3 == 0 ? -unbounded : second;
      d.u[rows - 2] = step == 4 ? d.l[rows - 2] - 1 : unbounded;
      Solver fresh(d.sizes());
      const auto &a = used.solve(d.problem()), &b = fresh.solve(d.problem());
      ASSERT_EQ(a.status == Status::elastic, b.status == Status::elastic) << trial;
      if (b.status != Status::elastic || a.redone || b.redone) continue;
      ++compared;
      EXPECT_EQ(a.x, b.x) << trial << ", " << step;
      EXPECT_EQ(a.row_multipliers, b.row_multipliers) << trial << ", " << step;
      EXPECT_EQ(a.bound_multipliers, b.bound_multipliers) << trial << ", " << step;
      EXPECT_EQ(a.conflicts.size(), b.conflicts.size()) << trial << ", " << step;
    }
  }
  EXPECT_GT(compared, trials(600, 60'000));
}

// A soft row is equivalent to a row with a slack variable and a quadratic cost.
TEST(QpElastic, SoftRowsAreSlacks) {
  for (int trial = 0; trial < trials(300, 30'000) && !::testing::Test::HasFailure(); ++trial) {
    Random r{std::uint64_t(trial)};
    auto kind = random_kind(r);
    kind.semidefinite = false;
    auto d = random_problem(r, kind, 8);
    const int n = int(d.g.size()), mi = int(d.l.size());
    d.weight.resize(mi);
    for (auto& w : d.weight) w = r.chance(0.5) ? 0 : std::pow(10, r.between(-3, 6));
    Data e = unconstrained(Matrix::Zero(n + mi, n + mi), VectorXd::Zero(n + mi));
    e.H.topLeftCorner(n, n) = d.H, e.g.head(n) = d.g;
    e.A = Matrix::Zero(d.A.rows(), n + mi), e.A.leftCols(n) = d.A, e.b = d.b;
    e.C = Matrix::Zero(mi, n + mi), e.C.leftCols(n) = d.C, e.l = d.l, e.u = d.u;
    e.lx.head(n) = d.lx, e.ux.head(n) = d.ux;
    for (int i = 0; i < mi; ++i) {
      e.H(n + i, n + i) = d.weight[i] > 0 ? d.weight[i] : 1;
      if (d.weight[i] > 0) e.C(i, n + i) = 1;
    }
    Solver soft(d.sizes()), slack(e.sizes());
    const auto& s = soft.solve(d.problem());
    const auto& t = slack.solve(e.problem());
    expect_optimal(d, s, "soft " + std::to_string(trial));
    expect_optimal(e, t, "slacks " + std::to_string(trial));
    EXPECT_LE((s.x - t.x.head(n)).norm(), 1e-6 * (1 + s.x.norm())) << trial;
  }
}

}  // namespace
}  // namespace lissom::qp::test
