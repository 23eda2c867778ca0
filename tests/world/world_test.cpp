// Worlds: laws of mechanics and of friction, bodies whose motion is known, robots, states, refusals.
#include "lissom/world/world.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "world_helpers.h"

namespace lissom::test {
namespace {

Mat3<double> turned(double x, double y, double z) {
  const double sx = std::sin(x), cx = std::cos(x), sy = std::sin(y), cy = std::cos(y), sz = std::sin(z),
               cz = std::cos(z);
  const Mat3<double> X{1, 0, 0, 0, cx, -sx, 0, sx, cx}, Y{cy, 0, sy, 0, 1, 0, -sy, 0, cy},
      Z{cz, -sz, 0, sz, cz, 0, 0, 0, 1};
  return Z * (Y * X);
}
// 1 kg, μ = 0.4, 1 m/s: it stops after v/(μ g) = 0.25484 s and v²/(2 μ g) = 0.12742 m.
TEST(World, SlidingCubeStopsWhereItShould) {
  World world;
  world.add_ground();
  world.set_properties("", "", {.friction = .4});
  auto cube = RigidBody::homogeneous("cube", box(.1, .1, .1), 1);
  cube.pose.p = {0, 0, .05};
  cube.velocity = {1, 0, 0};
  world.add(cube);
  double stopped = 0;
  for (int k = 0; k < 400; ++k) {
    world.step(1e-3);
    if (stopped == 0 && std::abs(world.v("cube")[0]) < 1e-6) stopped = world.time();
  }
  EXPECT_NEAR(stopped, .25484, 1.1e-3);
  EXPECT_NEAR(world.pose("cube").p.x, .12742, 2e-5);
  EXPECT_NEAR(world.pose("cube").p.z, .05, 1e-9);
  EXPECT_LT(world.v("cube").norm(), 1e-8);
  double weight = 0;
  for (const auto& contact : world.contacts()) weight += contact.force.z;
  EXPECT_NEAR(weight, 9.81, 1e-6);
}

// A slope below the friction angle holds, one above it does not; both directions and off the axes.
TEST(World, FrictionHoldsUpToItsAngle) {
  for (const double direction : {0., .4, 1.3}) {
    for (const bool holds : {true, false}) {
      const double angle = std::atan(.5) + (holds ? -1e-3 : 1e-3);
      World::Options options;
      options.gravity = {9.81 * std::sin(angle) * std::cos(direction), 9.81 * std::sin(angle) * std::sin(direction),
                         -9.81 * std::cos(angle)};
      World world(options);
      world.add_ground();
      world.set_properties("", "", {.friction = .5});
      auto cube = RigidBody::homogeneous("cube", box(.2, .2, .02), 2);
      cube.pose.p = {0, 0, .01};
      world.add(cube);
      for (int k = 0; k < 300; ++k) world.step(1e-3);
      const double speed = world.v("cube").head<3>().norm();
      if (holds)
        EXPECT_LT(speed, 1e-9);
      else
        EXPECT_NEAR(speed, .3 * 9.81 * (std::sin(angle) - .5 * std::cos(angle)), 1e-6);
    }
  }
}

// 1 g below 1000 kg.
TEST(World, HeavyOnLightStands) {
  World::Options options;
  options.tolerance = 1e-9;
  World world(options);
  world.add_ground();
  world.set_properties("", "", {.friction = .9});
  for (int i = 0; i < 2; ++i) {
    auto cube = RigidBody::homogeneous("cube" + std::to_string(i), box(.1, .1, .1), i % 2 ? 1000 : 1e-3);
    cube.pose.p = {0, 0, .05 + .1 * i};
    world.add(cube);
  }
  for (int k = 0; k < 500; ++k) world.step(1e-3);
  EXPECT_NEAR(world.pose("cube1").p.z, .15, 5e-5);
  EXPECT_LT(world.v("cube1").norm(), 1e-5);
}

// Whatever hits whatever: energy does not grow, and nothing sinks in.
TEST(World, EnergyNeverGrows) {
  for (const double restitution : {0., .3, .8})
    for (const double friction : {0., .3, 1.}) {
      World world;
      world.add_ground();
      world.set_properties("", "", {.friction = friction, .restitution = restitution});
      for (int i = 0; i < 4; ++i) {
        auto cube = RigidBody::homogeneous("cube" + std::to_string(i), box(.2, .15, .1), 1);
        cube.pose = {turned(.3 * i, .7, .2 * i), {.3 * (i % 2), .1 * i, .4 + .3 * i}};
        cube.velocity = {.5, -.2 * i, -1};
        cube.angular_velocity = {3, 1. * i, -2};
        world.add(cube);
      }
      double last = energy(world);
      double largest_gain = 0;
      for (int k = 0; k < 1500; ++k) {
        world.step(1e-3);
        const double now = energy(world);
        largest_gain = larger(largest_gain, now - last);
        last = now;
      }
      EXPECT_LT(largest_gain, 2e-3) << "e " << restitution << ", friction " << friction;
      for (int i = 0; i < 4; ++i) EXPECT_GT(world.pose("cube" + std::to_string(i)).p.z, .045);
    }
}

TEST(World, ImpulseLawStaysInTheConeAndLosesEnergy) {
  World world;
  world.add_ground();
  world.set_properties(
      "", "", {.friction = .2, .impact_friction = .15, .restitution = .2, .law = ContactProperties::Law::impulse});
  auto die = RigidBody::homogeneous("die", box(.1, .1, .1), .37);
  die.rounding = .006;
  die.pose = {turned(.3, .7, .2), {0, 0, .5}};
  die.velocity = {1, 0, 0};
  die.angular_velocity = {5, 3, 1};
  world.add(die);
  double last = energy(world);
  for (int k = 0; k < 2000; ++k) {
    world.step(1e-3);
    EXPECT_LT(energy(world), last + 1e-5);
    last = energy(world);
  }
  EXPECT_NEAR(world.pose("die").p.z, .05, 1e-3);
  EXPECT_LT(world.v("die").norm(), 1e-6);
}

// A ball bounces with e times the speed with which it came, wherever in a step it meets the ground, by both laws.
TEST(World, BothLawsOfRestitutionBounceABallAlike) {
  for (const auto law : {ContactProperties::Law::newton, ContactProperties::Law::impulse})
    for (int i = 0; i < 7; ++i) {
      World world;
      world.add_ground();
      world.set_properties("", "", {.friction = .3, .restitution = .6, .law = law});
      auto b = RigidBody::homogeneous("ball", ball(.1), 2);
      b.pose.p = {0, 0, .2 + 3e-4 * i};
      world.add(b);
      double fastest = 0;
      while (world.v("ball")[2] <= 0 && world.time() < 1) {
        fastest = larger(fastest, -world.v("ball")[2]);
        world.step(1e-3);
      }
      EXPECT_NEAR(world.v("ball")[2], .6 * fastest, .02) << i;  // 2 h g
      EXPECT_GT(fastest, 1.3);
    }
}

// Two bodies collide in empty space: momentum, linear and angular, stays.
TEST(World, MomentumStays) {
  World::Options options;
  options.gravity = {0, 0, 0};
  World world(options);
  auto a = RigidBody::homogeneous("a", box(.3, .2, .1), 2);
  a.angular_velocity = {1, 2, 3};
  auto b = RigidBody::homogeneous("b", ball(.1), 1);
  b.pose.p = {-1, .05, .02};
  b.velocity = {5, 0, 0};
  world.add(a), world.add(b);
  const Vector6 before = world.momentum();
  for (int k = 0; k < 1000; ++k) world.step(1e-3);
  const Vector6 after = world.momentum();
  EXPECT_LT((after - before).head<3>().norm(), 1e-12);
  EXPECT_LT((after - before).tail<3>().norm(), 1e-4);  // rotation is integrated to second order
  EXPECT_GT(world.v("a").head<3>().norm(), .5);        // they met
}

TEST(World, TheSameStateGivesTheSameBits) {
  const auto make = [] {
    World world;
    world.add_ground();
    for (int i = 0; i < 5; ++i) {
      auto cube = RigidBody::homogeneous("cube" + std::to_string(i), box(.2, .15, .1), 1 + i);
      cube.pose = {turned(.3 * i, .7, .2 * i), {.05 * i, 0, .3 + .25 * i}};
      world.add(cube);
    }
    return world;
  };
  auto one = make(), two = make();
  for (int k = 0; k < 400; ++k) one.step(1e-3);
  const auto state = one.state();
  for (int k = 0; k < 200; ++k) one.step(1e-3);
  two.restore(state);
  for (int k = 0; k < 200; ++k) two.step(1e-3);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(one.q("cube" + std::to_string(i)), two.q("cube" + std::to_string(i)));
  EXPECT_EQ(one.time(), two.time());
}

TEST(World, RobotsFallAndLieStill) {
  const auto robot = load(LISSOM_MODELS_DIR "/quadruped.urdf", {.base = Base::free});
  World world;
  world.add_ground();
  world.set_properties("", "", {.friction = .7});
  auto q = neutral(robot);
  q[2] = 1;
  world.add("robot", robot, q);
  double last = energy(world);
  int unsolved = 0;
  for (int k = 0; k < 1500; ++k) {
    for (int i = 6; i < robot.nv(); ++i) world.tau("robot")[i] = -.5 * world.v("robot")[i];
    unsolved += !world.step(1e-3).converged;
    EXPECT_LT(energy(world), last + .05) << k;
    last = energy(world);
  }
  EXPECT_LE(unsolved, 15);
  EXPECT_GT(world.q("robot")[2], 0);
  EXPECT_LT(world.q("robot")[2], .9);
  double weight = 0;
  for (const auto& contact : world.contacts()) weight += contact.force.z;
  EXPECT_NEAR(weight, 9.81 * robot.mass(), .1 * 9.81 * robot.mass());
}

TEST(World, NonsenseIsRefused) {
  World world;
  world.add_ground();
  EXPECT_NE(error_of([&] { world.add_ground(); }).find("already"), std::string::npos);
  EXPECT_NE(error_of([&] { world.add(RigidBody::homogeneous("x", box(1, 1, 1), 0)); }).find("mass"), std::string::npos);
  EXPECT_NE(error_of([&] { world.set_properties("ground", "wall", {}); }).find("'wall'"), std::string::npos);
  EXPECT_NE(error_of([&] { world.set_properties("", "", {.restitution = 2}); }).find("restitution"), std::string::npos);
  EXPECT_NE(error_of([&] { world.step(0); }).find("positive"), std::string::npos);
  EXPECT_NE(error_of([&] { world.q("ground"); }).find("fixed"), std::string::npos);
  world.add(RigidBody::homogeneous("ball", ball(.1), 1));
  world.tau("ball")[0] = NAN;
  const auto before = world.state();
  EXPECT_NE(error_of([&] { world.step(1e-3); }).find("not finite"), std::string::npos);
  EXPECT_EQ(world.state().q[0], before.q[0]);
}

TEST(World, ImuOnABodyAtRestShowsGravity) {
  World world;
  world.add_ground();
  auto body = RigidBody::homogeneous("box", box(.2, .2, .2), 1);
  body.com = {0, 0, .02};
  body.pose.p = {0, 0, .1};
  world.add(body);
  world.add_imu("imu", "box", {{0, 0, 1, 0, 1, 0, -1, 0, 0}, {0, 0, 0}});  // its x axis points down
  for (int k = 0; k < 20; ++k) world.step(1e-3);
  const auto reading = world.imu("imu");
  EXPECT_NEAR(reading.specific_force.x, -9.81, 1e-6);
  EXPECT_NEAR(reading.specific_force.z, 0, 1e-6);
  EXPECT_NEAR(reading.angular_velocity.x, 0, 1e-9);
  EXPECT_NE(error_of([&] { world.imu("other"); }).find("'other'"), std::string::npos);
  EXPECT_NE(error_of([&] { world.add_imu("imu", "box"); }).find("'imu'"), std::string::npos);
  EXPECT_NE(error_of([&] { world.add_imu("second", "bos"); }).find("'bos'"), std::string::npos);
}

// A body that turns about a vertical axis feels the centripetal acceleration at an arm's length, and falls without
// weight.
TEST(World, ImuOnATurningBodyShowsItsArm) {
  World world;
  auto body = RigidBody::homogeneous("box", box(.2, .2, .2), 1);
  body.angular_velocity = {0, 0, 5};
  world.add(body);
  world.add_imu("imu", "box", {identity3<double>(), {.3, 0, 0}});
  for (int k = 0; k < 50; ++k) world.step(1e-4);
  const auto reading = world.clone().imu("imu");
  EXPECT_NEAR(reading.angular_velocity.z, 5, 1e-9);
  EXPECT_NEAR(reading.specific_force.x, -25 * .3, 1e-2);
  EXPECT_NEAR(reading.specific_force.z, 0, 1e-9);
}

TEST(World, ImuOnALink) {
  const auto robot = load(LISSOM_MODELS_DIR "/quadruped.urdf", {.base = Base::free});
  World world;
  auto q = neutral(robot);
  q[2] = 5;
  world.add("r", robot, q);
  const auto& link = robot.links().back().name;
  world.add_imu("foot", "r/" + link);
  world.v("r")[5] = 2;
  world.step(1e-3);
  EXPECT_NEAR(world.imu("foot").angular_velocity.z, 2, 1e-2);
  EXPECT_NE(error_of([&] { world.add_imu("all", "r"); }).find("is a robot"), std::string::npos);
}

// A small ball on the very edge of a box of 1 m: beside the flat part where the edge is rounded, so that it lies lower.
TEST(World, EdgesOfFixedShapesMayBeRound) {
  for (const double rounding : {0., .1}) {
    World world;
    world.add_fixed("table", box(1, 1, 1), {.p = {0, 0, .5}}, rounding);
    auto one = RigidBody::homogeneous("ball", ball(.01), 1);
    one.pose.p = {.47, 0, 1.01};
    world.add(one);
    world.step(1e-3);
    // Its center is .07 m beside the line about which the edge is round: a gap of 2 cm.
    EXPECT_EQ(world.contacts().empty(), rounding > 0) << rounding;
  }
  World world;
  EXPECT_NE(error_of([&] { world.add_fixed("thin", box(1, 1, .1), {}, .2); }), "");
  EXPECT_TRUE(world.names().empty());
}

// Of first order: a ball that is thrown lags behind by g h t/2, which the trapezoid does not.
TEST(World, SemiImplicitEulerIsOfFirstOrder) {
  for (const bool euler : {false, true}) {
    World::Options options;
    if (euler) options.stepping = World::Options::Stepping::semi_implicit_euler;
    World world(options);
    world.add(RigidBody::homogeneous("ball", ball(.1), 1));
    for (int k = 0; k < 100; ++k) world.step(1e-2);
    EXPECT_NEAR(world.q("ball")[2], -.5 * 9.81 - (euler ? .5 * 9.81 * 1e-2 : 0), 1e-9);
  }
}

}  // namespace
}  // namespace lissom::test
