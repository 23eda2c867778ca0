// Copies of worlds, other masses, and many worlds at once: the same bits as one at a time, parameters of their own,
// worlds that fail.
#include "lissom/world/world_batch.h"

#include <limits>

#include <gtest/gtest.h>

#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "world_helpers.h"

namespace lissom::test::world_batch {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// A box that slides and tips over.
World box_world(double speed = 2) {
  World world;
  world.add_ground();
  auto body = RigidBody::homogeneous("box", box(.1, .2, .3), 2);
  body.pose.p = {0, 0, .1501};
  body.velocity = {speed, .1, 0};
  world.add(body);
  world.set_properties("box", "ground", {.friction = .8});
  return world;
}

Model humanoid() {
  return load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
}

World humanoid_world(const Model& model) {
  World world;
  world.add_ground();
  Eigen::VectorXd q = neutral(model);
  q[2] = 1.2;
  world.add("robot", model, q);
  auto ball_above = RigidBody::homogeneous("ball", ball(.1), 3);
  ball_above.pose.p = {.05, .02, 2.4};
  world.add(ball_above);
  world.set_servos("robot", {Eigen::VectorXd::Constant(model.nv(), 0), Eigen::VectorXd::Constant(model.nv(), 3), q,
                             Eigen::VectorXd::Zero(model.nv())});
  world.v("robot")[4] = .7;
  return world;
}

void expect_same_bits(World& a, World& b) {
  const auto x = a.state(), y = b.state();
  ASSERT_EQ(x.q.size(), y.q.size());
  EXPECT_EQ(x.time, y.time);
  for (std::size_t i = 0; i < x.q.size(); ++i) {
    EXPECT_TRUE(x.q[i].allFinite());
    EXPECT_TRUE(x.q[i] == y.q[i]) << i << "\n" << (x.q[i] - y.q[i]).transpose();
    EXPECT_TRUE(x.v[i] == y.v[i]) << i << "\n" << (x.v[i] - y.v[i]).transpose();
  }
  EXPECT_EQ(x.impulses.size(), y.impulses.size());
}

TEST(WorldCopy, MovesWithTheSameBits) {
  const auto model = humanoid();
  auto world = humanoid_world(model);
  for (int k = 0; k < 300; ++k) world.step(2e-3);
  ASSERT_GT(world.contacts().size(), 2U);
  auto copy = world.clone();
  ASSERT_EQ(copy.contacts().size(), world.contacts().size());
  EXPECT_EQ(copy.contacts()[0].slip, world.contacts()[0].slip);
  EXPECT_EQ(copy.contact_force("ground").z, world.contact_force("ground").z);
  EXPECT_EQ(copy.names(), world.names());
  EXPECT_TRUE(copy.motor_torques("robot") == world.motor_torques("robot"));
  for (int k = 0; k < 100; ++k) world.step(2e-3);
  EXPECT_NE(copy.time(), world.time());
  for (int k = 0; k < 100; ++k) copy.step(2e-3);
  expect_same_bits(world, copy);
}

// Momentum is carried from step to step.
TEST(WorldCopy, OfARobotThatFlies) {
  auto world = humanoid_world(humanoid());
  for (int k = 0; k < 25; ++k) world.step(1e-3);
  ASSERT_TRUE(world.contacts().empty());
  auto copy = world.clone();
  for (int k = 0; k < 25; ++k) world.step(1e-3), copy.step(1e-3);
  ASSERT_TRUE(world.contacts().empty());
  expect_same_bits(world, copy);
}

TEST(WorldCopy, OfAStateThatWasSet) {
  const auto model = humanoid();
  auto world = humanoid_world(model);
  for (int k = 0; k < 10; ++k) world.step(2e-3);
  world.q("robot")[7] += .1;
  world.v("robot")[3] -= 1;
  auto copy = world.clone();
  for (int k = 0; k < 10; ++k) world.step(2e-3), copy.step(2e-3);
  expect_same_bits(world, copy);
}

TEST(WorldCopy, OutlivesItsOrigin) {
  std::optional<World> copy;
  {
    auto world = box_world();
    for (int k = 0; k < 20; ++k) world.step(1e-3);
    copy = world.clone();
  }
  for (int k = 0; k < 2000; ++k) copy->step(1e-3);
  EXPECT_NEAR(copy->contact_force("box").z, 2 * 9.81, 1e-6);
}

TEST(WorldMasses, OfBodiesLinksAndRobots) {
  const auto model = humanoid();
  auto world = humanoid_world(model);
  const std::string link = "robot/" + model.links()[2].name;
  const double of_link = world.mass(link), of_robot = world.mass("robot");
  ASSERT_GT(of_link, 0);
  const MassFactors factors[] = {{"ball", 2}, {"robot", 1.5}, {link, 2, 3}};
  world.scale_masses(factors);
  EXPECT_DOUBLE_EQ(world.mass("ball"), 6);
  EXPECT_DOUBLE_EQ(world.mass(link), 3 * of_link);
  EXPECT_NEAR(world.mass("robot"), 1.5 * (of_robot + of_link), 1e-9);
  EXPECT_DOUBLE_EQ(world.robot("robot")->description().links[2].inertia.xx,
                   4.5 * model.description().links[2].inertia.xx);
  EXPECT_EQ(world.v("robot")[4], .7);
  for (int k = 0; k < 1500; ++k) world.step(2e-3);
  EXPECT_NEAR(world.contact_force("ground").z, -9.81 * (world.mass("robot") + 6), 3);
}

TEST(WorldMasses, MoveAsWorldsMadeSo) {
  auto light = RigidBody::homogeneous("box", box(.1, .2, .3), 2),
       heavy = RigidBody::homogeneous("box", box(.1, .2, .3), 6);
  World a, b;
  for (auto* const body : {&light, &heavy}) body->angular_velocity = {1, 2, 3};
  a.add(light), b.add(heavy);
  const MassFactors factors[] = {{"box", 3}};
  a.scale_masses(factors);
  for (auto* const world : {&a, &b}) world->tau("box") << 1, 2, 3, .01, .02, .03;
  for (int k = 0; k < 100; ++k) a.step(1e-3), b.step(1e-3);
  EXPECT_LT((a.v("box") - b.v("box")).norm(), 1e-12);
  EXPECT_NEAR(a.kinetic_energy(), b.kinetic_energy(), 1e-12);
}

TEST(WorldMasses, Refusals) {
  auto world = box_world();
  const auto scale = [&](const MassFactors& factors) {
    return error_of([&] { world.scale_masses(std::span(&factors, 1)); });
  };
  EXPECT_NE(scale({"box", 0}).find("mass of 'box' is 0, expected a positive number"), std::string::npos);
  EXPECT_NE(scale({"box", 1, nan}).find("inertia of 'box' is nan, expected a positive number"), std::string::npos);
  EXPECT_NE(scale({"bix", 1}).find("nothing called 'bix'"), std::string::npos);
  EXPECT_NE(scale({"ground", 1}).find("'ground' is fixed"), std::string::npos);
  EXPECT_EQ(world.mass("box"), 2);
}

TEST(WorldBatch, SameBitsAsAloneForAnyNumberOfThreads) {
  const auto model = humanoid();
  const auto prototype = humanoid_world(model);
  const long count = 5;
  const auto prepare = [&](World& world, long row) {
    world.v("robot")[3] = .3 * double(row);
    world.q("ball")[0] += .02 * double(row);
    world.tau("robot")[10] = double(row);
  };
  std::vector<World> alone;
  for (long i = 0; i < count; ++i) {
    alone.push_back(prototype.clone());
    prepare(alone.back(), i);
    for (int k = 0; k < 250; ++k) alone.back().step(2e-3);
  }
  ASSERT_NE(alone[0].q("robot")[0], alone[1].q("robot")[0]);
  for (const int threads : {1, 2, 3}) {
    WorldBatch batch(prototype, count, threads);
    ASSERT_EQ(batch.threads(), threads);
    for (long i = 0; i < count; ++i) prepare(batch.world(i), i);
    EXPECT_TRUE(batch.step(2e-3, 100).empty());
    for (int k = 0; k < 150; ++k) EXPECT_TRUE(batch.step(2e-3).empty());
    for (long i = 0; i < count; ++i) expect_same_bits(batch.world(i), alone[std::size_t(i)]);
  }
}

TEST(WorldBatch, RowThatFailsStopsAndDisturbsNoOther) {
  const auto prototype = box_world();
  WorldBatch batch(prototype, 4, 2);
  auto alone = prototype.clone();
  for (int k = 0; k < 10; ++k) alone.step(1e-3);
  EXPECT_TRUE(batch.step(1e-3, 10).empty());
  batch.world(2).tau("box")[1] = nan;
  const auto failed = batch.step(1e-3, 5);
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_EQ(failed[0].row, 2);
  EXPECT_NE(failed[0].what.find("'box' is not finite"), std::string::npos) << failed[0].what;
  expect_same_bits(batch.world(2), alone);
  EXPECT_TRUE(batch.step(1e-3, 5).empty());  // reported once, and listed
  ASSERT_EQ(batch.failures().size(), 1U);
  EXPECT_EQ(batch.world(2).time(), alone.time());
  EXPECT_EQ(batch.reports()[2].contacts, 0);
  EXPECT_GT(batch.reports()[1].contacts, 0);
  for (int k = 0; k < 10; ++k) alone.step(1e-3);
  for (const long i : {0, 1, 3}) expect_same_bits(batch.world(i), alone);
  batch.world(2).tau("box").setZero();
  batch.resume(2);
  EXPECT_TRUE(batch.step(1e-3, 10).empty());
  EXPECT_TRUE(batch.failures().empty());
  EXPECT_NEAR((batch.world(2).q("box") - alone.q("box")).norm(), 0, 1e-9);
}

TEST(WorldBatch, RowThatDivergesKeepsItsLastState) {
  WorldBatch batch(box_world(), 3, 2);
  batch.world(1).v("box")[0] = 1e308;
  const auto before = batch.q("box");
  std::vector<batch::FailedRow> failed;
  for (int k = 0; k < 40 && failed.empty(); ++k) failed = batch.step(1e-3);
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_EQ(failed[0].row, 1);
  EXPECT_TRUE(batch.q("box").allFinite() && batch.v("box").allFinite());
}

TEST(WorldBatch, RandomizedMassesAndFriction) {
  WorldBatch batch(box_world(1), 3, 2);
  batch.scale_masses(std::array{MassFactorRows{"box", Eigen::Vector3d(.5, 1, 4)}});
  batch.set_friction("box", "ground", Eigen::Vector3d(.2, .1, .15));
  EXPECT_TRUE(batch.step(1e-3, 1500).empty());
  const auto force = batch.contact_force("box"), q = batch.q("box");
  ASSERT_EQ(force.rows(), 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(force(i, 2), 9.81 * Eigen::Vector3d(1, 2, 8)[i], 1e-5);
    // v² / (2 μ g), whatever the mass.
    EXPECT_NEAR(q(i, 0), 1.01 / (2 * 9.81 * Eigen::Vector3d(.2, .1, .15)[i]), .01);
  }
  WorldBatch other(box_world(1), 3, 1);
  other.set_friction("box", "ground", Eigen::Vector3d(.2, .1, .15));
  EXPECT_EQ(other.world(1).properties("ground", "box").friction, .1);
  EXPECT_TRUE(other.step(1e-3, 1500).empty());
  EXPECT_NEAR((other.q("box") - q).norm(), 0, 1e-4);
}

TEST(WorldBatch, ServosByRow) {
  const auto model = load(LISSOM_MODELS_DIR "/arm7.urdf");
  World world;
  world.add("arm", model, neutral(model));
  WorldBatch batch(world, 3, 2);
  ServoRows servos{batch::Rows<double>::Constant(3, 7, 4000), batch::Rows<double>::Constant(1, 7, 200),
                   batch::Rows<double>::Zero(3, 7), batch::Rows<double>::Zero(1, 7)};
  servos.q_target.col(0) << .1, .2, .3;
  servos.stiffness.row(2).setZero();
  batch.set_servos("arm", servos);
  EXPECT_TRUE(batch.step(1e-3, 2000).empty());
  const auto q = batch.q("arm");
  EXPECT_NEAR(q(0, 0), .1, 1e-3);
  EXPECT_NEAR(q(1, 0), .2, 1e-3);
  EXPECT_GT(std::abs(q(2, 0) - .3), .05);
  EXPECT_EQ(batch.motor_torques("arm").cols(), 7);
  EXPECT_EQ(batch.world(1).servos("arm").q_target[0], .2);
}

TEST(WorldBatch, WorldsOfAFunction) {
  WorldBatch batch(3, [](long row) { return box_world(double(row)); }, 2);
  EXPECT_EQ(batch.v("box").col(0), Eigen::Vector3d(0, 1, 2));
  batch.set_v("box", Eigen::MatrixXd::Zero(1, 6));
  EXPECT_EQ(batch.v("box").norm(), 0);
  WorldBatch::Rows tau = WorldBatch::Rows::Zero(3, 6);
  tau(1, 2) = 5;
  batch.set_tau("box", tau);
  EXPECT_EQ(batch.world(1).tau("box")[2], 5);
  EXPECT_EQ(batch.tau("box"), tau);
}

TEST(WorldBatch, Refusals) {
  WorldBatch batch(box_world(), 3, 1);
  EXPECT_EQ(error_of([&] { batch.set_q("box", Eigen::MatrixXd::Zero(2, 7)); }),
            "q of 'box' has 2 rows, expected 3, one for each world, or one for all of them");
  EXPECT_EQ(error_of([&] { batch.set_q("box", Eigen::MatrixXd::Zero(3, 6)); }), "q of 'box' has 6 columns, expected 7");
  EXPECT_EQ(error_of([&] { batch.world(3); }), "row is 3, expected 0 to 2 in a batch of 3 worlds");
  EXPECT_NE(error_of([&] { batch.set_friction("box", "ground", Eigen::Vector3d(1, -1, 1)); }).find("row 1: "),
            std::string::npos);
  EXPECT_NE(error_of([&] { (void)batch.step(-1); }).find("h is -1 s"), std::string::npos);
  EXPECT_NE(error_of([&] { WorldBatch(box_world(), -1); }).find("count is -1"), std::string::npos);
  EXPECT_TRUE(WorldBatch(box_world(), 0).step(1e-3).empty());
}

TEST(WorldBatch, ReportsOfSeveralStepsAreCombined) {
  const StepReport first{
      .contacts = 4, .sweeps = 2, .factorizations = 1, .residual = 1e-3, .impact = true, .converged = false};
  const StepReport second{.contacts = 3, .sweeps = 5, .factorizations = 2, .residual = 1e-9, .moved_apart = true};
  const auto both = combined(first, second);
  EXPECT_EQ(both.contacts, 3);
  EXPECT_EQ(both.sweeps, 7);
  EXPECT_EQ(both.factorizations, 3);
  EXPECT_EQ(both.residual, 1e-3);
  EXPECT_TRUE(both.impact && both.moved_apart && !both.converged);
}

}  // namespace
}  // namespace lissom::test::world_batch
