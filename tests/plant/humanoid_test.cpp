// A humanoid under a whole-body controller, on both plants.
#include "humanoid.h"

#include <chrono>
#include <cmath>

#include <gtest/gtest.h>

namespace lissom::test {
namespace {

using plant::Options;
using plant::Plant;
using Make = std::unique_ptr<Plant> (*)(const Model&, std::vector<control::Contact>, const Eigen::VectorXd&,
                                        const Eigen::VectorXd&, const Options&);

struct Trace {
  std::vector<plant::TouchReading> left, right;
  Eigen::VectorXd q;
  double seconds = 0, largest_slip = 0;
  std::string failure;
};

// carry: how the centre of mass is led.
Trace stand(Make make, double seconds, const Options& options, double carry = 0) {
  const Model model = humanoid();
  Eigen::VectorXd q = posture(model, "stand"), v = Eigen::VectorXd::Zero(model.nv());
  Standing standing(model, q);
  const auto robot = make(model, soles(), q, v, options);
  Trace trace;
  std::chrono::nanoseconds spent{0};
  while (robot->time() < seconds - 1e-9) {
    robot->sense(q, v);
    standing.controller[standing.com].target =
        standing.start + carry * Vec3<double>(std::sin(3 * robot->time()), std::sin(4 * robot->time()), -1);
    const auto& tick = standing.controller.solve(q, v);
    const auto before = std::chrono::steady_clock::now();
    const bool good = robot->step(tick);
    spent += std::chrono::steady_clock::now() - before;
    if (!good) break;
    trace.left.push_back(robot->touches()[0]);
    trace.right.push_back(robot->touches()[1]);
    for (const auto& t : robot->touches()) trace.largest_slip = std::max(trace.largest_slip, t.slip);
  }
  trace.failure = robot->failure();
  trace.q = robot->q();
  trace.seconds = double(spent.count()) * 1e-9 / std::max<double>(1, double(trace.left.size()));
  return trace;
}

TEST(HumanoidPlant, StandsAndTakesAPush) {
  const Options options{
      .imperfections = {.pushes = {{.frame = "chest", .force = {60, 0, 0}, .from = .5, .until = .6}}}};
  const auto a = stand(plant::integrated, 2, options), b = stand(plant::held, 2, options);
  const double weight = humanoid().mass() * 9.81;
  for (const auto* t : {&a, &b}) {
    EXPECT_EQ(t->failure, "");
    ASSERT_EQ(t->left.size(), 2000u);
    EXPECT_NEAR(t->left[450].normal + t->right[450].normal, weight, .01 * weight);
    EXPECT_NEAR(t->left.back().normal + t->right.back().normal, weight, .03 * weight);
    // The ground feels the push, at once and until the robot has come back.
    EXPECT_LT(t->left[510].force.x + t->right[510].force.x, -5);
  }
  // The sampled controller is the same; only what is held, and how, differs.
  for (std::size_t i = 20; i < 2000; ++i) {
    ASSERT_NEAR(a.left[i].force.z, b.left[i].force.z, .05 * weight) << i;
    ASSERT_NEAR(a.left[i].force.x, b.left[i].force.x, .05 * weight) << i;
  }
  EXPECT_LT((a.q - b.q).lpNorm<Eigen::Infinity>(), .01);
  std::printf("a step: integrated %.1f, held %.1f µs; slip %.2g and %.2g m\n", 1e6 * a.seconds, 1e6 * b.seconds,
              a.largest_slip, b.largest_slip);
}

TEST(HumanoidPlant, WhatDoesNotSlipDoesNotDrift) {
  const auto b = stand(plant::held, 30, {}, .02);
  EXPECT_EQ(b.failure, "");
  EXPECT_LT(b.largest_slip, 1e-6);
  std::printf("a step %.1f µs; slip %.2g m\n", 1e6 * b.seconds, b.largest_slip);
}

}  // namespace
}  // namespace lissom::test
