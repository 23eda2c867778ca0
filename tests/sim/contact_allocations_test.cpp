// No tick of a robot with prescribed accelerations allocates. (One in a World does: its readings have names.)
#include <gtest/gtest.h>

#include "allocation_counter.h"
#include "box.h"

namespace lissom::test {
namespace {

long counted(sim::SimulatedRobot& p, const sim::Command& command, int ticks) {
  Eigen::VectorXd q = p.q(), v = p.v();
  const long before = allocations;
  for (int i = 0; i < ticks; ++i) {
    p.sense(q, v);
    EXPECT_TRUE(p.step(command));
  }
  return allocations - before;
}

TEST(ContactAllocations, None) {
  if (!counting_allocations) GTEST_SKIP() << "allocations cannot be counted in this build";
  const Model model = box();
  auto command = still(model);
  Eigen::VectorXd v = Eigen::VectorXd::Zero(6);
  const sim::RobotOptions options{.imperfections = {.mass_error = .1,
                                                    .delay = 2,
                                                    .position_noise = 1e-4,
                                                    .velocity_noise = 1e-4,
                                                    .pushes = {sim::push_at(model.frame("top"), {5, 0, 0}, .1, .4)}}};
  command.contacts.resize(1);
  command.contacts[0].active = true;
  command.contacts[0].force = {0, 0, box_weight};
  const auto follows =
      sim::prescribed_acceleration_robot(model, {Contact{.frame = "sole"}}, box_at(model, 0), v, options);
  EXPECT_EQ(counted(*follows, command, 500), 0);
}

}  // namespace
}  // namespace lissom::test
