// Motions of any robot: generated ones, checks before a run, places of any height and tilt, reports of the true state.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/api/kinematics.h"
#include "lissom/api/load.h"
#include "lissom/control/generated_motions.h"
#include "lissom/control/motion_check.h"
#include "lissom/control/run.h"
#include "lissom/limbs/standing_robot.h"

namespace lissom::control {
namespace {

using lissom::test::larger;

const Model& humanoid() {
  static const Model model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  return model;
}
MotionPlan shipped(const std::string& name) {
  return read_motion_plan(humanoid(), LISSOM_MODELS_DIR "/motions/" + name + ".json");
}
std::string text_of(const std::vector<MotionFinding>& findings) {
  std::string text;
  for (const auto& f : findings)
    if (f.serious || f.wrong) text += f.stage + ": " + f.what + "\n";
  return text;
}

class GeneratedMotions : public testing::TestWithParam<const char*> {};

TEST_P(GeneratedMotions, AQuadrupedDoes) {
  const auto robot = load_standing_robot(LISSOM_MODELS_DIR "/quadruped.urdf");
  const auto plan = generate_motion(robot.model, control_contacts(robot.contacts), robot.q, GetParam());
  EXPECT_EQ(text_of(check_motion(robot.model, plan)), "");
  double highest = 0;  // of a foot's center
  Workspace work(robot.model);
  const auto report =
      run(robot.model, plan, {.observer = [&](const MotionReading& r) {
            forward_kinematics(robot.model, work, r.robot.q());
            for (const auto& c : plan.contacts)
              highest = larger(highest, placement(robot.model, work, robot.model.frame(c.frame)).p.z - c.radius);
          }});
  EXPECT_TRUE(report.succeeded) << report.failure;
  EXPECT_EQ(report.elastic_ticks, 0);
  EXPECT_LT(report.max_loaded_slip(), 2e-3);
  EXPECT_EQ(report.limbs.size(), 4u);
  EXPECT_GT(report.watched_pairs, 4);  // links that can meet; they do not come near
  EXPECT_TRUE(report.clearances.empty());
  const std::string name = GetParam();
  EXPECT_EQ(highest > .02, name == "lift" || name == "steps");
}
INSTANTIATE_TEST_SUITE_P(All, GeneratedMotions, testing::Values("stand", "squat", "sway", "lift", "steps"));

// On one foot, with the center of mass beside it, a robot does not stand.
TEST(AnyRobot, FeetThatCannotCarryAreNamed) {
  const auto q = shipped("stand").posture("stand");
  EXPECT_NO_THROW(generate_motion(humanoid(), {{.frame = "left_sole"}, {.frame = "right_sole"}}, q, "stand"));
  try {
    generate_motion(humanoid(), {{.frame = "left_sole"}}, q, "stand");
    FAIL() << "it was generated";
  } catch (const ImpossibleMotion& error) {
    EXPECT_NE(std::string(error.what()).find("cannot stand still: on left_sole"), std::string::npos) << error.what();
  }
}

class ShippedMotions : public testing::TestWithParam<const char*> {};
TEST_P(ShippedMotions, PassTheCheck) {
  EXPECT_EQ(text_of(check_motion(humanoid(), shipped(GetParam()))), "");
}
INSTANTIATE_TEST_SUITE_P(All, ShippedMotions,
                         testing::Values("stand", "squat", "one-foot", "step", "on-hands", "handstand"));

TEST(AnyRobot, WhatCannotWorkIsSaidWithTheNumberThatWould) {
  auto plan = shipped("one-foot");
  plan.stages[1].seconds = .45;  // the weight to the left foot
  const auto fast = text_of(check_motion(humanoid(), plan, {.postures = false}));
  const auto at = fast.find("s would do");
  ASSERT_NE(at, std::string::npos) << fast;
  const double enough = std::stod(fast.substr(fast.rfind(' ', at - 2)));
  EXPECT_GT(enough, .5);
  EXPECT_LT(enough, 1.2);
  plan.stages[1].seconds = enough;
  EXPECT_EQ(text_of(check_motion(humanoid(), plan, {.postures = false})), "");

  plan.stages.erase(plan.stages.begin() + 1);  // the foot is lifted although it carries
  EXPECT_NE(text_of(check_motion(humanoid(), plan, {.postures = false})).find("shift it first"), std::string::npos);
}

TEST(AnyRobot, TargetsOutOfReachAreNamed) {
  auto plan = shipped("stand");
  plan.stages.push_back(
      {.name = "far",
       .moves = {
           {.frame = "left_palm", .to = Pose<double>{identity3<double>(), {2, 0, 1}}, .lift = 0, .touch = false}}});
  const auto text = text_of(check_motion(humanoid(), plan));
  EXPECT_NE(text.find("left_palm does not reach its target"), std::string::npos) << text;
  plan.stages.back().moves[0].to->p = {.3, .25, .9};
  EXPECT_EQ(text_of(check_motion(humanoid(), plan)), "");
}

// A step forward onto a block that is 60 mm high and tilted.
TEST(AnyRobot, StepsOntoATiltedStair) {
  auto plan = shipped("one-foot");
  const auto& model = humanoid();
  Workspace work(model);
  forward_kinematics(model, work, plan.posture("stand"));
  const auto foot = placement(model, work, model.frame("right_sole")).p;
  const double tilt = .12;
  const Pose<double> stair{{std::cos(tilt), 0, std::sin(tilt), 0, 1, 0, -std::sin(tilt), 0, std::cos(tilt)},
                           {foot.x + .36, foot.y, .06}};
  plan.stages.resize(2);
  plan.stages.push_back({.name = "up",
                         .seconds = 1.2,
                         .release = {"right_sole"},
                         .moves = {{.frame = "right_sole", .to = stair, .lift = .12}}});
  plan.stages.push_back({.name = "both", .seconds = 1.2, .hold = 1, .over = {"left_sole", "right_sole"}});
  double carried = 0;
  Pose<double> X;
  const auto report = run(model, plan, {.observer = [&](const MotionReading& r) {
                            carried = r.robot.contacts()[1].normal;
                            forward_kinematics(model, work, r.robot.q());
                            X = placement(model, work, model.frame("right_sole"));
                          }});
  EXPECT_TRUE(report.succeeded) << report.failure;
  EXPECT_GT(carried, 100);
  EXPECT_NEAR(X.p.z, .06, 2e-3);
  EXPECT_NEAR(X.R.xz, std::sin(tilt), .01);
}

TEST(AnyRobot, NoiseOfVelocitiesDoesNotHideTheGround) {
  auto plan = shipped("one-foot");
  plan.stages.resize(4);
  plan.stages[2].hold = .2;
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    const auto report = run(humanoid(), plan, {.robot = {.imperfections = {.velocity_noise = .02, .seed = seed}}});
    EXPECT_TRUE(report.succeeded) << report.failure;
  }
}

// With noisy encoders, a gyroscope and an accelerometer alone.
TEST(AnyRobot, KnowsWhereItIsFromEncodersAndAnImu) {
  auto plan = shipped("one-foot");
  plan.stages.resize(4);
  plan.stages[2].hold = .2;
  double away = 0;
  MotionOptions options{.sensing = Sensing::encoders};
  options.robot.imperfections = {.position_noise = 1e-4, .velocity_noise = 2e-3};
  options.observer = [&](const MotionReading& r) {
    Workspace work(humanoid());
    const auto error = r.tick.com - center_of_mass(humanoid(), work, r.robot.q());
    away = larger(away, std::sqrt(dot(error, error)));
  };
  const auto report = run(humanoid(), plan, options);
  EXPECT_TRUE(report.succeeded) << report.failure;
  EXPECT_LT(away, .01);
  EXPECT_GT(away, 1e-5);
}

TEST(AnyRobot, AHeavierRobotThatSinksHasNotSucceeded) {
  const auto report = run(humanoid(), shipped("stand"), {.robot = {.imperfections = {.mass_scale = 2}}});
  EXPECT_FALSE(report.succeeded);
  ASSERT_FALSE(report.misses.empty());
  EXPECT_NE(report.failure.find("center of mass"), std::string::npos) << report.failure;
  EXPECT_GT(report.hold_com_error, .08);
}

TEST(AnyRobot, ConflictsAreReportedOnceForEachCause) {
  sim::Imperfections pushed;
  pushed.pushes = {sim::push_at(humanoid().frame("chest"), {2000, 0, 0}, .2, .3)};
  const auto report = run(humanoid(), shipped("stand"), {.robot = {.imperfections = pushed}});
  EXPECT_FALSE(report.succeeded);
  EXPECT_NE(report.failure.find("fallen"), std::string::npos) << report.failure;
  EXPECT_GT(report.first_elastic, .2);
  EXPECT_EQ(report.failed_ticks, 0);
  ASSERT_FALSE(report.conflicts.empty());
  EXPECT_EQ(report.conflicts.front().first, report.first_elastic);
  EXPECT_LT(report.conflicts.size(), 10u);
  std::size_t constraints = 0;
  for (const auto& c : report.conflicts) {
    EXPECT_EQ(std::ranges::count(c.names, c.name), 1) << c.name;
    EXPECT_LE(c.ticks, report.elastic_ticks) << c.name;
    EXPECT_GE(c.last, c.first) << c.name;
    constraints += c.names.size();
  }
  EXPECT_GT(constraints, 2 * report.conflicts.size()) << "many joints are at their limits for the same reason";
}

// A push takes a joint away from its posture; a second later it counts again, until it is back.
TEST(AnyRobot, WhatIsOffDuringAHoldIsSeen) {
  sim::Imperfections pushed;
  pushed.pushes = {sim::push_at(humanoid().frame("chest"), {0, 60, 0}, .2, .3)};
  auto plan = shipped("stand");
  plan.stages[0].posture = "stand";
  MotionOptions options{.robot = {.imperfections = pushed}};
  const auto before = run(humanoid(), plan, options);
  EXPECT_TRUE(before.succeeded) << before.failure;
  ASSERT_GT(before.max_hold_posture_error, 2.5 * before.hold_posture_error);
  EXPECT_GT(before.max_hold_com_error, before.hold_com_error);
  EXPECT_LT(before.max_hold_com_error, .5 * before.max_com_error) << "the push itself does not count";
  options.tolerances.posture = .45 * before.max_hold_posture_error;
  const auto strict = run(humanoid(), plan, options);
  EXPECT_FALSE(strict.succeeded);
  ASSERT_EQ(strict.misses.size(), 1u);
  EXPECT_NE(strict.failure.find("during the hold of stage 'stand', at t = "), std::string::npos) << strict.failure;
}

// A center of mass that shall go forward fast needs more of the sole than the margin leaves: it gets it.
TEST(AnyRobot, MarginsGiveWayToBalance) {
  const auto& model = humanoid();
  const auto q = shipped("stand").posture("stand");
  const Eigen::VectorXd v = Eigen::VectorXd::Zero(model.nv());
  Workspace work(model);
  const auto com = center_of_mass(model, work, q);
  const auto pressure = [&](double backward, const ContactMargins& margins) {
    WholeBody controller(model);
    controller.add(CenterOfMassTask{.target = com - Vec3<double>(backward, 0, 0), .stiffness = 100, .weight = 100});
    controller.add(PostureTask{.target = q, .stiffness = 40, .weight = .2});
    for (const char* sole : {"left_sole", "right_sole"}) controller.add(Contact{.frame = sole}, margins);
    const auto& tick = controller.solve(q, v);
    EXPECT_EQ(tick.status, TickStatus::optimal);
    return -tick.contacts[0].torque.y / tick.contacts[0].normal;  // of the center, along the sole
  };
  const double still = pressure(0, {.support = .5}), free = pressure(.009, {}), soft = pressure(.009, {.support = .5});
  EXPECT_LT(still, free);
  EXPECT_LT(soft, free);   // it costs,
  EXPECT_GT(soft, still);  // but not everything
}

}  // namespace
}  // namespace lissom::control
