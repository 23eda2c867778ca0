// Ticks whose constraints contradict each other: how much work they may take, and what they give.
#include "control_test_support.h"
#include "largest.h"

namespace lissom::control::test::elastic_ticks {
namespace {

using lissom::test::larger;

// On hands and feet, with the tasks of a motion.
void add_all(WholeBody& controller, const VectorXd& q) {
  controller.add(CenterOfMassTask{.target = {0, 0, .8}, .weight = 100});
  controller.add(PostureTask{.target = q, .weight = .2});
  controller.add(FrameTask{.frame = "pelvis", .linear = {0, 0, 0}, .weight = 5});
  for (const char* sole : {"left_sole", "right_sole", "left_palm", "right_palm"})
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
  int elastic = 0, unsolved = 0, most = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const auto s = random_state(model, posture, random, .5, random.uniform(.1, 20));
    const VectorXd before = controller.tick().torques;
    const auto& tick = controller.solve(s.q, s.v);
    elastic += tick.status == TickStatus::elastic;
    if (tick.status != TickStatus::optimal && tick.status != TickStatus::elastic) {
      ++unsolved;
      EXPECT_EQ(tick.status, TickStatus::limit) << seed;
      EXPECT_STRNE(tick.reason, "");
      EXPECT_EQ(tick.torques, before) << seed;
    }
    most = larger(most, tick.iterations);
    expect_usable(controller);
  }
  EXPECT_GE(elastic, 200);
  EXPECT_LE(unsolved, 10);  // where the bound ends the search, the torques stay
  EXPECT_LE(most, max_tick_iterations);
  RecordProperty("unsolved", unsolved);
  RecordProperty("most_iterations", most);
}

}  // namespace
}  // namespace lissom::control::test::elastic_ticks
