// Derivatives of a step, against central differences of steps from states that are a little apart.
#include <cmath>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/benchmarks/step_differences.h"
#include "lissom/world/world.h"
#include "world_helpers.h"

namespace lissom::test {
namespace {

constexpr double h = 1e-3;

World::Options exact() {
  World::Options options;
  options.tolerance = 1e-13;
  options.conserve = false;
  return options;
}

using benchmarks::StepDifferences;

double deviation(const World& world, const StepDerivatives& d, double width = 1e-6) {
  return StepDifferences(world, h, width).error(d);
}

StepDerivatives differentiated(const World& world, std::vector<StepParameter> parameters = {}) {
  auto copy = world.clone();
  StepDerivatives d;
  d.parameters = std::move(parameters);
  EXPECT_TRUE(copy.step(h, d).converged);
  return d;
}

TEST(StepDerivatives, BallThatRolls) {
  World world(exact());
  world.add_ground();
  auto rolling = RigidBody::homogeneous("ball", ball(.2), 3);
  rolling.pose.p = {.1, -.3, .2 + 1e-5};
  world.add(rolling);
  world.v("ball") << .6, 0, 0, 0, 3, 0;
  world.tau("ball") << .4, .2, -30, .1, .05, .02;
  const auto d = differentiated(world, {{StepParameter::Kind::mass, "ball"}});
  ASSERT_EQ(d.modes.size(), 1u);
  EXPECT_EQ(d.modes[0], ContactMode::sticks);
  EXPECT_LT(deviation(world, d), 1e-7);
}

TEST(StepDerivatives, BoxThatSlides) {
  World world(exact());
  world.add_ground();
  auto sliding = RigidBody::homogeneous("box", box(.2, .3, .1), 2);
  sliding.pose.p = {0, 0, .05 + 1e-5};
  world.add(sliding);
  world.set_properties("box", "ground", {.friction = .3});
  world.v("box") << .8, .3, -.005, 0, 0, 0;
  const auto d = differentiated(world);
  ASSERT_EQ(d.modes.size(), 4u);
  for (const auto mode : d.modes) EXPECT_EQ(mode, ContactMode::slides);
  EXPECT_LT(deviation(world, d), 1e-6);
}

// A ball that is pressed on the ground and pushed aside, with torsional and rolling friction: nothing moves.
TEST(StepDerivatives, SphereThatSticks) {
  World world(exact());
  world.add_ground();
  auto body = RigidBody::homogeneous("ball", ball(.1), 1);
  body.pose.p = {0, 0, .1 + 1e-6};
  world.add(body);
  world.set_properties("ball", "ground", {.friction = .8, .torsional_friction = .02, .rolling_friction = .05});
  world.tau("ball") << 2, 1, -20, .05, .02, .03;
  const auto d = differentiated(world);
  ASSERT_EQ(d.modes.size(), 1u);
  EXPECT_EQ(d.modes[0], ContactMode::sticks);
  EXPECT_GT(d.border, 1e-4);
  EXPECT_NEAR(d.gap_border, 1e-6, 1e-12);
  EXPECT_LT(deviation(world, d, 1e-8), 1e-6);
}

// Curved surfaces on each other, and a box on a tilted box: points and normals move along.
TEST(StepDerivatives, BodiesOnEachOther) {
  World world(exact());
  world.add_ground();
  auto below = RigidBody::homogeneous("below", ball(.3), 5);
  below.pose.p = {0, 0, .3 + 1e-6};
  world.add(below);
  auto above = RigidBody::homogeneous("above", ball(.2), 2);
  const double tilt = .1;
  above.pose.p = {(.5 + 1e-6) * std::sin(tilt), 0, .3 + 1e-6 + (.5 + 1e-6) * std::cos(tilt)};
  world.add(above);
  world.set_properties("above", "below", {.friction = .05});
  world.v("above") << .02, .01, 0, .3, -.2, .1;
  world.tau("below")[2] = -20;
  world.tau("above")[2] = -20;
  const auto d = differentiated(world);
  EXPECT_EQ(d.modes, (std::vector<ContactMode>{ContactMode::sticks, ContactMode::slides}));
  EXPECT_LT(deviation(world, d, 1e-8), 1e-5);
}

TEST(StepDerivatives, ArmAtAJointLimit) {
  auto description = load(LISSOM_MODELS_DIR "/arm7.urdf").description();
  description.joints[2].dry_friction = 2, description.joints[4].dry_friction = 1e-3;
  description.joints[1].damping = .4, description.joints[3].spring_stiffness = 30;
  const auto model = build(description);
  World world(exact());
  Eigen::VectorXd q = neutral(model);
  for (int i = 0; i < model.nv(); ++i) q[i] = .2 * std::sin(i + 1.);
  const double limit = 2.18166156;  // of joint4
  q[3] = limit - 1e-6;
  world.add("arm", model, q, {.self_collision = false});
  for (int i = 0; i < model.nv(); ++i) world.v("arm")[i] = .5 * std::cos(1.3 * i);
  world.v("arm")[3] = .0005, world.v("arm")[2] = 0, world.tau("arm")[3] = 150;
  world.step(h);
  auto state = world.state();
  state.q[0][3] = limit - 1e-6;
  world.restore(state);
  const auto d = differentiated(world);
  EXPECT_GT(d.border, 1e-5);
  EXPECT_LT(d.gap_border, 1e-5);
  EXPECT_LT(largest(d.B.col(3)), 1e-9);  // pushes against the limit change nothing
  EXPECT_LT(deviation(world, d, 1e-8), 1e-6);
}

TEST(StepDerivatives, HumanoidOnTheGround) {
  auto world = benchmarks::standing_humanoid(exact(), .3);
  auto state = world.state();
  state.q[0][2] += 2e-6;
  for (int i = 0; i < state.v[0].size(); ++i) state.tau[0][i] = .3 * std::sin(1.1 * i);
  world.restore(state);
  const auto d = differentiated(world);
  ASSERT_EQ(d.modes.size(), 8u);
  EXPECT_LT(deviation(world, d, 1e-7), 1e-5);  // (rounding alone is worth 1e-5 in steps of 1e-8)
}

TEST(StepDerivatives, HumanoidInFreeFlight) {
  const auto model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  World world(exact());
  Eigen::VectorXd q = neutral(model);
  Eigen::VectorXd away(model.nv());
  for (int i = 0; i < model.nv(); ++i) away[i] = .3 * std::sin(1.7 * i + .4);
  world.add("r", model, integrate(model, q, away, 1), {.joint_limits = false, .self_collision = false});
  for (int i = 0; i < model.nv(); ++i) world.v("r")[i] = std::cos(2.3 * i), world.tau("r")[i] = 5 * std::sin(i + .3);
  world.step(h);
  const auto d = differentiated(world);
  EXPECT_TRUE(d.modes.empty());
  EXPECT_LT(deviation(world, d), 1e-7);
}

// The correction of energy and momentum is left out; it is small.
TEST(StepDerivatives, ConservationChangesLittle) {
  auto options = exact();
  options.conserve = true;
  const auto model = load(LISSOM_MODELS_DIR "/quadruped.urdf", {.base = Base::free});
  World world(options);
  world.add("r", model, neutral(model), {.joint_limits = false, .self_collision = false});
  for (int i = 0; i < model.nv(); ++i) world.v("r")[i] = std::cos(2.3 * i);
  world.step(h);
  EXPECT_LT(deviation(world, differentiated(world)), 2e-3);
}

TEST(StepDerivatives, SemiImplicitEuler) {
  auto options = exact();
  options.stepping = World::Options::Stepping::semi_implicit_euler;
  World world(options);
  world.add_ground();
  auto body = RigidBody::homogeneous("box", box(.2, .3, .1), 2);
  body.pose.p = {0, 0, 1};
  world.add(body);
  world.v("box") << 1, 2, 3, 4, 5, 6;
  const auto model = load(LISSOM_MODELS_DIR "/quadruped.urdf", {.base = Base::free});
  auto q = neutral(model);
  q[0] = 5, q[2] = 2;
  world.add("r", model, q, {.joint_limits = false, .self_collision = false});
  for (int i = 0; i < model.nv(); ++i) world.v("r")[i] = std::cos(2.3 * i), world.tau("r")[i] = std::sin(i);
  EXPECT_LT(deviation(world, differentiated(world)), 1e-6);
}

double parameter_error(const World& world, const StepDerivatives& d, int column,
                       const std::function<void(World&, double)>& alter) {
  const auto expected = StepDifferences(world, h, 1e-6).parameter(alter);
  EXPECT_GT(largest(expected), 1e-5);
  return largest(d.P.col(column) - expected) / largest(expected);
}

TEST(StepDerivatives, FrictionAndMassOfABox) {
  World world(exact());
  world.add_ground();
  auto sliding = RigidBody::homogeneous("box", box(.2, .3, .1), 2);
  sliding.pose.p = {0, 0, .05 + 1e-6};
  world.add(sliding);
  world.set_properties("box", "ground", {.friction = .3});
  world.v("box") << .8, .3, 0, 0, 0, 0;
  world.tau("box") << 1, 2, -10, 0, 0, 0;
  const auto d = differentiated(world, {{StepParameter::Kind::friction, "ground", "box"},
                                        {StepParameter::Kind::friction, "", ""},
                                        {StepParameter::Kind::mass, "box"}});
  const auto friction = [](World& w, double by) { w.set_properties("box", "ground", {.friction = .3 + by}); };
  const auto mass = [](World& w, double by) { w.scale_masses(std::array{MassFactors{"box", 1 + by}}); };
  EXPECT_LT(parameter_error(world, d, 0, friction), 1e-6);
  EXPECT_EQ(d.P.col(0), d.P.col(1));
  EXPECT_LT(parameter_error(world, d, 2, mass), 1e-5);
}

TEST(StepDerivatives, MassOfALink) {
  const auto model = load(LISSOM_MODELS_DIR "/arm7.urdf");
  World world(exact());
  Eigen::VectorXd q = neutral(model);
  for (int i = 0; i < model.nv(); ++i) q[i] = .5 * std::sin(i + 1.);
  world.add("arm", model, q, {.self_collision = false});
  for (int i = 0; i < model.nv(); ++i) world.v("arm")[i] = std::cos(1.3 * i), world.tau("arm")[i] = 5 * std::sin(i);
  world.step(h);
  for (const std::string name : {"arm/link4", "arm"}) {
    const auto d = differentiated(world, {{StepParameter::Kind::mass, name}});
    const auto heavier = [&](World& w, double by) { w.scale_masses(std::array{MassFactors{name, 1 + by}}); };
    EXPECT_LT(parameter_error(world, d, 0, heavier), 1e-5) << name;
  }
}

TEST(StepDerivatives, WhatHasNoneIsRefused) {
  World world(exact());
  world.add_ground();
  auto falling = RigidBody::homogeneous("ball", ball(.1), 1);
  falling.pose.p = {0, 0, .1 + 1e-4};
  falling.velocity = {0, 0, -1};
  world.add(falling);
  const auto before = world.state();
  StepDerivatives d;
  EXPECT_NE(error_of([&] { world.step(h, d); }).find("was struck in this step"), std::string::npos);
  EXPECT_EQ(world.state().q, before.q);
  EXPECT_EQ(world.state().v, before.v);
  EXPECT_EQ(world.time(), before.time);
  d.parameters = {{StepParameter::Kind::friction, "bal", ""}};
  world.restore(before);
  world.v("ball").setZero();
  EXPECT_NE(error_of([&] { world.step(h, d); }).find("bal"), std::string::npos);
}

TEST(StepDerivatives, ClosedLoopsAreRefused) {
  const auto model =
      load(LISSOM_MODELS_DIR "/iftomm/a04_bricard.urdf", {.loops_file = LISSOM_MODELS_DIR "/iftomm/a04_bricard.json"});
  World world(exact());
  world.add("bricard", model, neutral(model));
  const auto before = world.state();
  StepDerivatives d;
  EXPECT_NE(error_of([&] { world.step(h, d); }).find("closed loops"), std::string::npos);
  EXPECT_EQ(world.state().q, before.q);
  EXPECT_EQ(world.state().v, before.v);
  EXPECT_EQ(world.time(), before.time);
}

}  // namespace
}  // namespace lissom::test
