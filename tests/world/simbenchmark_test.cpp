// The problems of SimBenchmark, whose motion is known, the grip and the stack, for a shorter time than lissom bench
// --contacts takes.
#include <gtest/gtest.h>

#include "lissom/benchmarks/contact_worlds.h"

namespace lissom::test {
namespace {

TEST(SimBenchmark, Rolling) {
  const auto outcome = benchmarks::rolling(.5);
  EXPECT_LT(outcome.error, 1e-20);
  EXPECT_NEAR(outcome.scale, .5 * .7385, 1e-4);  // m/s
  EXPECT_EQ(outcome.unsolved, 0);
  EXPECT_EQ(outcome.steps, 500);
}

TEST(SimBenchmark, Bouncing) {
  const auto outcome = benchmarks::bouncing(5);
  EXPECT_LT(outcome.error, 1e-15);
  EXPECT_GT(outcome.scale, 1e4);
}

TEST(SimBenchmark, Heap) {
  const auto outcome = benchmarks::heap(1.5);
  EXPECT_LT(outcome.error, 1e-12);
  EXPECT_GT(outcome.scale, 10);
}

TEST(SimBenchmark, ElasticHeap) {
  const auto outcome = benchmarks::elastic_heap(1.2);
  EXPECT_LT(outcome.error, 1e-12);
  EXPECT_GT(outcome.scale, 1e4);
}

TEST(SimBenchmark, ThrownQuadrupedKeepsItsEnergy) {
  const auto outcome = benchmarks::quadruped_energy(1.5);
  EXPECT_LT(outcome.error, 1e-17);
  EXPECT_GT(outcome.scale, 1);  // J: it tumbles
}

TEST(SimBenchmark, BallMeetsQuadruped) {
  const auto outcome = benchmarks::momentum(1);
  EXPECT_LT(outcome.error, 1e-24);
  EXPECT_GT(outcome.scale, 10);  // N s
}

TEST(SimBenchmark, DerivativesOfAStandingHumanoid) {
  const auto outcome = benchmarks::step_derivatives(.05);
  EXPECT_LT(outcome.error, 1e-4);
  EXPECT_EQ(outcome.scale, 8);  // contacts
  EXPECT_EQ(outcome.unsolved, 0);
}

TEST(SimBenchmark, GripDoesNotCreep) {
  const auto outcome = benchmarks::grip(1);
  EXPECT_LT(outcome.error, 1e-3);  // µm/s
  EXPECT_NEAR(outcome.scale, 1, 1e-6);
}

TEST(SimBenchmark, StackOfLightAndHeavyCubesStands) {
  const auto outcome = benchmarks::stack(1);
  EXPECT_LT(outcome.error, 1e-6);  // m
  EXPECT_NEAR(outcome.scale, 1, 1e-6);
  EXPECT_EQ(outcome.unsolved, 0);
}

TEST(SimBenchmark, AfterStepIsCalledAndMayEndARun) {
  int calls = 0;
  struct Enough {};
  EXPECT_THROW(benchmarks::bouncing(1,
                                    [&] {
                                      if (++calls == 7) throw Enough{};
                                    }),
               Enough);
  EXPECT_EQ(calls, 7);
}

}  // namespace
}  // namespace lissom::test
