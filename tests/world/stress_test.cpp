// Worlds that are hard or make no sense: they stay bounded, or are refused with words.
#include <cmath>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/world/world.h"
#include "world_helpers.h"

namespace lissom::test {
namespace {

// Cubes of 1 g and 1000 kg in turn. Sweeps alone let such a stack collapse, and so do corners that strain against each
// other where friction is small.
class Stack : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Friction, Stack, ::testing::Values(.3, .6, .8, 1.));
TEST_P(Stack, OfOneGramAndOneTonStands) {
  World world;
  world.add_ground();
  world.set_properties("", "", {.friction = GetParam()});
  for (int i = 0; i < 10; ++i) {
    auto cube = RigidBody::homogeneous("cube" + std::to_string(i), box(.1, .1, .1), i % 2 ? 1000 : .001);
    cube.pose.p = {0, 0, .05 + .1 * i};
    world.add(cube);
  }
  for (int k = 0; k < 1000; ++k) {
    const auto report = world.step(1e-3);
    ASSERT_TRUE(report.converged) << k << ": " << report.residual;
  }
  const auto top = world.pose("cube9").p;
  EXPECT_NEAR(top.z, .95, 1e-5);
  EXPECT_NEAR(std::hypot(top.x, top.y), 0, 1e-5);
}

TEST(WorldStress, MassesMayDifferByAHundredMillion) {
  World world;
  world.add_ground();
  auto light = RigidBody::homogeneous("light", box(.1, .1, .1), 1e-3),
       heavy = RigidBody::homogeneous("heavy", box(.1, .1, .1), 1e5);
  light.pose.p = {0, 0, .05}, heavy.pose.p = {0, 0, .15};
  world.add(light);
  world.add(heavy);
  for (int k = 0; k < 500; ++k) world.step(1e-3);
  EXPECT_NEAR(world.pose("heavy").p.z, .15, 1e-4);
}

// More than that is not resolved, and the step says so: which row is off, and by how much.
TEST(WorldStress, MassesThatDifferByABillionAreTold) {
  World world;
  world.add_ground();
  world.set_properties("", "", {.friction = .8});
  auto light = RigidBody::homogeneous("light", box(.1, .1, .1), 1e-3),
       heavy = RigidBody::homogeneous("heavy", box(.1, .1, .1), 1e6);
  light.pose.p = {0, 0, .05}, heavy.pose.p = {0, 0, .15};
  world.add(light);
  world.add(heavy);
  EXPECT_EQ(world.worst_row().name, "");
  int told = 0;
  for (int k = 0; k < 1000; ++k) {
    const auto report = world.step(1e-3);
    const auto row = world.worst_row();
    ASSERT_EQ(row.residual, report.residual);
    if (report.converged) continue;
    ++told;
    EXPECT_TRUE(row.name == "contact of light and ground" || row.name == "contact of heavy and light" ||
                row.name == "contact of light and heavy" || row.name == "contact of ground and light" ||
                row.name == "contact of heavy and ground")
        << row.name;
    EXPECT_EQ(row.unit, "m/s");
  }
  EXPECT_GT(told, 0);
  EXPECT_LT(world.v("heavy").norm(), 5);
}

TEST(WorldStress, RowsOfJointsHaveNames) {
  const auto model = load(LISSOM_MODELS_DIR "/arm7.urdf");
  World::Options options;
  options.gravity = {0, 0, 0};
  World world(options);
  Eigen::VectorXd q = neutral(model);
  q[1] = model.joints()[1].upper[0];
  world.add("arm", model, q);
  world.v("arm")[1] = 1;
  ASSERT_TRUE(world.step(1e-3).converged);
  EXPECT_EQ(world.worst_row().name, "upper limit of joint2 of arm");
  EXPECT_EQ(world.worst_row().unit, "rad/s");
}

// What one sweep leaves is what its last visits have done to the rows before them. Without friction, a ball on a ball
// on the ground has two rows.
TEST(WorldStress, ResidualOfSweepsIsThatOfTheResult) {
  World::Options options;
  options.max_dense_rows = 0, options.max_sweeps_of_large_islands = 1;
  options.default_properties.friction = 0;
  World world(options);
  world.add_ground();
  for (const auto* const name : {"low", "high"}) {
    auto one = RigidBody::homogeneous(name, ball(.1), 1);
    one.pose.p = {0, 0, name[0] == 'l' ? .1 : .3};
    world.add(one);
  }
  const auto report = world.step(1e-3);
  const double low = world.v("low")[2], high = world.v("high")[2];
  const double expected = larger(std::abs(low), std::abs(high - low));
  EXPECT_GT(expected, 1e-3);
  EXPECT_NEAR(report.residual, expected, 1e-12);
}

// 300 rows in one island: 25 cubes of the same mass, or of 10 g and 100 kg in turn. (Of these, the first step starts
// from nothing, and may not end within the budget.)
TEST(WorldStress, HighStacksStand) {
  for (const bool equal : {true, false}) {
    World world;
    world.add_ground();
    world.set_properties("", "", {.friction = .9});
    for (int i = 0; i < 25; ++i) {
      const double mass = equal ? 1 : i % 2 ? 100 : .01;
      auto cube = RigidBody::homogeneous("cube" + std::to_string(i), box(.1, .1, .1), mass);
      cube.pose.p = {0, 0, .05 + .1 * i};
      world.add(cube);
    }
    int unsolved = 0;
    for (int k = 0; k < 100; ++k) unsolved += !world.step(1e-3).converged;
    EXPECT_LE(unsolved, equal ? 0 : 2);
    EXPECT_NEAR(world.pose("cube24").p.z, 2.45, 2e-5);
  }
}

// A cube in a gap that is narrower than itself: nothing can be right, and nothing may explode.
TEST(WorldStress, BodyInATooNarrowGapStaysBounded) {
  World world;
  world.add_ground();
  Pose<double> left, right;
  left.p = {-.148, 0, .5}, right.p = {.148, 0, .5};
  world.add_fixed("left", box(.2, 1, 1), left);
  world.add_fixed("right", box(.2, 1, 1), right);
  auto cube = RigidBody::homogeneous("cube", box(.1, .1, .1), 1);
  cube.pose.p = {0, 0, .3};
  world.add(cube);
  for (int k = 0; k < 1000; ++k) {
    world.step(1e-3);
    ASSERT_LT(world.v("cube").norm(), 5) << k;
    const auto at = world.pose("cube").p;
    ASSERT_LT(std::sqrt(dot(at, at)), 2) << k;
  }
}

// Two walls of a ton close on a ball.
TEST(WorldStress, ClosingWallsStopAtTheBall) {
  World::Options options;
  options.gravity = {0, 0, 0};
  World world(options);
  for (const double side : {-1., 1.}) {
    auto wall = RigidBody::homogeneous(side < 0 ? "left" : "right", box(.1, 1, 1), 1000);
    wall.pose.p = {.3 * side, 0, 0};
    wall.velocity = {-2 * side, 0, 0};
    world.add(wall);
  }
  world.add(RigidBody::homogeneous("ball", ball(.05), 1e-3));
  for (int k = 0; k < 500; ++k) world.step(1e-3);
  EXPECT_NEAR(world.pose("right").p.x - world.pose("left").p.x, .2, 1e-4);
  EXPECT_LT(world.v("left").norm() + world.v("right").norm() + world.v("ball").norm(), 1e-6);
}

// Four cubes that start 5 mm inside of each other part without being thrown.
TEST(WorldStress, DeepOverlapsAreRemovedWithoutSpeed) {
  World::Options options;
  options.gravity = {0, 0, 0};
  World world(options);
  for (int i = 0; i < 4; ++i) {
    auto cube = RigidBody::homogeneous("cube" + std::to_string(i), box(.1, .1, .1), 1);
    cube.pose.p = {0, 0, .095 * i};
    world.add(cube);
  }
  double fastest = 0;
  for (int k = 0; k < 100; ++k) {
    world.step(1e-3);
    for (int i = 0; i < 4; ++i) fastest = larger(fastest, world.v("cube" + std::to_string(i)).norm());
  }
  for (int i = 1; i < 4; ++i)
    EXPECT_GT(world.pose("cube" + std::to_string(i)).p.z - world.pose("cube" + std::to_string(i - 1)).p.z,
              .1 - 2 * options.allowed_overlap);
  EXPECT_LT(fastest, 1e-6);
}

TEST(WorldStress, NonsenseIsRefused) {
  World world;
  world.add_ground();
  EXPECT_NE(error_of([&] { world.add(RigidBody::homogeneous("a", box(0, 0, .1), 1)); }), "");
  EXPECT_NE(error_of([&] { world.add(RigidBody::homogeneous("b", ball(0), 1)); }), "");
  EXPECT_NE(error_of([&] { world.add(RigidBody::homogeneous("c", ball(std::nan("")), 1)); }), "");
  EXPECT_NE(error_of([&] { world.add(RigidBody::homogeneous("d", ball(.1), 0)); }), "");
  EXPECT_NE(error_of([&] { world.exclude("ground", "nothing"); }).find("'nothing'"), std::string::npos);
  world.add(RigidBody::homogeneous("e", ball(.1), 1));
  Description massless;
  massless.name = "massless";
  massless.links.resize(2);
  massless.links[0].name = "a", massless.links[1].name = "b";
  massless.joints.resize(1);
  auto& joint = massless.joints[0];
  joint.name = "hinge", joint.type = JointType::revolute, joint.parent = "a", joint.child = "b";
  EXPECT_NE(error_of([&] { world.add("m", build(massless), Eigen::VectorXd::Zero(1)); }).find("'hinge'"),
            std::string::npos);
  const auto before = world.state();
  world.tau("e")[3] = std::nan("");
  EXPECT_NE(error_of([&] { world.step(1e-3); }).find("'e'"), std::string::npos);
  EXPECT_EQ(world.q("e"), before.q[0]);
  EXPECT_EQ(world.time(), 0);
  world.tau("e")[3] = 1e308;
  world.v("e")[3] = 1e300;
  EXPECT_NE(error_of([&] { world.step(1e3); }).find("'e' after 1000 s"), std::string::npos);
  EXPECT_EQ(world.q("e"), before.q[0]);
}

}  // namespace
}  // namespace lissom::test
