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
  // The controller knows this robot: but for the landing from some micrometres, both plants do the same.
  for (std::size_t i = 20; i < 2000; ++i) {
    ASSERT_NEAR(a.left[i].force.z, b.left[i].force.z, .5) << i;
    ASSERT_NEAR(a.left[i].force.x, b.left[i].force.x, .5) << i;
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

TEST(HumanoidPlant, StandsThoughImperfect) {
  const Options options{.imperfections = {.mass_error = .05,
                                          .delay = 2,
                                          .position_noise = 1e-5,
                                          .velocity_noise = 1e-3,
                                          .pushes = {{.frame = "chest", .force = {0, 40, 0}, .from = .5, .until = .6}},
                                          .seed = 11}};
  const auto one = stand(plant::held, 2, options), two = stand(plant::held, 2, options);
  EXPECT_EQ(one.failure, "");
  EXPECT_EQ(one.q, two.q);
  auto other = options;
  other.imperfections.seed = 12;
  const auto three = stand(plant::held, 2, other);
  EXPECT_EQ(three.failure, "");
  EXPECT_NE(one.q, three.q);
}

// Without torques it collapses: feet land, heels and toes come and go, and none of it creates energy.
TEST(HumanoidPlant, ImpactsCreateNoEnergy) {
  const Model model = humanoid();
  Workspace work(model);
  Eigen::VectorXd q = posture(model, "stand"), v = Eigen::VectorXd::Zero(model.nv());
  q[2] += .02;
  const auto robot = plant::held(model, soles(), q, v);
  control::Tick limp;
  limp.torques = v;
  const auto energy = [&] {
    return kinetic_energy(model, work, robot->q(), robot->v()) + potential_energy(model, work, robot->q());
  };
  double before = energy();
  const double first = before;
  bool came = false;
  while (robot->time() < .25) {
    ASSERT_TRUE(robot->step(limp)) << robot->failure();
    came = came || robot->touches()[0].points > 0;
    const double now = energy();
    ASSERT_LT(now, before + 1e-6) << robot->time();
    before = now;
  }
  EXPECT_TRUE(came);
  EXPECT_LT(before, first - 1);
}

// Feet that are not quite on the ground, joints that move, everything imperfect.
TEST(HumanoidPlant, LandsOnItsFeet) {
  const Model model = humanoid();
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Eigen::VectorXd q = posture(model, "stand"), v = Eigen::VectorXd::Zero(model.nv());
    Standing standing(model, q);
    q[2] += .003;
    for (int i = 6; i < model.nv(); ++i) v[i] = .1 * std::sin(double(i) + double(seed));
    const auto robot =
        plant::held(model, soles(), q, v,
                    {.imperfections = {
                         .mass_error = .05, .delay = 1, .position_noise = 1e-5, .velocity_noise = 1e-3, .seed = seed}});
    while (robot->time() < 1) {
      robot->sense(q, v);
      ASSERT_TRUE(robot->step(standing.controller.solve(q, v))) << robot->failure();
    }
    for (const auto& touch : robot->touches()) {
      EXPECT_GT(touch.normal, 50);
      EXPECT_LT(touch.slip, 1e-3);
    }
  }
}

TEST(HumanoidPlant, PushedTooHardItFails) {
  const auto t =
      stand(plant::held, 4,
            {.imperfections = {.pushes = {{.frame = "chest", .force = {400, 0, 0}, .from = .1, .until = .5}}}});
  EXPECT_NE(t.failure.find("slips: friction use 1."), std::string::npos) << t.failure;
}

// In place, a foot at a time: each comes down, carries, and leaves again.
TEST(HumanoidPlant, Steps) {
  const Model model = humanoid();
  Eigen::VectorXd q = posture(model, "stand"), v = Eigen::VectorXd::Zero(model.nv());
  control::WholeBody controller(model);
  Workspace work(model);
  const auto start = center_of_mass(model, work, q);
  forward_kinematics(model, work, q);
  const char* const names[] = {"left_sole", "right_sole"};
  Pose<double> feet[2];
  control::ContactId contacts[2];
  control::TaskId<control::FrameTask> swings[2];
  for (int i = 0; i < 2; ++i) {
    feet[i] = placement(model, work, model.frame(names[i]));
    contacts[i] = controller.add(soles()[std::size_t(i)]);
    swings[i] =
        controller.add(control::FrameTask{.frame = names[i], .target = feet[i], .stiffness = 200, .weight = 100});
    controller.enable(swings[i], false);
  }
  const auto com = controller.add(control::CenterOfMassTask{.target = start, .stiffness = 50, .weight = 100});
  controller.add(control::PostureTask{.target = q, .stiffness = 30, .weight = .5});
  controller.add(control::MomentumTask{.weight = .1});
  const auto robot = plant::held(model, soles(), q, v);
  int landings = 0;
  for (int step = 0; step < 8; ++step) {
    const int foot = step % 2, other = 1 - foot;
    bool up = false;
    for (int i = 0; i < 2000; ++i) {
      const double t = i * 1e-3, shift = std::min(1.0, t / .8);
      auto& target = controller[com].target;
      target = start;
      target.y = (1 - shift) * (step == 0 ? start.y : feet[foot].p.y * .95) + shift * feet[other].p.y * .95;
      if (i == 1000) {
        controller.enable(contacts[foot], false);
        controller.enable(swings[foot]);
      }
      auto& swing = controller[swings[foot]];
      swing.target = feet[foot];
      // Up for 0.3 s, and down until it is felt.
      const double height = t < 1.3 ? (t - 1) / .3 : 1 - (t - 1.3) / .3;
      swing.target.p.z += .05 * height;
      robot->sense(q, v);
      const auto& tick = controller.solve(q, v);
      ASSERT_TRUE(robot->step(tick)) << "step " << step << ": " << robot->failure();
      const auto& touch = robot->touches()[std::size_t(foot)];
      up = up || (i > 1100 && touch.points == 0);
      if (i > 1400 && touch.points > 2 && !controller.held(contacts[foot])) {
        controller.enable(swings[foot], false);
        controller.enable(contacts[foot]);
        ++landings;
      }
    }
    EXPECT_TRUE(up) << step;
    // (Two points of a face may be about to leave, where the controller presses on an edge.)
    for (const auto& touch : robot->touches()) EXPECT_GE(touch.points, 2) << step;
    // Next to nothing, in the instants in which a foot that has come carries next to nothing.
    EXPECT_LT(robot->touches()[std::size_t(other)].slip, 5e-5);
  }
  EXPECT_EQ(landings, 8);
}

}  // namespace
}  // namespace lissom::test
