// Plans of walks: the divergent component of motion, the support, adapted steps, paths of feet, footsteps.
#include <random>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/model/model.h"
#include "lissom/walking/gait.h"
#include "lissom/walking/step_adaptation.h"
#include "lissom/walking/support_polygon.h"
#include "lissom/walking/swing_path.h"

namespace lissom::walking {
namespace {

using lissom::test::larger;

// Integrates ξ̇ = ω (ξ - p) along a segment with Heun's method.
Vec2 integrated(const PressureSegment& s, double omega, Vec2 dcm) {
  constexpr int count = 4000;
  const double h = s.seconds / count;
  for (int i = 0; i < count; ++i) {
    const auto p = [&](double part) { return Vec2(s.from + part / count * (s.to - s.from)); };
    const Vec2 a = omega * (dcm - p(i)), b = omega * (dcm + h * a - p(i + 1));
    dcm += h / 2 * (a + b);
  }
  return dcm;
}

TEST(Dcm, FollowsItsDifferentialEquation) {
  DcmPlan plan;
  const PressureSegment segments[] = {{{0, 0}, {.1, -.1}, .3}, {{.1, -.1}, {.1, -.1}, .5}, {{.1, -.1}, {.3, .1}, .2}};
  for (const auto& s : segments) plan.add(s);
  const Vec2 end(.25, .02);
  plan.solve(3.4, end);
  Vec2 dcm = plan.dcm(0);
  for (int i = 0; i < 3; ++i) {
    dcm = integrated(segments[i], 3.4, dcm);
    EXPECT_LT((dcm - plan.dcm(i + 1)).norm(), 1e-5) << "segment " << i;
  }
  EXPECT_LT((dcm - end).norm(), 1e-5);
}

TEST(Support, DistancesAndNearestPoints) {
  SupportPolygon square;
  for (const auto& p : {Vec2(0, 0), Vec2(2, 0), Vec2(2, 1), Vec2(0, 1), Vec2(1, .5), Vec2(1, 0)}) square.add(p);
  square.close();
  EXPECT_EQ(square.corners().size(), 4u);
  EXPECT_NEAR(square.distance({1, .4}), -.4, 1e-12);
  EXPECT_NEAR(square.distance({3, 2}), std::sqrt(2), 1e-12);
  EXPECT_LT((square.nearest({1.5, -3}) - Vec2(1.5, 0)).norm(), 1e-12);
  SupportPolygon line;
  line.add({0, 0}), line.add({1, 1});
  line.close();
  EXPECT_LT((line.nearest({1, 0}) - Vec2(.5, .5)).norm(), 1e-12);
  EXPECT_GT(line.distance({.5, .5 + 1e-9}), 0);
}

StepProblem step() {
  StepProblem p;
  p.omega = 3.5, p.foothold = {.2, .2}, p.seconds = .4, p.seconds_min = .2, p.seconds_max = .5;
  p.pressure_min = {-.1, -.04}, p.pressure_max = {.1, .04};
  p.foothold_min = {-.4, .15}, p.foothold_max = {.4, .5};
  // ξ is where the plan wants it.
  const Vec2 touchdown = Vec2(.05, .08) * std::exp(p.omega * p.seconds);
  p.dcm = {.05, .08}, p.offset = p.offset_min = p.offset_max = touchdown - p.foothold;
  return p;
}

TEST(StepAdaptation, LeavesAPlanThatFits) {
  const auto s = adapt_step(step());
  EXPECT_LT((s.foothold - Vec2(.2, .2)).norm(), 1e-9);
  EXPECT_NEAR(s.seconds, .4, 1e-9);
  EXPECT_NEAR(s.cost, 0, 1e-12);
}

TEST(StepAdaptation, TakesTheAnkleBeforeTheFoothold) {
  auto p = step();
  p.dcm.x() += .03;
  const auto s = adapt_step(p);
  EXPECT_LT((s.foothold - Vec2(.2, .2)).norm(), 1e-9);
  EXPECT_GT(s.pressure.x(), .03);
  p.dcm.x() += .12;
  EXPECT_GT(adapt_step(p).foothold.x(), .25);
}

// Whatever it chooses, ξ is at touchdown where it says, by the closed form of the pendulum.
TEST(StepAdaptation, SaysWhereTheDcmWillBe) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> any(-.2, .2);
  for (int i = 0; i < 200; ++i) {
    auto p = step();
    p.dcm += Vec2(any(random), any(random));
    const auto s = adapt_step(p);
    const Vec2 reached = s.pressure + (p.dcm - s.pressure) * std::exp(p.omega * s.seconds);
    ASSERT_LT((reached - s.dcm).norm(), 1e-9);
    ASSERT_LT((s.foothold + p.offset + s.offset_error - s.dcm).norm(), 1e-9);
    for (int k = 0; k < 2; ++k) {
      ASSERT_GE(s.foothold[k], p.foothold_min[k]);
      ASSERT_LE(s.foothold[k], p.foothold_max[k]);
      ASSERT_GE(s.pressure[k], p.pressure_min[k] - 1e-12);
      ASSERT_LE(s.pressure[k], p.pressure_max[k] + 1e-12);
    }
    ASSERT_GE(s.seconds, p.seconds_min);
    ASSERT_LE(s.seconds, p.seconds_max);
  }
}

TEST(SwingPath, ReachesAFootholdThatMoves) {
  SwingPath path;
  path.begin({0, .1, 0}, .05, .003);
  double highest = 0, fastest_change = 0;
  Vec3<double> before = path.velocity;
  for (int i = 0; i < 400; ++i) {
    const Vec3<double> to = i < 200 ? Vec3<double>(.3, .1, 0) : Vec3<double>(.36, .13, 0);
    path.advance(to, .4 - 1e-3 * i, 1e-3);
    highest = larger(highest, path.position.z);
    const auto change = path.velocity - before;
    fastest_change = larger(fastest_change, std::sqrt(dot(change, change)) / 1e-3);
    before = path.velocity;
  }
  EXPECT_NEAR(path.position.x, .36, 1e-3);
  EXPECT_NEAR(path.position.y, .13, 1e-3);
  EXPECT_NEAR(path.position.z, -.003, 1e-4);
  EXPECT_NEAR(highest, .05, 1e-3);
  EXPECT_LT(std::hypot(path.velocity.x, path.velocity.y), .02);
  EXPECT_LT(fastest_change, 60);  // m/s²: no jumps
}

const std::vector<StandingLeg> two = {{{0, .1}}, {{0, -.1}}};
const std::vector<StandingLeg> four = {{{.3, .2}}, {{.3, -.2}}, {{-.3, .2}}, {{-.3, -.2}}};

TEST(Gait, ClosesItsSteps) {
  const auto plan = plan_footsteps({.steps = 5, .speed = .3, .step_time = .6}, two, {}, {.8, 9.81, 2});
  ASSERT_EQ(plan.steps(), 5);
  EXPECT_NEAR(plan.step_length, .18, 1e-12);
  EXPECT_NEAR(plan.bodies[4].position.x(), 4 * .18, 1e-12);
  EXPECT_EQ(plan.bodies[4].position.x(), plan.bodies[3].position.x());
  EXPECT_NE(plan.group(0), plan.group(1));
  const auto trot = plan_footsteps({.gait = Gait::trot}, four, {}, {.5, 9.81, 2});
  EXPECT_EQ(trot.group(0), (std::vector<int>{0, 3}));
  EXPECT_EQ(trot.group(1), (std::vector<int>{1, 2}));
}

TEST(Gait, FeetDoNotCrossSideways) {
  const auto plan = plan_footsteps({.steps = 6, .step_length = .1, .direction = -M_PI / 2}, two, {}, {.8, 9.81, 2});
  EXPECT_EQ(plan.group(0), std::vector<int>{1});  // the right foot leads to the right
  EXPECT_NEAR(plan.bodies[0].position.y(), -.2, 1e-12);
  EXPECT_NEAR(plan.bodies[1].position.y(), -.2, 1e-12);
}

TEST(Gait, RefusesWhatContradictsItself) {
  EXPECT_THROW(plan_footsteps({.speed = 1, .step_length = .2, .step_time = .6}, two, {}, {}), Error);
  EXPECT_THROW(plan_footsteps({.gait = Gait::trot}, two, {}, {}), Error);
  EXPECT_THROW(plan_footsteps({}, {{{0, 0}}}, {}, {}), Error);
  EXPECT_THROW(plan_footsteps({.speed = NAN}, two, {}, {}), Error);
  EXPECT_THROW(plan_footsteps({.steps = -1}, two, {}, {}), Error);
}

}  // namespace
}  // namespace lissom::walking
