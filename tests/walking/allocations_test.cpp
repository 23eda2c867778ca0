// A tick of a walk allocates nothing: in steps, when pushed, when an invalid state is sensed.
#include "allocation_counter.h"
#include "lissom/api/postures.h"
#include "lissom/lissom.h"
#include "lissom/sim/simulated_robot.h"
#include "lissom/walking/walker.h"

namespace lissom::walking {
namespace {

using lissom::test::allocations;

TEST(WalkingAllocations, None) {
  if (!lissom::test::counting_allocations) GTEST_SKIP() << "the sanitizers have a heap of their own";
  const auto model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  Eigen::VectorXd q = read_posture(model, LISSOM_MODELS_DIR "/postures/humanoid.json#stand");
  Eigen::VectorXd v = Eigen::VectorXd::Zero(model.nv());
  const std::vector<Contact> feet = {{.frame = "left_sole"}, {.frame = "right_sole"}};
  Walker walker(model, q, feet, {.steps = 3, .speed = .3});
  sim::RobotOptions options;
  options.imperfections.pushes = {sim::push_at(model.frame("chest"), {0, 150, 0}, 1.4, 1.5),
                                  sim::push_at(model.frame("chest"), {400, 0, 0}, 4, 4.1)};
  const auto robot = sim::contact_robot(model, feet, q, v, options);
  long sum = 0;
  while (robot->time() < 5) {
    robot->sense(q, v);
    const long start = allocations;
    const auto& tick = walker.advance(q, v);
    sum += allocations - start;
    ASSERT_TRUE(robot->step(tick.torques)) << robot->failure();
  }
  EXPECT_EQ(walker.steps(), 3);
  EXPECT_GE(walker.capture_steps(), 1);
  v[0] = NAN;
  const long start = allocations;
  EXPECT_EQ(walker.advance(q, v).status, control::TickStatus::invalid);
  EXPECT_EQ(sum + allocations - start, 0);
}

}  // namespace
}  // namespace lissom::walking
