// Random problems of every kind, against the conditions of optimality and against another algorithm.
#include "edge_problems.h"
#include "interior_point.h"
#include "verdicts.h"

namespace lissom::qp::test {
namespace {

std::string words(const Kind& k, int trial) {
  return "problem " + std::to_string(trial) + (k.semidefinite ? ", semidefinite" : "") +
         (k.degenerate ? ", degenerate" : "") + (k.duplicates ? ", duplicates" : "") + (k.scaled ? ", scaled" : "") +
         (k.blocks ? ", blocks" : "");
}

// (More kinds, and contradictions, judged without a second solver: edge_test.cpp.)
TEST(QpRandom, OptimalAndAsTheInteriorPointMethodSays) {
  const int count = trials(2000, 1'000'000);
  int compared = 0;
  for (int trial = 0; trial < count && !::testing::Test::HasFailure(); ++trial) {
    Random r{std::uint64_t(trial)};
    const auto kind = random_kind(r);
    const auto d = random_problem(r, kind);
    Solver solver(d.sizes());
    const auto& s = solver.solve(d.problem());
    expect_optimal(d, s, words(kind, trial));
    const auto other = interior_point(inequality_form(d.problem()));
    if (!other.converged) continue;
    ++compared;
    EXPECT_NEAR(s.objective, double(other.objective), 1e-7 * (1 + std::abs(double(other.objective))))
        << words(kind, trial);
  }
  // Without an interior (rows that are met at one point only) the other one may fail.
  EXPECT_GT(compared, count * 0.7);
}

TEST(QpRandom, WarmIsCold) {
  for (int trial = 0; trial < trials(300, 30'000) && !::testing::Test::HasFailure(); ++trial) {
    Random r{std::uint64_t(trial)};
    const auto kind = random_kind(r);
    auto d = random_problem(r, kind);
    Solver warm(d.sizes()), cold(d.sizes());
    for (int step = 0; step < 10; ++step) {
      const auto& a = warm.solve(d.problem());
      const auto& b = cold.solve(d.problem(), {.warm = false});
      expect_optimal(d, a, words(kind, trial));
      expect_optimal(d, b, words(kind, trial));
      EXPECT_NEAR(a.objective, b.objective, (kind.semidefinite ? 1e-7 : 1e-9) * (1 + std::abs(b.objective)))
          << words(kind, trial);
      EXPECT_TRUE(kind.semidefinite || (a.x - b.x).norm() <= 1e-6 * (1 + b.x.norm())) << words(kind, trial);
      d.g += 0.1 * r.vector(int(d.g.size()));
    }
  }
}

// One solver for problems of all sizes, in turn: nothing of one is left in the next.
TEST(QpRandom, SizesInTurn) {
  Solver solver({.variables = 40, .equalities = 20, .rows = 80});
  for (int trial = 0; trial < trials(500, 50'000) && !::testing::Test::HasFailure(); ++trial) {
    Random r{std::uint64_t(trial) + 5};
    const auto kind = random_kind(r);
    const auto d = random_problem(r, kind, 40);
    Solver fresh(d.sizes());
    const auto& a = solver.solve(d.problem());
    const auto& b = fresh.solve(d.problem());
    expect_optimal(d, a, words(kind, trial));
    EXPECT_NEAR(a.objective, b.objective, (kind.semidefinite ? 1e-7 : 1e-9) * (1 + std::abs(b.objective)))
        << words(kind, trial);
    if (trial % 3) continue;
    const auto contradictory = infeasible_problem(r, kind);
    EXPECT_EQ(not_elastic(contradictory, solver.solve(contradictory.problem())), "") << words(kind, trial);
  }
}

TEST(QpRandom, LargeOnes) {
  for (int trial = 0; trial < trials(20, 2000) && !::testing::Test::HasFailure(); ++trial) {
    Random r{std::uint64_t(trial) + 77};
    const auto kind = random_kind(r);
    const auto d = random_problem(r, kind, 120);
    Solver solver(d.sizes());
    expect_optimal(d, solver.solve(d.problem()), words(kind, trial));
    EXPECT_LE(solver.solution().iterations, 10 * (d.g.size() + d.l.size() + d.b.size()) + 100);
  }
}

}  // namespace
}  // namespace lissom::qp::test
