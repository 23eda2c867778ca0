// What a step did to the energy: each part against what is known of it, and their sum against the change of the energy.
#include <cmath>

#include <gtest/gtest.h>

#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/constraints/closed_loops.h"
#include "lissom/io/loops_file.h"
#include "lissom/world/energy_audit.h"
#include "lissom/world/world.h"
#include "world_helpers.h"

namespace lissom::test::step_work {
namespace {

constexpr double standard_gravity = 9.81;

World::Options audited(ContactProperties properties = {}) {
  World::Options options;
  options.audit = true;
  options.default_properties = properties;
  return options;
}

// Runs a world, and keeps its accounts.
EnergyFigures run(World& world, double seconds, double step = 1e-3, const std::function<void()>& before = {}) {
  EnergyAudit audit;
  const auto read = [&] { audit.read(world.time(), world.kinetic_energy(), world.potential_energy()); };
  read();
  for (int k = 0; k < int(std::lround(seconds / step)); ++k) {
    if (before) before();
    audit.add(world.step(step).work);
    read();
  }
  return audit.figures();
}

Model pendulum(const std::function<void(JointDescription&)>& change) {
  Description d;
  d.name = "pendulum";
  d.links.resize(2);
  d.links[0].name = "base", d.links[1].name = "rod";
  d.links[1].mass = 1, d.links[1].com = {0, 0, -1}, d.links[1].inertia = {1e-3, 0, 0, 1e-3, 0, 1e-3};
  JointDescription joint;
  joint.name = "hinge", joint.type = JointType::revolute, joint.parent = "base", joint.child = "rod";
  joint.axis = {0, 1, 0};
  change(joint);
  d.joints = {joint};
  return build(d);
}
Eigen::VectorXd one(double x) {
  return Eigen::VectorXd::Constant(1, x);
}

// A ball that falls from a height H loses (1 - e²) m g H.
TEST(StepWork, ImpactsTakeWhatTheirRestitutionLeaves) {
  constexpr double height = .5;
  for (const double e : {0., .5, 1.}) {
    World world(audited({.friction = 0, .restitution = e}));
    auto ball = RigidBody::homogeneous("ball", test::ball(.1), 2);
    ball.pose.p = {0, 0, .1 + height};
    world.add(ball);
    world.add_ground();
    const auto found = run(world, .45);  // one impact, at .32 s
    EXPECT_NEAR(found.work.impacts, -(1 - e * e) * 2 * standard_gravity * height, .02) << e;
    EXPECT_EQ(found.work.friction, 0) << e;
    EXPECT_NEAR(found.unexplained_energy, 0, 1e-9) << e;
    EXPECT_LT(found.appeared_energy, 1e-9) << e;
  }
}

// A box that slides on the ground is stopped by friction, which takes ½ m v².
TEST(StepWork, FrictionTakesTheMotion) {
  World world(audited({.friction = .4}));
  auto box = RigidBody::homogeneous("box", test::box(.4, .4, .1), 3);
  box.pose.p = {0, 0, .05};
  box.velocity = {1, 0, 0};
  world.add(box);
  world.add_ground();
  const auto found = run(world, .5);
  EXPECT_NEAR(found.work.friction, -1.5, 1e-3);
  EXPECT_NEAR(found.work.impacts, 0, 1e-3);
  EXPECT_LT(world.v("box").norm(), 1e-6);
  EXPECT_NEAR(found.unexplained_energy, 0, 1e-6);
}

TEST(StepWork, JointsHaveTheirOwn) {
  const auto model = pendulum([](JointDescription& j) {
    j.lower = {-3}, j.upper = {.2};
    j.damping = .3, j.dry_friction = .5, j.spring_stiffness = 5;
  });
  World world(audited());
  world.add("p", model, one(-1.2));
  world.tau("p")[0] = 4;
  world.external("p")[0] = 1.5;
  const auto found = run(world, 1.5);
  const double way = world.q("p")[0] + 1.2;
  EXPECT_NEAR(world.q("p")[0], .2, 1e-4) << "it rests at its limit";
  // (In the step in which it strikes, positions do not move with the mean velocity.)
  EXPECT_NEAR(found.work.motors, 4 * way, .02);
  EXPECT_NEAR(found.work.pushes, 1.5 * way, .01);
  EXPECT_LT(found.work.damping, -.5 * way);  // dry friction alone takes so much
  EXPECT_LT(found.work.limits, -1);
  EXPECT_EQ(found.work.friction, 0);
  EXPECT_NEAR(found.unexplained_energy, 0, 1e-2);
  EXPECT_LT(found.appeared_energy, 2e-3);
}

// What the motor cannot give, a push can.
TEST(StepWork, EffortLimitsDoNotCutPushes) {
  const auto model = pendulum([](JointDescription& j) { j.effort_limit = 2; });
  auto options = audited();
  options.gravity = {0, 0, 0};
  World world(options);
  world.add("p", model, one(0));
  world.tau("p")[0] = 30;
  world.external("p")[0] = 10;
  const auto found = run(world, .1);
  EXPECT_NEAR(world.v("p")[0], (2 + 10) * .1 / 1.001, 1e-9);
  EXPECT_NEAR(found.work.pushes, 5 * found.work.motors, 1e-9);
  const auto state = world.state();
  World other(options);
  other.add("p", model, one(0));
  other.restore(state);
  EXPECT_EQ(other.external("p")[0], 10);
  world.step(1e-3), other.step(1e-3);
  EXPECT_EQ(world.v("p")[0], other.v("p")[0]);
  world.external("p")[0] = NAN;
  EXPECT_THROW(world.step(1e-3), Error);
}

TEST(StepWork, LoopsDoNone) {
  auto description = load(LISSOM_MODELS_DIR "/mechanisms/delta.urdf").description();
  io::read_loops(LISSOM_MODELS_DIR "/mechanisms/delta.json", description);
  const auto model = build(description);
  Workspace work(model);
  Eigen::VectorXd q = neutral(model);
  ClosedLoops(model).assemble(model, work, q);
  World world(audited());
  world.add("delta", model, q);
  const auto found = run(world, .2, 1e-3, [&] { world.tau("delta")[0] = 5; });
  EXPECT_GT(found.work.motors, .5);
  EXPECT_LT(std::abs(found.work.loops), .01 * found.work.motors);
  EXPECT_LT(std::abs(found.unexplained_energy), .01 * found.work.motors);
}

// Bricard's mechanism swings from rest: the projection of its velocities takes nothing for good.
TEST(StepWork, LoopsKeepTheEnergy) {
  auto description = load(LISSOM_MODELS_DIR "/iftomm/a04_bricard.urdf").description();
  io::read_loops(LISSOM_MODELS_DIR "/iftomm/a04_bricard.json", description);
  const auto model = build(description);
  World world(audited());
  world.add("bricard", model, neutral(model));
  const auto found = run(world, .5);
  EXPECT_GT(world.kinetic_energy(), 1);
  EXPECT_NEAR(found.energy_after, found.energy_before, 1e-6);
  EXPECT_NEAR(found.work.loops, 0, 1e-6);
  Workspace work(model);
  EXPECT_LT(ClosedLoops(model).gap(model, work, world.q("bricard")), 1e-9);
}

TEST(StepWork, RemovedOverlapsAreTold) {
  World world(audited());
  auto box = RigidBody::homogeneous("box", test::box(.4, .4, .1), 3);
  box.pose.p = {0, 0, .03};  // 2 cm in the ground
  world.add(box);
  world.add_ground();
  const auto found = run(world, .1);
  EXPECT_NEAR(found.work.overlaps, 3 * standard_gravity * .02, .02);
  EXPECT_NEAR(found.unexplained_energy, 0, 1e-3);
}

// A robot that falls and comes to rest: everything but rounding has a cause, and only takes.
TEST(StepWork, AFallIsExplained) {
  const auto model = load(LISSOM_MODELS_DIR "/quadruped.urdf", {.base = Base::free});
  World world(audited({.friction = .7}));
  Eigen::VectorXd q = neutral(model);
  q[2] = .8;
  world.add("robot", model, q);
  world.add_ground();
  world.v("robot")[0] = 1;
  const auto found = run(world, 1.5);
  EXPECT_LT(found.work.impacts, -20);
  EXPECT_LT(found.work.friction, -1);
  EXPECT_LT(std::abs(found.unexplained_energy), 1e-2 * (found.max_energy - found.min_energy));
  EXPECT_LT(found.appeared_energy, 1e-2 * (found.max_energy - found.min_energy));
}

// A step of 20 ms is too long for a light arm that lands on its hand: energy appears, until the motion diverges. The
// audit says so, and the world keeps its last state.
TEST(StepWork, EnergyFromNowhereIsSeen) {
  const auto model = load(LISSOM_MODELS_DIR "/arm7.urdf", {.base = Base::free});
  auto options = audited();
  options.conserve = false;  // which would take that energy away
  World world(options);
  Eigen::VectorXd q = random_configuration(model, 1);
  q[0] = q[1] = 0, q[2] = 1.2;
  world.add_ground();
  world.add("arm", model, q);
  EnergyAudit audit;
  const auto read = [&] { audit.read(world.time(), world.kinetic_energy(), world.potential_energy()); };
  read();
  const auto error = error_of([&] {
    for (int k = 0; k < 100; ++k) {
      audit.add(world.step(.02).work);
      read();
    }
  });
  EXPECT_NE(error.find("take a shorter step"), std::string::npos) << error;
  EXPECT_TRUE(world.q("arm").allFinite() && world.v("arm").allFinite());
  EXPECT_GT(audit.figures().appeared_energy, 1e3);
  EXPECT_NE(audit.warning(tolerance_of_worlds(standard_gravity * model.mass()), "x", "y"), "");
}

// What nobody asks for is not computed.
TEST(StepWork, OnlyWhereItIsAskedFor) {
  World world;
  world.add("p", pendulum([](JointDescription& j) { j.damping = 1; }), one(1));
  world.step(1e-3);
  EXPECT_EQ(turnover(world.step(1e-3).work), 0);
}

TEST(EnergyAuditOfReadings, SaysWhenEnergyAppeared) {
  EnergyAudit audit;
  audit.read(0, 1, 0);
  audit.add({.motors = 2});
  audit.read(1, 2.5, 0);  // .5 J are lost
  audit.read(2, 6.5, 0);  // 4 J appear
  audit.read(3, 5.5, 0);
  const auto& found = audit.figures();
  EXPECT_DOUBLE_EQ(found.unexplained_energy, 2.5);
  EXPECT_DOUBLE_EQ(found.appeared_energy, 4);
  EXPECT_EQ(found.appeared_from, 1);
  EXPECT_EQ(found.appeared_until, 2);
  EXPECT_EQ(found.min_energy, 1);
  EXPECT_EQ(found.max_energy, 6.5);
  const auto text = audit.warning({.of_kinetic = .1, .of_work = .05}, "this method", "another one");
  for (const char* part :
       {"4 J more", "between t = 1 s and 2 s", "6.5 J of kinetic", "this method", "take another one"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  EXPECT_EQ(audit.warning({.of_kinetic = .7}, "", ""), "");
  EXPECT_EQ(audit.warning({.of_kinetic = 0, .of_work = 2}, "", ""), "");
  EXPECT_EQ(audit.warning({.of_kinetic = 0, .of_work = 0, .energy = 4}, "", ""), "");
}

// Friction that gives energy, and loops that do, explain nothing.
TEST(EnergyAuditOfReadings, SomeMayOnlyTakeEnergy) {
  for (const auto member : {&Work::friction, &Work::impacts, &Work::limits, &Work::damping, &Work::loops}) {
    EnergyAudit audit;
    audit.read(0, 1, 0);
    Work work;
    work.*member = -.5;
    audit.add(work);
    audit.read(1, .5, 0);
    EXPECT_LT(audit.figures().appeared_energy, 1e-15);
    work.*member = 3;
    audit.add(work);
    audit.read(2, 3.5, 0);
    EXPECT_NEAR(audit.figures().unexplained_energy, 0, 1e-15);
    EXPECT_NEAR(audit.figures().appeared_energy, 3, 1e-15);
    const auto text = audit.warning({}, "x", "y");
    EXPECT_EQ(text.find("closed loops") != std::string::npos, member == &Work::loops) << text;
    EXPECT_FALSE(text.empty());
  }
}

TEST(EnergyAuditOfReadings, NaNAppearsFromNowhere) {
  EnergyAudit audit;
  audit.read(0, 1, 0);
  audit.read(1, NAN, 0);
  audit.read(2, 1, 0);
  EXPECT_EQ(audit.figures().appeared_energy, INFINITY);
  EXPECT_EQ(audit.figures().appeared_until, 1);
  EXPECT_NE(audit.warning({}, "x", "y"), "");
}

}  // namespace
}  // namespace lissom::test::step_work
