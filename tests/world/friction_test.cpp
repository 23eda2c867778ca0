// Torsional and rolling friction in closed form, and materials of robots' files.
#include <cmath>

#include <gtest/gtest.h>

#include "lissom/api/state.h"
#include "lissom/spatial/quaternion.h"
#include "world_helpers.h"

namespace lissom::test {
namespace {

constexpr double radius = .1, g = 9.81;

World with_ball(const ContactProperties& properties, const Vec3<double>& velocity, const Vec3<double>& angular,
                const World::Options& options = {}) {
  World world(options);
  auto body = RigidBody::homogeneous("ball", ball(radius), 2);
  body.pose.p = {0, 0, radius};
  body.velocity = velocity, body.angular_velocity = angular;
  world.add(body);
  world.add_ground();
  world.set_properties("ball", "ground", properties);
  return world;
}

// ω falls by μ_t m g / I a second, and stays 0.
TEST(World, ABallStopsSpinning) {
  const double torsion = .01, omega = 10, rate = torsion * g / (.4 * radius * radius);
  auto world = with_ball({.friction = .5, .torsional_friction = torsion}, {0, 0, 0}, {0, 0, omega});
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(world.step(1e-3).converged);
  EXPECT_NEAR(world.v("ball")[5], omega - rate * .3, 1e-9);
  const auto reading = world.contacts().at(0);
  EXPECT_NEAR(reading.torque.z, (reading.a == "ball" ? -1 : 1) * torsion * 2 * g, 1e-9);
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(world.step(1e-3).converged);
  EXPECT_NEAR(world.v("ball")[5], 0, 1e-9);
  EXPECT_NEAR(world.contacts().at(0).torque.z, 0, 1e-9);
}

// (m + I/r²) a = -μ_r m g / r
TEST(World, ABallStopsRolling) {
  const double rolling = .005, v = 1, a = rolling * g / (1.4 * radius);
  auto world = with_ball({.friction = .5, .rolling_friction = rolling}, {v, 0, 0}, {0, v / radius, 0});
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(world.step(1e-3).converged);
  EXPECT_NEAR(world.v("ball")[0], v - a, 1e-6);
  for (int i = 0; i < 3000; ++i) ASSERT_TRUE(world.step(1e-3).converged);
  EXPECT_NEAR(world.v("ball")[0], 0, 1e-9);
  EXPECT_NEAR(world.q("ball")[0], v * v / (2 * a), 1e-3);
}

// On a slope of angle α it stays where tan α < μ_r / r, and rolls with g (sin α - cos α μ_r / r) / 1.4 beyond.
TEST(World, RollingFrictionHoldsABallOnASlope) {
  const double rolling = .005;
  for (const double slope : {.045, .06}) {
    World::Options options;
    options.gravity = {g * std::sin(slope), 0, -g * std::cos(slope)};
    auto world = with_ball({.friction = .5, .rolling_friction = rolling}, {0, 0, 0}, {0, 0, 0}, options);
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(world.step(1e-3).converged);
    const double a = g * (std::sin(slope) - std::cos(slope) * rolling / radius) / 1.4;
    EXPECT_NEAR(world.v("ball")[0], std::max(a, 0.), 1e-6) << slope;
  }
}

// The same in an island that is too large for a matrix.
TEST(World, SweepsAloneSolveTorsionalAndRollingFriction) {
  World::Options options;
  options.max_dense_rows = 0;
  options.max_sweeps_of_large_islands = 2000;
  const double rolling = .005, torsion = .01, v = 1;
  auto world = with_ball({.friction = .5, .torsional_friction = torsion, .rolling_friction = rolling}, {v, 0, 0},
                         {0, v / radius, 10}, options);
  for (int i = 0; i < 300; ++i) ASSERT_LT(world.step(1e-3).residual, 1e-6);
  EXPECT_NEAR(world.v("ball")[0], v - .3 * rolling * g / (1.4 * radius), 1e-5);
  const auto omega =
      matrix(Quaternion<double>{world.q("ball")[3], world.q("ball")[4], world.q("ball")[5], world.q("ball")[6]}) *
      Vec3<double>{world.v("ball")[3], world.v("ball")[4], world.v("ball")[5]};
  EXPECT_NEAR(omega.z, 10 - .3 * torsion * g / (.4 * radius * radius), 1e-4);
}

// Angular momentum of two bodies in the air that touch and turn against each other stays.
TEST(World, TorsionalFrictionKeepsAngularMomentum) {
  World::Options options;
  options.gravity = {0, 0, 0};
  World world(options);
  for (const double side : {-1., 1.}) {
    auto body = RigidBody::homogeneous(side < 0 ? "left" : "right", ball(radius), 1);
    body.pose.p = {side * radius, 0, 0};
    body.velocity = {-side * .5, 0, 0};
    body.angular_velocity = {side < 0 ? 20. : -5., 0, 0};
    world.add(body);
  }
  world.set_properties("left", "right", {.friction = .5, .torsional_friction = .05});
  const auto before = world.momentum();
  for (int i = 0; i < 5; ++i) world.step(1e-3);
  EXPECT_LT((world.momentum() - before).norm(), 1e-12);
  EXPECT_LT(world.v("left")[3], 19.9);
}

Model sliding_box(double friction) {
  Description d;
  d.name = "box";
  LinkDescription link;
  link.name = "box", link.mass = 1, link.inertia = {.01, 0, 0, .01, 0, .01};
  Geometry shape;
  shape.shape.size = {.2, .2, .2};
  shape.contact_material = "skin";
  link.collisions.push_back(shape);
  d.links.push_back(link);
  d.contact_materials.push_back({"skin", friction, 0, 0});
  return build(d, {.base = Base::free});
}

// The friction of a robot's file acts, unless the program says another.
TEST(World, MaterialsOfTheFileAct) {
  const auto speed_after = [](double of_file, double of_other, std::optional<double> said) {
    World world;
    for (const auto& [name, friction, x] : {std::tuple{"a", of_file, 0.}, std::tuple{"b", of_other, 5.}}) {
      const Model model = sliding_box(friction);
      Eigen::VectorXd q = neutral(model);
      q[0] = x, q[2] = .1;
      world.add(name, model, q);
      world.v(name)[0] = 1;
    }
    world.add_ground();
    if (said) world.set_properties("a", "ground", {.friction = *said});
    for (int i = 0; i < 100; ++i) world.step(1e-3);
    return std::pair{world.v("a")[0], world.v("b")[0]};
  };
  const auto file = speed_after(.2, .3, {});
  EXPECT_NEAR(file.first, 1 - .2 * g * .1, 1e-6);
  EXPECT_NEAR(file.second, 1 - .3 * g * .1, 1e-6);
  EXPECT_NEAR(speed_after(.2, .3, .1).first, 1 - .1 * g * .1, 1e-6);
}

TEST(World, WrongFrictionIsRefused) {
  World world;
  world.add_ground();
  EXPECT_NE(
      error_of([&] { world.set_properties("ground", "", {.torsional_friction = -1}); }).find("expected 0 or more"),
      std::string::npos);
  EXPECT_NE(error_of([&] { world.set_properties("ground", "", {.rolling_friction = NAN}); }).find("expected 0 or more"),
            std::string::npos);
}

}  // namespace
}  // namespace lissom::test
