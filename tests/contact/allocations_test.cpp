// solve() never goes to the heap.
#include "allocation_counter.h"
#include "contact_test_support.h"
#include "lissom/contact/fixed_sweeps.h"

namespace lissom::contact::test {
namespace {

TEST(ContactAllocations, None) {
  if (!lissom::test::counting_allocations) GTEST_SKIP() << "allocations cannot be counted in this build";
  ProblemBuffer<double> buffer(64, 32);
  Solver solver(64, 32);
  FixedSweeps<double> fixed(64, 32);
  for (int trial = 0; trial < 100; ++trial) {
    WalkingMachine machine(std::uint64_t(trial), trial % 13, trial % 3);
    auto data = machine.next(0.002);
    if (trial % 7 == 0 && data.rows() > 0) data.b[0] = std::nan("");
    VectorXd p = VectorXd::Zero(data.rows()), u = p, q = p;
    const long before = lissom::test::allocations;
    buffer.clear();
    for (const auto& block : data.blocks) buffer.add(block);
    for (int i = 0; i < data.rows(); ++i) {
      buffer.b(i) = data.b[i];
      for (int j = 0; j < data.rows(); ++j) buffer.G(i, j) = data.G(i, j);
    }
    for (int i = 0; i < 2; ++i) solver.solve(buffer.problem(), p.data(), u.data());
    fixed.solve(buffer.problem(), 8, q.data(), u.data(), 1e6);
    EXPECT_EQ(lissom::test::allocations - before, 0) << trial;
  }
}

}  // namespace
}  // namespace lissom::contact::test
