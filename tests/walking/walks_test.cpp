// Walks and recovers on simulated robots, judged on their true state.
#include <gtest/gtest.h>

#include "lissom/api/postures.h"
#include "lissom/limbs/standing_robot.h"
#include "lissom/lissom.h"
#include "lissom/walking/run.h"

namespace lissom::walking {
namespace {

struct Robot {
  Model model;
  Eigen::VectorXd q;
  std::vector<Contact> feet;
  std::string trunk;
};
Robot humanoid() {
  auto model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  const auto q = read_posture(model, LISSOM_MODELS_DIR "/postures/humanoid.json#stand");
  return {model, q, {{.frame = "left_sole"}, {.frame = "right_sole"}}, "chest"};
}
Robot quadruped() {
  const auto robot = load_standing_robot(LISSOM_MODELS_DIR "/quadruped.urdf");
  return {robot.model, robot.q, control_contacts(robot.contacts), "trunk"};
}

WalkReport walk(const Robot& robot, const GaitOptions& gait, const sim::Imperfections& imperfections = {}) {
  WalkOptions options;
  options.gait = gait, options.robot.imperfections = imperfections;
  return run(robot.model, robot.q, robot.feet, options);
}
WalkReport pushed(const Robot& robot, const Vec3<double>& force, bool capture_steps = true) {
  sim::Imperfections i;
  i.pushes = {sim::push_at(robot.model.frame(robot.trunk), force, .5, .6)};
  return walk(robot, {.gait = Gait::stand, .capture_steps = capture_steps, .duration = 1}, i);
}

TEST(Walks, HumanoidForward) {
  const auto r = walk(humanoid(), {.steps = 6, .speed = .3});
  EXPECT_TRUE(r.succeeded) << r.failure;
  EXPECT_EQ(r.steps, 6);
  EXPECT_EQ(r.capture_steps, 0);
  EXPECT_NEAR(r.speed, .3, .03);
  EXPECT_NEAR(r.distance, 5 * r.step_length, .01);
  EXPECT_LT(r.max_tilt, .05);
  EXPECT_EQ(r.failed_ticks, 0);
  for (const auto& f : r.feet) EXPECT_LT(f.slip, 2e-3) << f.frame;
}

// The joints of its hips are 8 cm ahead of each other and back again, as those of many robots: the leg is no longer for
// that, and the center of mass comes down before a knee is straight.
TEST(Walks, HumanoidWithOffsetsInItsHips) {
  const auto straight = humanoid();
  auto description = straight.model.description();
  for (auto& joint : description.joints) {
    if (joint.name.ends_with("_hip_roll")) joint.origin.p.x += .08;
    if (joint.name.ends_with("_hip_pitch")) joint.origin.p.x -= .08;
  }
  const Robot robot{build(description, straight.model.options()), straight.q, straight.feet, straight.trunk};
  const auto r = walk(robot, {.steps = 6, .speed = .7});
  EXPECT_TRUE(r.succeeded) << r.failure;
  EXPECT_EQ(r.adapted_steps, 0);
  EXPECT_LT(r.max_tilt, .1);
}

TEST(Walks, HumanoidBackward) {
  const auto back = walk(humanoid(), {.steps = 4, .speed = .2, .direction = M_PI});
  EXPECT_TRUE(back.succeeded) << back.failure;
  EXPECT_NEAR(back.distance, 3 * back.step_length, .01);
}

TEST(Walks, HumanoidSideways) {
  const auto side = walk(humanoid(), {.steps = 4, .step_length = .05, .direction = M_PI / 2});
  EXPECT_TRUE(side.succeeded) << side.failure;
  EXPECT_NEAR(side.distance, .2, .01);
}

TEST(Walks, HumanoidTurning) {
  const auto turning = walk(humanoid(), {.steps = 4, .yaw_per_step = .14});
  EXPECT_TRUE(turning.succeeded) << turning.failure;
  EXPECT_NEAR(turning.turned, 4 * .14, .02);
}

TEST(Walks, HumanoidOnStairs) {
  for (const double height : {.12, -.12}) {
    const auto r =
        walk(humanoid(),
             {.steps = 4, .heights = {height, 2 * height, 3 * height}, .start_height = std::max(0., -3 * height)});
    EXPECT_TRUE(r.succeeded) << height << " m: " << r.failure;
    EXPECT_EQ(r.steps, 4);
  }
}

TEST(Walks, NoisyLateAndHeavier) {
  const auto r = walk(humanoid(), {.steps = 6, .speed = .3},
                      {.mass_error = .1, .delay = 2, .position_noise = 5e-4, .velocity_noise = 5e-3, .seed = 3});
  EXPECT_TRUE(r.succeeded) << r.failure;
}

// Measured velocities of a robot at rest are as fast as one that is about to stop.
TEST(Walks, VelocityNoiseIsNoMotion) {
  for (const auto gait : {Gait::walk, Gait::stand}) {
    const auto r = walk(humanoid(), {.gait = gait, .steps = 2, .duration = 1}, {.velocity_noise = .02, .seed = 1});
    EXPECT_TRUE(r.succeeded) << r.failure;
    EXPECT_LT(r.seconds, 6);
  }
}

TEST(Walks, OpenLoopsAreRefused) {
  const auto robot = humanoid();
  auto description = robot.model.description();
  LoopDescription loop;
  loop.name = "bar", loop.a.frame = "left_foot", loop.b.frame = "right_foot";
  description.loops.push_back(loop);
  const auto closed = build(description, robot.model.options());
  try {
    run(closed, robot.q, robot.feet, {.gait = {.gait = Gait::stand}});
    FAIL() << "it was run";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the gait begins in a posture in which"), std::string::npos)
        << error.what();
  }
}

// 1.8 times what ankles alone can take: 234 N forward and 211 N sideways, for .1 s at the chest.
TEST(Recovery, StepsWhenPushed) {
  const auto robot = humanoid();
  for (const auto& force : {Vec3<double>(425, 0, 0), Vec3<double>(0, 385, 0)}) {
    const auto r = pushed(robot, force);
    EXPECT_TRUE(r.succeeded) << force.x << ", " << force.y << " N: " << r.failure;
    EXPECT_GE(r.capture_steps, 1);
    EXPECT_FALSE(pushed(robot, force, false).succeeded) << "it would not have needed to step";
  }
}

TEST(Recovery, StaysWherePushesAreSmall) {
  const auto r = pushed(humanoid(), {60, 40, 0});
  EXPECT_TRUE(r.succeeded) << r.failure;
  EXPECT_EQ(r.capture_steps, 0);
}

TEST(Recovery, GoesOnWalkingWhenPushed) {
  const auto robot = humanoid();
  sim::Imperfections i;
  i.pushes = {sim::push_at(robot.model.frame("chest"), {0, 200, 0}, 2, 2.1)};
  const auto r = walk(robot, {.steps = 8, .speed = .3}, i);
  EXPECT_TRUE(r.succeeded) << r.failure;
  EXPECT_EQ(r.steps, 8);
}

TEST(Walks, SaysThatItFell) {
  const auto r = pushed(humanoid(), {2000, 0, 0});
  EXPECT_FALSE(r.succeeded);
  EXPECT_NE(r.failure.find("at t = "), std::string::npos) << r.failure;
}

TEST(Walks, QuadrupedWalksAndTrots) {
  const auto robot = quadruped();
  const auto trot = walk(robot, {.gait = Gait::trot, .steps = 8});
  EXPECT_TRUE(trot.succeeded) << trot.failure;
  EXPECT_EQ(trot.steps, 8);
  EXPECT_GT(trot.distance, .2);
  const auto slow = walk(robot, {.steps = 8});
  EXPECT_TRUE(slow.succeeded) << slow.failure;
  EXPECT_NEAR(slow.distance, 5 * slow.step_length, .02);
}

TEST(Walks, RepeatsItself) {
  const auto a = pushed(humanoid(), {300, 100, 0}), b = pushed(humanoid(), {300, 100, 0});
  EXPECT_EQ(a.distance, b.distance);
  EXPECT_EQ(a.max_dcm_error, b.max_dcm_error);
}

TEST(Walker, RefusesRobotsThatCannotWalk) {
  const auto robot = humanoid();
  EXPECT_THROW(Walker(robot.model, robot.q, {{.frame = "no_sole"}, {.frame = "right_sole"}}, {}), Error);
  EXPECT_THROW(Walker(robot.model, robot.q, {{.frame = "left_sole"}}, {}), Error);
  const auto arm = load(LISSOM_MODELS_DIR "/arm7.urdf");
  EXPECT_THROW(Walker(arm, neutral(arm), {}, {}), Error);
}

}  // namespace
}  // namespace lissom::walking
