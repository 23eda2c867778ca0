// A humanoid under a whole-body controller, on both simulators.
#include "humanoid.h"

#include <chrono>
#include <cmath>

#include <gtest/gtest.h>

#include "largest.h"

namespace lissom::test {
namespace {

using sim::RobotOptions;
using Make = std::unique_ptr<sim::SimulatedRobot> (*)(const Model&, std::vector<Contact>, const Eigen::VectorXd&,
                                                      const Eigen::VectorXd&, const RobotOptions&);

struct Trace {
  std::vector<sim::ContactState> left, right;
  Eigen::VectorXd q;
  double seconds = 0, max_slip = 0;
  std::string failure;
};

// carry: how the center of mass is moved.
Trace stand(Make make, double seconds, const RobotOptions& options, double carry = 0) {
  const Model model = humanoid();
  Eigen::VectorXd q = posture(model, "stand"), v = Eigen::VectorXd::Zero(model.nv());
  Standing standing(model, q);
  const auto robot = make(model, soles(), q, v, options);
  Trace trace;
  sim::Command command;
  std::chrono::nanoseconds spent{0};
  while (robot->time() < seconds - 1e-9) {
    robot->sense(q, v);
    standing.controller[standing.com].target =
        standing.start + carry * Vec3<double>(std::sin(3 * robot->time()), std::sin(4 * robot->time()), -1);
    control::fill(standing.controller.solve(q, v), command);
    const auto before = std::chrono::steady_clock::now();
    const bool good = robot->step(command);
    spent += std::chrono::steady_clock::now() - before;
    if (!good) break;
    trace.left.push_back(robot->contacts()[0]);
    trace.right.push_back(robot->contacts()[1]);
    for (const auto& t : robot->contacts()) trace.max_slip = larger(trace.max_slip, t.slip);
  }
  trace.failure = robot->failure();
  trace.q = robot->q();
  trace.seconds = double(spent.count()) * 1e-9 / std::max<double>(1, double(trace.left.size()));
  return trace;
}

TEST(Humanoid, StandsAndTakesAPush) {
  const RobotOptions options{
      .imperfections = {.pushes = {sim::push_at(humanoid().frame("chest"), {60, 0, 0}, .5, .6)}}};
  const auto a = stand(sim::prescribed_acceleration_robot, 2, options), b = stand(sim::contact_robot, 2, options);
  const double weight = humanoid().mass() * 9.81;
  for (const auto* t : {&a, &b}) {
    EXPECT_EQ(t->failure, "");
    ASSERT_EQ(t->left.size(), 2000u);
    EXPECT_NEAR(t->left[450].normal + t->right[450].normal, weight, .01 * weight);
    EXPECT_NEAR(t->left.back().normal + t->right.back().normal, weight, .03 * weight);
    // The ground carries the push, at once and until the robot has returned.
    EXPECT_LT(t->left[510].force.x + t->right[510].force.x, -5);
  }
  // The controller knows this robot: but for the landing from some micrometers, both simulators do the same.
  for (std::size_t i = 20; i < 2000; ++i) {
    ASSERT_NEAR(a.left[i].force.z, b.left[i].force.z, .5) << i;
    ASSERT_NEAR(a.left[i].force.x, b.left[i].force.x, .5) << i;
  }
  EXPECT_LT(largest(a.q - b.q), .01);
  std::printf("a step: prescribed %.1f, contact %.1f µs; slip %.2g and %.2g m\n", 1e6 * a.seconds, 1e6 * b.seconds,
              a.max_slip, b.max_slip);
}

// The soles stay where they are, by their positions too.
TEST(Humanoid, WhatDoesNotSlipDoesNotDrift) {
  const Model model = humanoid();
  Workspace work(model);
  const Eigen::VectorXd start = posture(model, "stand");
  const auto at = [&](const Eigen::VectorXd& q, const char* sole) {
    forward_kinematics(model, work, q);
    return placement(model, work, model.frame(sole)).p;
  };
  const auto b = stand(sim::contact_robot, 10, {}, .02);
  EXPECT_EQ(b.failure, "");
  EXPECT_LT(b.max_slip, 1e-6);
  for (const char* sole : {"left_sole", "right_sole"}) {
    const auto moved = at(b.q, sole) - at(start, sole);
    EXPECT_LT(std::hypot(moved.x, moved.y), 1e-5) << sole;
    EXPECT_LT(std::abs(moved.z), 2e-4) << sole;
  }
}

TEST(Humanoid, PushedTooHardItFalls) {
  const auto t = stand(sim::contact_robot, 4,
                       {.imperfections = {.pushes = {sim::push_at(humanoid().frame("chest"), {400, 0, 0}, .1, .5)}}});
  EXPECT_NE(t.failure.find(" hits the ground at t = "), std::string::npos) << t.failure;
}

TEST(Humanoid, StandsThoughImperfect) {
  const RobotOptions options{.imperfections = {.mass_error = .05,
                                               .delay = 2,
                                               .position_noise = 1e-5,
                                               .velocity_noise = 1e-3,
                                               .pushes = {sim::push_at(humanoid().frame("chest"), {0, 40, 0}, .5, .6)},
                                               .seed = 11}};
  const auto one = stand(sim::contact_robot, 2, options), two = stand(sim::contact_robot, 2, options);
  EXPECT_EQ(one.failure, "");
  EXPECT_EQ(one.q, two.q);
  auto other = options;
  other.imperfections.seed = 12;
  const auto three = stand(sim::contact_robot, 2, other);
  EXPECT_EQ(three.failure, "");
  EXPECT_NE(one.q, three.q);
}

// A whole-body controller is one of the controllers that drive any simulator.
TEST(Humanoid, IsDrivenThroughTheInterfaceOfControllers) {
  const Model model = humanoid();
  const Eigen::VectorXd start = posture(model, "stand"), rest = Eigen::VectorXd::Zero(model.nv());
  for (const auto simulator : {sim::Simulator::contact, sim::Simulator::prescribed_acceleration}) {
    Standing one(model, start), two(model, start);
    const auto driven = control::controller(one.controller);
    const RobotOptions options{.imperfections = {.mass_error = .05, .delay = 1, .position_noise = 1e-5, .seed = 3}};
    const auto a = sim::simulated_robot(simulator, model, soles(), start, rest, options),
               b = sim::simulated_robot(simulator, model, soles(), start, rest, options);
    Eigen::VectorXd q = start, v = rest;
    sim::Command command;
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE(a->step(*driven)) << a->failure();
      b->sense(q, v);
      control::fill(two.controller.solve(q, v), command);
      ASSERT_TRUE(b->step(command)) << b->failure();
    }
    EXPECT_EQ(a->q(), b->q());
    EXPECT_EQ(a->contacts()[0].normal, b->contacts()[0].normal);
  }
}

// Without torques it collapses: feet land, heels and toes come and go, and none of it creates energy.
TEST(Humanoid, ImpactsCreateNoEnergy) {
  const Model model = humanoid();
  Workspace work(model);
  Eigen::VectorXd q = posture(model, "stand"), v = Eigen::VectorXd::Zero(model.nv());
  q[2] += .02;
  const auto robot = sim::contact_robot(model, soles(), q, v);
  const Eigen::VectorXd limp = v;
  const auto energy = [&] {
    return kinetic_energy(model, work, robot->q(), robot->v()) + potential_energy(model, work, robot->q());
  };
  double before = energy();
  const double first = before;
  bool came = false;
  while (robot->time() < .25) {
    ASSERT_TRUE(robot->step(limp)) << robot->failure();
    came = came || robot->contacts()[0].points > 0;
    const double now = energy();
    ASSERT_LT(now, before + 1e-6) << robot->time() << " " << now - before;
    before = now;
  }
  EXPECT_TRUE(came);
  EXPECT_LT(before, first - 1);
}

// Feet that are not quite on the ground, joints that move, everything imperfect.
TEST(Humanoid, LandsOnItsFeet) {
  const Model model = humanoid();
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Eigen::VectorXd q = posture(model, "stand"), v = Eigen::VectorXd::Zero(model.nv());
    Standing standing(model, q);
    q[2] += .003;
    for (int i = 6; i < model.nv(); ++i) v[i] = .1 * std::sin(double(i) + double(seed));
    const auto robot = sim::contact_robot(
        model, soles(), q, v,
        {.imperfections = {
             .mass_error = .05, .delay = 1, .position_noise = 1e-5, .velocity_noise = 1e-3, .seed = seed}});
    while (robot->time() < 1) {
      robot->sense(q, v);
      ASSERT_TRUE(robot->step(standing.controller.solve(q, v).torques)) << robot->failure();
    }
    for (const auto& touch : robot->contacts()) {
      EXPECT_GT(touch.normal, 50);
      EXPECT_LT(touch.slip, 2e-3);
    }
  }
}

// Steps in place, one foot at a time: each lands, carries load, and lifts off again.
TEST(Humanoid, Steps) {
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
  const auto robot = sim::contact_robot(model, soles(), q, v);
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
      // Up for 0.3 s, and down until it touches.
      const double height = t < 1.3 ? (t - 1) / .3 : 1 - (t - 1.3) / .3;
      swing.target.p.z += .05 * height;
      robot->sense(q, v);
      const auto& tick = controller.solve(q, v);
      ASSERT_TRUE(robot->step(tick.torques)) << "step " << step << ": " << robot->failure();
      const auto& touch = robot->contacts()[std::size_t(foot)];
      up = up || (i > 1100 && touch.points == 0);
      if (i > 1400 && touch.points > 2 && !controller.active(contacts[foot])) {
        controller.enable(swings[foot], false);
        controller.enable(contacts[foot]);
        ++landings;
      }
    }
    EXPECT_TRUE(up) << step;
    // Two points of a face may be lifting off, if the controller presses on an edge.
    for (const auto& touch : robot->contacts()) EXPECT_GE(touch.points, 2) << step;
    // It slips very little, while a foot that has just landed carries almost nothing.
    EXPECT_LT(robot->contacts()[std::size_t(other)].slip, 5e-5);
  }
  EXPECT_EQ(landings, 8);
}

}  // namespace
}  // namespace lissom::test
