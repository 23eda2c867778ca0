// Imperfections that the controller does not know, and commands that no simulator can use.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "box.h"
#include "largest.h"
#include "lissom/api/dynamics.h"
#include "lissom/model/limits.h"

namespace lissom::test {
namespace {

using sim::Imperfections;
using sim::RobotOptions;

std::unique_ptr<sim::SimulatedRobot> box_on_the_ground(const Model& model, const Imperfections& imperfections) {
  return sim::contact_robot(model, {Contact{.frame = "sole"}}, box_at(model, 0), Eigen::VectorXd::Zero(6),
                            {.imperfections = imperfections});
}

TEST(Imperfections, MassesAreWrongBySeed) {
  const Model model = box();
  const auto normal = [&](double error, std::uint64_t seed) {
    const auto p = box_on_the_ground(model, {.mass_error = error, .seed = seed});
    EXPECT_TRUE(p->step(still(model))) << p->failure();
    return p->contacts()[0].normal / box_weight - 1;
  };
  double most = 0, mean = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const double x = normal(.1, seed);
    ASSERT_LE(std::abs(x), .1 + 1e-9);
    most = larger(most, std::abs(x));
    mean += x / 200;
  }
  EXPECT_GT(most, .09);
  EXPECT_LT(std::abs(mean), .02);
  EXPECT_EQ(normal(.1, 7), normal(.1, 7));
  EXPECT_NEAR(normal(0, 7), 0, 1e-9);
}

TEST(Imperfections, SensorsAreNoisyBySeed) {
  const Model model = box();
  const auto one = box_on_the_ground(model, {.position_noise = 1e-3, .velocity_noise = .02, .seed = 3}),
             two = box_on_the_ground(model, {.position_noise = 1e-3, .velocity_noise = .02, .seed = 3}),
             other = box_on_the_ground(model, {.position_noise = 1e-3, .velocity_noise = .02, .seed = 4});
  Eigen::VectorXd q, v, q2, v2, sum = Eigen::VectorXd::Zero(6), squares = sum, speeds = sum;
  for (int i = 0; i < 2000; ++i) {
    one->sense(q, v);
    two->sense(q2, v2);
    ASSERT_EQ(q, q2);
    ASSERT_EQ(v, v2);
    ASSERT_NEAR(q.segment<4>(3).norm(), 1, 1e-12);
    const Eigen::VectorXd off = difference(model, one->q(), q);
    sum += off / 2000;
    squares += off.cwiseAbs2() / 2000;
    speeds += v.cwiseAbs2() / 2000;
  }
  EXPECT_LT(largest(sum), 1e-4);
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(std::sqrt(squares[i]), 1e-3, 1e-4);
    EXPECT_NEAR(std::sqrt(speeds[i]), .02, .002);
  }
  other->sense(q2, v2);
  EXPECT_NE(q, q2);
  // The true state is unchanged.
  EXPECT_EQ(one->q(), box_at(model, 0));
}

TEST(Imperfections, TorquesComeLate) {
  const Model model = box();
  for (const int delay : {0, 1, 5}) {
    const auto p = box_on_the_ground(model, {.delay = delay});
    auto command = still(model);
    int until = 0;
    for (int i = 0; i < 20; ++i) {
      command.torques[2] = i >= 10 ? 2 * box_weight : 0;
      ASSERT_TRUE(p->step(command));
      if (p->v()[2] < .001) until = i;
    }
    EXPECT_EQ(until, 9 + delay);
  }
}

TEST(Imperfections, PushesActInTheirTime) {
  const Model model = box();
  const auto p = box_on_the_ground(model, {.pushes = {sim::push_at(model.frame("box"), {10, 0, 0}, .005, .008)}});
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(p->step(still(model)));
    ASSERT_NEAR(p->contacts()[0].force.x, i >= 5 && i < 8 ? -10 : 0, 1e-6) << i;
  }
}

TEST(Failures, SayWhat) {
  const Model model = box();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto p = box_on_the_ground(model, {});
  auto command = still(model);
  ASSERT_TRUE(p->step(command));
  command.torques[4] = nan;
  EXPECT_FALSE(p->step(command));
  EXPECT_EQ(p->failure(), "the torque of base is not finite at t = 0.001 s");
  EXPECT_FALSE(p->step(still(model)));
  EXPECT_TRUE(p->q().allFinite());

  const auto strong = box_on_the_ground(model, {});
  command.torques.setConstant(1e308);
  int steps = 0;
  while (steps < 10 && strong->step(command)) ++steps;
  EXPECT_NE(strong->failure(), "");
  EXPECT_TRUE(strong->q().allFinite());

  const auto follows = sim::prescribed_acceleration_robot(model, {}, box_at(model, 0), Eigen::VectorXd::Zero(6));
  command = still(model);
  command.accelerations[0] = nan;
  EXPECT_FALSE(follows->step(command));
  EXPECT_EQ(follows->failure(), "the acceleration of base is not finite at t = 0 s");
  const auto stops = sim::prescribed_acceleration_robot(model, {}, box_at(model, 0), Eigen::VectorXd::Zero(6));
  command = still(model);
  command.failure = "infeasible, no solution within the limits";
  EXPECT_FALSE(stops->step(command));
  EXPECT_EQ(stops->failure(), "the controller found no solution: infeasible, no solution within the limits at t = 0 s");
}

TEST(Failures, WhatMakesNoSenseIsRefused) {
  const Model model = box();
  const Eigen::VectorXd q = box_at(model, 0), v = Eigen::VectorXd::Zero(6);
  const auto refused = [&](const RobotOptions& options) {
    EXPECT_THROW(sim::contact_robot(model, {}, q, v, options), Error);
    EXPECT_THROW(sim::prescribed_acceleration_robot(model, {}, q, v, options), Error);
  };
  refused({.step = 0});
  refused({.substeps = 0});
  refused({.imperfections = {.mass_error = 1}});
  refused({.imperfections = {.delay = -1}});
  refused({.imperfections = {.delay = limits::delay_ticks + 1}});
  refused({.imperfections = {.position_noise = std::nan("")}});
  refused({.imperfections = {.pushes = {sim::push_at({99}, {0, 0, 0}, 0, 1)}}});
  EXPECT_THROW(sim::contact_robot(model, {Contact{.frame = "nowhere"}}, q, v), Error);
  EXPECT_THROW(sim::contact_robot(model, {}, q.head(3), v), Error);
  EXPECT_THROW(sim::contact_robot(model, {}, q, v.head(3)), Error);
  const auto p = sim::contact_robot(model, {}, q, v);
  EXPECT_THROW(p->step(sim::Command{}), Error);
}

}  // namespace
}  // namespace lissom::test
