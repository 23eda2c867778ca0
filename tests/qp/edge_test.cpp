// Problems on the very edge of feasibility are solved; and past it, the relaxation is the smallest.
#include "edge_problems.h"
#include "largest.h"
#include "verdicts.h"

namespace lissom::qp::test {
namespace {

using lissom::test::larger;

std::string judged(const Any& any, const Solution& s) {
  if (any.truth == Any::feasible) return not_optimal(any.data, s);
  if (any.truth == Any::infeasible || s.status == Status::elastic) return not_elastic(any.data, s);
  return not_optimal(any.data, s);
}

// Found in use: a foot tilted onto its edge, of which only two points may carry, was told that it cannot be.
TEST(QpEdge, FootOnItsEdge) {
  const double N = 75.0837, scale = 0.00115948 * N;
  Random r(1);
  Solver warm({.variables = 13, .equalities = 6, .rows = 32});
  for (int trial = 0; trial < trials(1000, 100'000) && !::testing::Test::HasFailure(); ++trial) {
    std::vector<double> corner;
    for (int i = 0; i < 4; ++i) corner.push_back(i > 0 && trial % 3 == 0 ? corner[0] : r.between(0, 7));
    // The edge, or what rounding makes of it.
    const double edge = 0.065 * (1 + r.integer(-2, 2) * 1.1e-16);
    const auto d = friction_problem(foot(), {0.0012709, edge, 0.0396645 / scale, -0.0220303 / scale, 0.00462663 / scale,
                                             r.between(0.56, 0.7), corner});
    Solver cold(d.sizes());
    EXPECT_EQ(not_optimal(d, warm.solve(d.problem())), "") << trial;
    EXPECT_EQ(not_optimal(d, cold.solve(d.problem())), "") << trial;
    EXPECT_NEAR(warm.solution().objective, cold.solution().objective, 1e-6) << trial;
  }
}

TEST(QpEdge, FamiliesOnTheEdge) {
  for (int trial = 0; trial < trials(3000, 100'000) && !::testing::Test::HasFailure(); ++trial) {
    Random r{std::uint64_t(trial)};
    const Data problems[] = {friction_on_the_edge(r), single_point(r), mixture(r)};
    for (const auto& d : problems) {
      Solver solver(d.sizes());
      EXPECT_EQ(not_optimal(d, solver.solve(d.problem())), "") << trial << " of " << d.g.size() << " variables";
    }
  }
}

// A little outside: solved as long as the tolerances allow, and elastic from there on; nothing in between.
TEST(QpEdge, AcrossTheEdge) {
  for (const double out : {1e-15, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-4, 1e-2, 1.0})
    for (int trial = 0; trial < trials(200, 10'000) && !::testing::Test::HasFailure(); ++trial) {
      Random r{std::uint64_t(trial)};
      const Any any{friction_on_the_edge(r, out), "friction",
                    out < 1e-9   ? Any::feasible
                    : out > 1e-3 ? Any::infeasible
                                 : Any::unknown};
      Solver solver(any.data.sizes());
      EXPECT_EQ(judged(any, solver.solve(any.data.problem())), "") << trial << ", " << out;
    }
}

// All kinds of problems: none wrong, none unfinished, none that takes long. Judged by their answers (verdicts.h): the
// second solver of random_test.cpp is slow, and has no verdict where there is no interior.
TEST(QpEdge, AMillion) {
  const int count = trials(20'000, 1'000'000);
  int most = 0, elastic = 0, wrong = 0;
  for (int trial = 0; trial < count && wrong < 20; ++trial) {
    Random r{std::uint64_t(trial) * 7 + 3};
    const auto any = any_problem(r);
    Solver solver(any.data.sizes());
    const auto& s = solver.solve(any.data.problem());
    const auto why = judged(any, s);
    most = larger(most, s.iterations), elastic += s.status == Status::elastic, wrong += !why.empty();
    EXPECT_EQ(why, "") << trial << ", " << any.name << ", x " << s.x.norm();
  }
  EXPECT_GT(elastic, count / 8);
  EXPECT_LT(most, 1000);
  RecordProperty("elastic", elastic);
  RecordProperty("max_iterations", most);
}

}  // namespace
}  // namespace lissom::qp::test
