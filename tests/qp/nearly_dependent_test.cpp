// Rows that nearly depend on each other: contacts given point by point, equalities given twice, bounds in other units.
#include <algorithm>

#include "families.h"
#include "verdicts.h"

namespace lissom::qp::test {
namespace {

using Eigen::VectorXd;

Matrix rotation(Random& r, int n) {
  return Eigen::HouseholderQR<Eigen::MatrixXd>(r.matrix(n, n)).householderQ();
}

// A = (e1; e1 + d (√(1 - s²) e2 + s e3); e2; e3) has rank 3. If the second row enters before the others, its rounding
// errors, divided by d, decide whether the fourth one is independent.
TEST(QpNearlyDependent, TheOrderOfEqualitiesDoesNotMatter) {
  for (const double d : {1e-9, 1.1e-7, 2e-7, 1e-6, 1e-5, 1e-4})
    for (const double s : {1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5})
      for (int trial = 0; trial < trials(5, 300) && !::testing::Test::HasFailure(); ++trial) {
        Random r{std::uint64_t(trial)};
        const Matrix e = rotation(r, 4);
        Data data = unconstrained(Matrix::Identity(4, 4), r.vector(4));
        data.A.resize(4, 4);
        data.A << e.row(0), e.row(0) + d * (std::sqrt(1 - s * s) * e.row(1) + s * e.row(2)), e.row(1), e.row(2);
        const VectorXd inside = r.vector(4);
        data.b = data.A * inside;
        Solver solver(data.sizes());
        const auto& answer = solver.solve(data.problem());
        const std::string what = "d " + std::to_string(d) + " s " + std::to_string(s);
        ASSERT_EQ(answer.status, Status::optimal) << what << answer.reason;
        // Three components are given; the fourth one is where the gradient vanishes.
        const VectorXd best = inside - e.row(3).dot(inside + data.g) * e.row(3).transpose();
        EXPECT_LE((answer.x - best).norm(), 1e-6) << what;
      }
}

// The second row gives x·e1, of which it has 4e-9. If the first one, given twice, agrees with itself, that counts; if
// it disagrees by more than a tenth of what the second row says, then x·e1 counts as unknown, and the optimum is where
// it costs least.
TEST(QpNearlyDependent, NothingIsReadOutOfDisagreement) {
  const double part = 4e-9;
  for (const double disagreement : {0.0, 1e-13, 3e-11, 1e-10, 1e-9, 2e-9})
    for (int trial = 0; trial < trials(50, 3000) && !::testing::Test::HasFailure(); ++trial) {
      Random r{std::uint64_t(trial)};
      const Matrix e = rotation(r, 4);
      Data data = unconstrained(Matrix::Identity(4, 4), r.vector(4));
      const double free = -e.row(1).dot(data.g), given = free + r.between(0.5, 1);
      Matrix A(4, 4);
      A << e.row(0), e.row(0) + part * e.row(1), e.row(0) + 1e-3 * e.row(2), e.row(0);
      VectorXd b(4);
      b << 1, 1 + part * given, 1 + 1e-3 * (1 - e.row(2).dot(data.g)), 1 + disagreement;
      std::vector<int> order{0, 1, 2, 3};
      std::shuffle(order.begin(), order.end(), r.engine);
      data.A = A(order, Eigen::all), data.b = b(order);
      Solver solver(data.sizes());
      const auto& answer = solver.solve(data.problem());
      ASSERT_EQ(answer.status, Status::optimal) << answer.reason;
      EXPECT_NEAR(e.row(0).dot(answer.x), 1, 1e-8);
      const bool counts = disagreement < 5e-10;
      EXPECT_NEAR(e.row(1).dot(answer.x), counts ? given : free, 1e-4 + (counts ? disagreement / part : 0))
          << disagreement;
    }
}

TEST(QpNearlyDependent, RigidFeetPointByPoint) {
  for (int trial = 0; trial < trials(300, 100'000) && !::testing::Test::HasFailure(); ++trial) {
    Random r{std::uint64_t(trial) + 31};
    const Data d = rigid_feet(r, trial);
    Solver solver(d.sizes());
    EXPECT_EQ(not_optimal(d, solver.solve(d.problem())), "") << trial;
  }
}

// Equalities, rows and both once more, with errors of 0 … 1e-6 in their elements.
TEST(QpNearlyDependent, RowsOnceMore) {
  const int count = trials(600, 100'000);
  for (int trial = 0; trial < count && !::testing::Test::HasFailure(); ++trial) {
    Random r{std::uint64_t(trial) + 77};
    const double error = trial % 10 ? std::pow(10, -5 - trial % 10) : 0;
    const int n = r.integer(3, 40), me = r.integer(1, std::max(1, n / 2)), mi = r.integer(1, n);
    Data d = unconstrained(random_hessian(r, {}, n), r.vector(n));
    const VectorXd inside = r.vector(n);
    const Matrix A = r.matrix(me, n), C = r.matrix(mi, n);
    const bool more_equalities = trial % 3 != 0, equalities_as_rows = trial % 3 == 0;
    d.A.resize(more_equalities ? 2 * me : me, n), d.C.resize(equalities_as_rows ? 2 * mi + me : 2 * mi, n);
    d.A.topRows(me) = A, d.C.topRows(mi) = C, d.C.middleRows(mi, mi) = C + error * r.matrix(mi, n);
    if (more_equalities) d.A.bottomRows(me) = r.matrix(me, me) * A + error * r.matrix(me, n);
    if (equalities_as_rows) d.C.bottomRows(me) = A + error * r.matrix(me, n);
    d.b = d.A * inside;
    const VectorXd values = d.C * inside;
    d.l.resize(values.size()), d.u.resize(values.size());
    for (int i = 0; i < values.size(); ++i) bound_at_random(r, {.degenerate = true}, values[i], d.l[i], d.u[i]);
    Solver solver(d.sizes());
    EXPECT_EQ(not_optimal(d, solver.solve(d.problem())), "") << trial;
  }
}

// Millimeters instead of meters, and so on, for each variable: the same solution in other units.
TEST(QpNearlyDependent, UnitsOfVariables) {
  for (int trial = 0; trial < trials(300, 30'000) && !::testing::Test::HasFailure(); ++trial) {
    Random r{std::uint64_t(trial) + 5};
    const Data d = random_problem(r, {.degenerate = r.chance(0.3)}, 30);
    Data other = d;
    const auto n = int(d.g.size());
    VectorXd unit(n);
    for (auto& u : unit) u = std::pow(10, r.between(-3, 3));
    const auto scale = unit.asDiagonal();
    other.H = scale * d.H * scale, other.g = scale * d.g, other.A = d.A * scale, other.C = d.C * scale;
    for (int i = 0; i < n; ++i) {
      if (d.lx[i] > -unbounded) other.lx[i] = d.lx[i] / unit[i];
      if (d.ux[i] < unbounded) other.ux[i] = d.ux[i] / unit[i];
    }
    Solver a(d.sizes()), b(d.sizes());
    const auto &x = a.solve(d.problem()), &y = b.solve(other.problem());
    ASSERT_EQ(x.status, Status::optimal) << trial;
    ASSERT_EQ(y.status, Status::optimal) << trial << y.reason;
    EXPECT_NEAR(x.objective, y.objective, 1e-6 * (1 + std::abs(x.objective))) << trial;
  }
}

}  // namespace
}  // namespace lissom::qp::test
