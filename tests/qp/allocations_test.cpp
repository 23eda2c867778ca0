// solve() never goes to the heap, whatever the problem turns out to be.
#include "allocation_counter.h"
#include "qp_test_support.h"

namespace lissom::qp::test {
namespace {

TEST(QpAllocations, None) {
  if (!lissom::test::counting_allocations) GTEST_SKIP() << "allocations cannot be counted in this build";
  for (int trial = 0; trial < 200; ++trial) {
    Random r{std::uint64_t(trial)};
    const auto kind = random_kind(r);
    auto d = random_problem(r, kind);
    if (trial % 4 == 0 && d.l.size() > 1) d.C.row(0) = d.C.row(1), d.l[0] = d.u[0] = d.l[1] - 10;  // no solution
    if (trial % 7 == 0) d.g[0] = std::nan("");
    Solver solver(d.sizes());
    const auto p = d.problem();
    const long before = lissom::test::allocations;
    for (int i = 0; i < 3; ++i) solver.solve(p);
    EXPECT_EQ(lissom::test::allocations - before, 0) << trial << ", " << to_string(solver.solution().status);
  }
}

}  // namespace
}  // namespace lissom::qp::test
