// No step of any integrator allocates, also with controllers, pushes, springs and closed loops.
#include "allocation_counter.h"
#include "sim_test_support.h"

namespace lissom::sim::test {
namespace {

void expect_none(System& system, State x, const std::string& what) {
  for (const auto& info : integrators()) {
    auto method = integrator(system.model(), info.name);
    for (int i = 0; i < 3; ++i) method->step(system, x, 1e-3);
    const long before = lissom::test::allocations;
    for (int i = 0; i < 10; ++i) method->step(system, x, 1e-3);
    EXPECT_EQ(lissom::test::allocations - before, 0) << what << ", " << info.name;
  }
}

TEST(StepAllocations, NoneForATree) {
  if (!lissom::test::counting_allocations) GTEST_SKIP() << "allocations cannot be counted in this build";
  System system(free_robot("humanoid.urdf"));
  const auto& model = system.model();
  const FrameId trunk = model.frame(model.links().front().name);
  system.control(pd(model, hold(neutral(model)), {}, true));
  system.add(Push{{trunk, {0, 0, 10}, {0, 0, 0}, {trunk, {0, 0, 0}}, world_frame}});
  system.add(Spring{"tether", {world_frame}, {trunk}, 10, 1, 0.1});
  expect_none(system, moving(model), "humanoid");
}

TEST(StepAllocations, NoneForClosedLoops) {
  if (!lissom::test::counting_allocations) GTEST_SKIP() << "allocations cannot be counted in this build";
  const auto model = load(model_file("iftomm/a04_bricard.urdf"), {.loops_file = model_file("iftomm/a04_bricard.json")});
  System system(model);
  expect_none(system, at_rest(model), "Bricard's mechanism");
}

TEST(StepAllocations, NoneNearASingularPose) {
  if (!lissom::test::counting_allocations) GTEST_SKIP() << "allocations cannot be counted in this build";
  const auto model =
      load(model_file("iftomm/a02_four_bars_2.urdf"), {.loops_file = model_file("iftomm/a02_four_bars_2.json")});
  System system(model);
  State x = at_rest(model);
  for (const auto& joint : model.joints()) x.q[joint.q_index] = joint.name.starts_with("coupler") ? -0.02 : 0.02;
  expect_none(system, x, "two four-bars, almost flat");
}

}  // namespace
}  // namespace lissom::sim::test
