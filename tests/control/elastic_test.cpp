// Ticks whose constraints contradict each other: how much work they may take, and what they give.
#include "control_test_support.h"

namespace lissom::control::test::elastic_ticks {
namespace {

// On both feet, with the tasks of a motion.
void add_all(WholeBody& controller, const VectorXd& q) {
  controller.add(CenterOfMassTask{.target = {0, 0, .8}, .weight = 100});
  controller.add(PostureTask{.target = q, .weight = .2});
  controller.add(FrameTask{.frame = "pelvis", .linear = {0, 0, 0}, .weight = 5});
  for (const char* sole : {"left_sole", "right_sole"})
    controller.add(Contact{.frame = sole}, {.friction = .8, .support = .75, .min_normal_force = 30});
}

// Within the limits of the motors, zero where there is none.
void expect_usable(const WholeBody& controller) {
  const auto& model = controller.model();
  const auto& tau = controller.tick().torques;
  ASSERT_TRUE(tau.allFinite());
  for (int i = 0; i < model.nv(); ++i)
    EXPECT_LE(std::abs(tau[i]), i < 6 ? 0 : model.effort_limit()[std::size_t(i)] * (1 + 1e-12));
}

// A robot that is thrown about: in every tick its velocities are others, and the constraints contradict each other in
// another way, or do not.
TEST(ElasticTicks, TakeABoundedNumberOfIterations) {
  const auto model = robot("humanoid.urdf");
  const auto posture = crouched_humanoid(model);
  WholeBody controller(model);
  add_all(controller, posture);
  int elastic = 0, most = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const auto s = random_state(model, posture, random, .5, random.uniform(.1, 12));
    const auto& tick = controller.solve(s.q, s.v);
    ASSERT_TRUE(tick.status == TickStatus::optimal || tick.status == TickStatus::elastic) << seed << tick.reason;
    elastic += tick.status == TickStatus::elastic;
    most = std::max(most, tick.iterations);
    expect_usable(controller);
  }
  EXPECT_GE(elastic, 200);
  EXPECT_GE(most, 100);
  EXPECT_LE(most, max_tick_iterations);
  RecordProperty("most_iterations", most);
}

}  // namespace
}  // namespace lissom::control::test::elastic_ticks
