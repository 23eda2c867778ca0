// Robots in worlds: what their joints have by themselves, and what they conserve.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/api/load.h"
#include "lissom/api/postures.h"
#include "lissom/api/state.h"
#include "lissom/constraints/closed_loops.h"
#include "lissom/io/loops_file.h"
#include "lissom/world/world.h"
#include "world_helpers.h"

namespace lissom::test {
namespace {

LinkDescription link(const std::string& name, double mass, const Vec3<double>& com, double moment) {
  LinkDescription made;
  made.name = name, made.mass = mass, made.com = com, made.inertia = {moment, 0, 0, moment, 0, moment};
  return made;
}
JointDescription hinge(const std::string& name, const std::string& parent, const std::string& child) {
  JointDescription made;
  made.name = name, made.type = JointType::revolute, made.parent = parent, made.child = child;
  made.axis = {0, 1, 0};
  return made;
}

// One hinge about y, at the end of whose rod of 1 m hangs 1 kg, with what a test needs.
Model pendulum(const std::function<void(JointDescription&)>& change) {
  Description d;
  d.name = "pendulum";
  d.links = {link("base", 0, {0, 0, 0}, 0), link("rod", 1, {0, 0, -1}, 1e-3)};
  d.joints = {hinge("hinge", "base", "rod")};
  change(d.joints[0]);
  return build(d);
}
constexpr double inertia = 1.001, weight = 9.81;

Eigen::VectorXd one(double x) {
  return Eigen::VectorXd::Constant(1, x);
}

TEST(WorldRobot, JointLimitHolds) {
  const auto model = pendulum([](JointDescription& j) { j.lower = {-.5}, j.upper = {2}; });
  World world;
  world.add("p", model, one(1.5));
  double lowest = 1;
  for (int k = 0; k < 4000; ++k) {
    world.tau("p")[0] = -20;  // presses against the lower limit
    world.step(1e-3);
    lowest = smaller(lowest, world.q("p")[0]);
  }
  EXPECT_GT(lowest, -.5 - 1e-6);
  EXPECT_NEAR(world.q("p")[0], -.5, 1e-6);
  EXPECT_LT(std::abs(world.v("p")[0]), 1e-8);
}

TEST(WorldRobot, JointBeyondItsLimitIsMovedBackAtRest) {
  const auto model = pendulum([](JointDescription& j) { j.lower = {-.5}, j.upper = {.5}; });
  World::Options options;
  options.gravity = {0, 0, 0};
  World world(options);
  world.add("p", model, one(.6));
  double fastest = 0;
  bool moved = false;
  for (int k = 0; k < 100; ++k) {
    moved |= world.step(1e-3).moved_apart;
    fastest = larger(fastest, std::abs(world.v("p")[0]));
  }
  EXPECT_TRUE(moved);
  EXPECT_LT(world.q("p")[0], .5 + options.allowed_overlap);
  EXPECT_GT(world.q("p")[0], .5 - 1e-3);
  EXPECT_LT(fastest, 1e-9);
}

// Dry friction of 3 N m holds up to 3 N m, exactly, and takes 3 N m from more.
TEST(WorldRobot, DryFrictionSticksAndSlides) {
  const auto model = pendulum([](JointDescription& j) { j.dry_friction = 3; });
  World::Options options;
  options.gravity = {0, 0, 0};
  World world(options);
  world.add("p", model, one(.3));
  world.tau("p")[0] = 2.999;
  for (int k = 0; k < 500; ++k) world.step(1e-3);
  EXPECT_EQ(world.q("p")[0], .3);
  world.tau("p")[0] = 4;
  for (int k = 0; k < 500; ++k) world.step(1e-3);
  EXPECT_NEAR(world.v("p")[0], .5 / inertia, 1e-9);
  world.tau("p")[0] = 0;
  for (int k = 0; k < 500; ++k) world.step(1e-3);
  EXPECT_LT(std::abs(world.v("p")[0]), 1e-12);
}

TEST(WorldRobot, DampingIsStableHoweverStrong) {
  const auto model = pendulum([](JointDescription& j) { j.damping = 1e6; });
  World world;
  world.add("p", model, one(1));
  world.v("p")[0] = 5;
  for (int k = 0; k < 100; ++k) {
    world.step(1e-2);
    ASSERT_LT(std::abs(world.v("p")[0]), 5);
  }
  // Then gravity and damping balance: it creeps.
  EXPECT_NEAR(world.v("p")[0], -weight * std::sin(world.q("p")[0]) / 1e6, 1e-9);
}

TEST(WorldRobot, SpringsKeepTheirEnergy) {
  const auto model = pendulum([](JointDescription& j) { j.spring_stiffness = 400, j.spring_rest = .2; });
  World world;
  world.add("p", model, one(.9));
  const double start = energy(world);
  double worst = 0;
  for (int k = 0; k < 5000; ++k) {
    world.step(1e-3);
    worst = larger(worst, std::abs(energy(world) - start));
  }
  EXPECT_GT(start, 50);
  EXPECT_LT(worst, 2e-3 * start);  // of the order of h²
}

TEST(WorldRobot, ServosHoldHoweverStiffAndStayWithinTheEffortLimit) {
  const auto model = pendulum([](JointDescription& j) { j.effort_limit = 15; });
  World world;
  world.add("p", model, one(0));
  world.set_servos("p", {one(1e6), one(2e5), one(.8), one(0)});
  double largest = 0;
  for (int k = 0; k < 3000; ++k) {
    world.step(2e-3);
    largest = larger(largest, std::abs(world.motor_torques("p")[0]));
  }
  EXPECT_NEAR(world.q("p")[0], .8, 1e-5);
  EXPECT_NEAR(world.motor_torques("p")[0], weight * std::sin(.8), 1e-3);
  EXPECT_DOUBLE_EQ(largest, 15);
  EXPECT_THROW(world.set_servos("p", {one(-1), one(0), one(0), one(0)}), Error);
}

TEST(WorldRobot, LoopsStayClosed) {
  auto description = load(LISSOM_MODELS_DIR "/mechanisms/delta.urdf").description();
  io::read_loops(LISSOM_MODELS_DIR "/mechanisms/delta.json", description);
  const auto model = build(description);
  ASSERT_FALSE(model.loops().empty());
  Workspace work(model);
  ClosedLoops loops(model);
  Eigen::VectorXd q = neutral(model);
  loops.assemble(model, work, q);
  World world;
  world.add("delta", model, q);
  for (int k = 0; k < 500; ++k) {
    world.tau("delta")[0] = 5;
    const auto report = world.step(1e-3);
    ASSERT_LT(report.residual, 1e-6);
  }
  EXPECT_LT(loops.gap(model, work, world.q("delta")), 1e-9);
  EXPECT_GT(world.v("delta").norm(), 1e-2);
  EXPECT_GT(world.loop_forces("delta").norm(), 1);
}

// A robot whose joints are coupled, but that has no loop.
TEST(WorldRobot, CouplingsHold) {
  auto description = load(LISSOM_MODELS_DIR "/planar2.urdf").description();
  description.couplings.push_back({"gear", "joint2", "joint1", {.3, -2}});
  const auto model = build(description);
  World world;
  world.add("arm", model, Eigen::Vector2d(.4, .3 - 2 * .4));
  for (int k = 0; k < 500; ++k) {
    world.tau("arm")[0] = 3;
    ASSERT_LT(world.step(1e-3).residual, 1e-6);
  }
  const auto q = world.q("arm");
  EXPECT_NEAR(q[1], .3 - 2 * q[0], 1e-9);
  EXPECT_GT(std::abs(q[0] - .4), .1);
  EXPECT_EQ(world.loop_forces("arm").size(), 1);
}

// Thrown with all joints moving, elastic, without friction: nothing takes energy, for 10 s of impacts.
TEST(WorldRobot, ElasticRobotKeepsItsEnergy) {
  const auto model = load(LISSOM_MODELS_DIR "/quadruped.urdf", {.base = Base::free});
  World world;
  world.add_ground();
  world.set_properties("", "", {.friction = 0, .restitution = 1});
  Eigen::VectorXd q = neutral(model);
  q[2] += 1;
  RobotSettings settings;
  settings.damping = settings.dry_friction = settings.joint_limits = settings.self_collision = false;
  world.add("robot", model, q, settings);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(0, .3);
  for (double& v : world.v("robot")) v = normal(random);
  const double start = energy(world);
  double worst = 0;
  int impacts = 0;
  for (int k = 0; k < 10000; ++k) {
    impacts += world.step(1e-3).impact;
    worst = larger(worst, std::abs(energy(world) - start));
  }
  EXPECT_GT(impacts, 20);
  EXPECT_GT(start, 100);
  EXPECT_LT(worst, 1e-9 * start);
}

TEST(WorldRobot, StruckRobotKeepsTheMomentumOfBoth) {
  const auto model = load(LISSOM_MODELS_DIR "/quadruped.urdf", {.base = Base::free});
  World::Options options;
  options.gravity = {0, 0, 0};
  World world(options);
  world.add("robot", model, neutral(model));
  auto striker = RigidBody::homogeneous("ball", ball(.1), 10);
  striker.pose.p = {-1, .02, world.q("robot")[2] + .01};
  striker.velocity = {5, 0, 0};
  world.add(striker);
  const Vector6 start = world.momentum();
  double sum = 0;
  bool touched = false;
  for (int k = 0; k < 3000; ++k) {
    world.step(1e-3);
    touched |= !world.contacts().empty();
    sum += (world.momentum() - start).head<3>().squaredNorm() / 3000;
  }
  EXPECT_TRUE(touched);
  EXPECT_GT(world.v("robot").norm(), .1);
  EXPECT_LT(sum, 1e-24);
}

TEST(WorldRobot, LinksThatOverlapAtTheStartAreNamedAndLeftAlone) {
  Description d;
  d.name = "three";
  for (const auto* name : {"a", "b", "c"}) {
    d.links.push_back(link(name, 1, {0, 0, 0}, .1));
    Geometry g;
    g.shape = ball(.2);
    d.links.back().collisions.push_back(g);
  }
  for (const auto& [parent, child] : {std::pair{"a", "b"}, std::pair{"b", "c"}}) {
    d.joints.push_back(hinge(std::string(parent) + child, parent, child));
    d.joints.back().origin.p = {.1, 0, 0};
  }
  World world;
  world.add("r", build(d), Eigen::VectorXd::Zero(2));
  ASSERT_EQ(world.notes().size(), 1u);
  EXPECT_NE(world.notes()[0].find("'r/c' and 'r/a' overlap"), std::string::npos) << world.notes()[0];
  const auto report = world.step(1e-3);
  EXPECT_EQ(report.contacts, 0);
  EXPECT_LT(world.v("r").norm(), .1);
}

// The left half of the ground is flat and 0.5 m high, the right half rises from there to 1 m. A mesh without a file
// rests on it by its hull.
TEST(WorldRobot, BodiesTouchHeightFieldsAndMeshesOfMjcf) {
  const auto model =
      load_text(R"(<mujoco><asset><hfield name="hill" nrow="2" ncol="3" size="2 2 1 .1" elevation=".5 .5 1 .5 .5 1"/>
      <hfield name="floor" nrow="2" ncol="2" size="2 2 1 .1"/>
      <mesh name="brick" vertex="-.1 -.1 -.05 .1 -.1 -.05 -.1 .1 -.05 .1 .1 -.05 -.1 -.1 .05 .1 -.1 .05 -.1 .1 .05 .1 .1 .05"/></asset>
    <worldbody><geom type="hfield" hfield="hill" pos="0 0 .5"/>
    <body name="ball" pos="-1 0 1"><freejoint/><geom size=".1"/></body>
    <body name="brick" pos="-1 1 1"><freejoint/><geom type="mesh" mesh="brick"/></body></worldbody></mujoco>)",
                "hill.xml");
  World world;
  world.add("r", model, initial_configuration(model));
  for (int k = 0; k < 1000; ++k) world.step(1e-3);
  const auto q = world.q("r");
  EXPECT_NEAR(q[2], .6, 1e-3);  // the lowest height is 0 in MuJoCo, and the field lies at .5
  EXPECT_NEAR(q[7 + 2], .55, 1e-3);
  EXPECT_LT(world.v("r").norm(), 1e-3);
}

// A wheel whose side lies on the frame of its cart, and a turntable on the ground: joints hold what presses there.
TEST(WorldRobot, SidesOfWheelsDoNotTouchWhatTheirAxlesAreFixedTo) {
  const auto model = load_text(R"(<mujoco><worldbody>
    <body name="cart" pos="0 0 .1"><freejoint/><geom type="box" size=".3 .1 .05"/>
      <body name="hub" pos=".2 .12 0" euler="0 0 .002"><joint type="hinge" axis="0 1 0"/><geom size=".005"/>
        <body name="wheel"><joint type="hinge" axis="0 1 0"/><geom type="box" size=".1 .02 .1" euler="0 0 -.002"/></body></body></body>
    <body name="turntable" pos="1 0 .05"><joint type="hinge" axis="0 0 1"/><geom type="cylinder" size=".3 .05"/></body>
    </worldbody></mujoco>)",
                               "cart.xml");
  World world;
  world.add_ground();
  world.add("r", model, initial_configuration(model));
  const double energy = world.kinetic_energy() + world.potential_energy();
  for (int k = 0; k < 200; ++k) {
    const auto report = world.step(1e-3);
    ASSERT_TRUE(report.converged) << k;
    for (const auto& c : world.contacts()) {
      EXPECT_FALSE(c.a == "r/wheel" && c.b == "r/cart") << k;
      EXPECT_FALSE(c.a == "r/turntable" || c.b == "r/turntable") << k;
    }
  }
  EXPECT_LT(world.kinetic_energy() + world.potential_energy(), energy + 1e-9);
}

// Groups, masks and pairs of MJCF decide what touches within one file; whatever was added to the world touches all of
// it.
TEST(WorldRobot, OnlyGeomsTouchThatTheFileLetsTouch) {
  const auto model = load_text(R"(<mujoco><worldbody>
    <geom name="floor" type="plane" size="9 9 1" contype="1" conaffinity="0"/>
    <body name="affine" pos="0 0 .1"><freejoint/><geom name="a" type="box" size=".1 .1 .1" contype="0" conaffinity="1"/></body>
    <body name="other" pos="1 0 .1"><freejoint/><geom name="o" type="box" size=".1 .1 .1" contype="2" conaffinity="2"/></body>
    <body name="paired" pos="2 0 .1"><freejoint/><geom name="p" type="box" size=".1 .1 .1" contype="0" conaffinity="0"/></body>
    <body name="above" pos="0 0 .3"><freejoint/><geom name="b" type="box" size=".1 .1 .1" contype="0" conaffinity="1"/></body>
    </worldbody><contact><pair geom1="p" geom2="floor" friction=".2"/></contact></mujoco>)",
                               "groups.xml");
  World world;
  world.add("r", model, initial_configuration(model));
  world.v("r")[12] = 1;  // of the paired one, along x
  const auto copy = std::make_unique<World>(world.clone());
  for (int k = 0; k < 200; ++k) world.step(1e-3), copy->step(1e-3);
  const auto height = [&](const char* link) {
    return world.q("r")[model.joints()[std::size_t(model.link(link).joint)].q_index + 2];
  };
  const double fallen = .5 * 9.81 * .2 * .2;
  EXPECT_NEAR(height("affine"), .1, 1e-4);
  EXPECT_NEAR(height("other"), .1 - fallen, 1e-2);
  EXPECT_NEAR(height("paired"), .1, 1e-4);
  EXPECT_NEAR(height("above"), .3 - fallen, 1e-2);
  EXPECT_NEAR(world.v("r")[12], 1 - .2 * 9.81 * .2, 2e-3);  // the pair's friction, not that of the geoms
  EXPECT_EQ(copy->v("r"), world.v("r"));

  World grounded;
  grounded.add_ground();
  grounded.add("r", model, initial_configuration(model));
  for (int k = 0; k < 200; ++k) grounded.step(1e-3);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(grounded.q("r")[7 * i + 2], .1, 1e-4) << i;
}

// A table that is fixed to the world neither pulls at a ball of the same file nor counts for its momentum.
// How fast a robot flies or turns as a whole brings none of its links nearer to another.
TEST(WorldRobot, FlyingFastMakesNoLinksNearToEachOther) {
  const auto model = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  const auto near = [&](double speed, double turning) {
    World world;
    auto q = neutral(model);
    q[2] = 100;
    world.add("robot", model, q);
    world.v("robot")[0] = speed, world.v("robot")[5] = turning;
    return world.step(2e-3).contacts;
  };
  const int at_rest = near(0, 0);
  EXPECT_EQ(near(200, 0), at_rest);
  EXPECT_EQ(near(0, 10), at_rest);
  EXPECT_EQ(near(200, 10), at_rest);
}

TEST(WorldRobot, LinksThatAreFixedToTheWorldDoNotWeighOnOthers) {
  const auto model = load_text(R"(<mujoco><worldbody>
    <body name="table" pos="3 0 .5"><geom type="box" size=".5 .5 .5"/></body>
    <body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/>
      <body pos=".2 0 0"><joint type="hinge" axis="0 1 0"/><geom type="box" size=".1 .02 .02" pos=".1 0 0"/></body></body>
    </worldbody></mujoco>)",
                               "table.xml");
  EXPECT_NEAR(model.mass() - model.moving_mass(), 1000, 1e-9);
  World world;
  world.add("r", model, initial_configuration(model));
  world.v("r")[4] = 2, world.v("r")[6] = -3;
  const auto before = world.momentum();
  const double energy = world.kinetic_energy() + world.potential_energy();
  for (int k = 0; k < 100; ++k) world.step(1e-3);
  const auto after = world.momentum();
  EXPECT_NEAR(after[2] - before[2], -9.81 * .1 * model.moving_mass(), 1e-9);
  EXPECT_NEAR(world.kinetic_energy() + world.potential_energy(), energy, 1e-10 * std::abs(energy));
  // The same without the table, but for the rounding of its weight.
  auto alone = model.description();
  for (auto& link : alone.links)
    if (link.name == "table") link.mass = 0, link.inertia = {0, 0, 0, 0, 0, 0};
  World other;
  other.add("r", build(alone, model.options()), initial_configuration(model));
  other.v("r")[4] = 2, other.v("r")[6] = -3;
  EXPECT_LT(largest(before - other.momentum()), 1e-12);
  for (int k = 0; k < 100; ++k) other.step(1e-3);
  EXPECT_LT(largest(world.q("r") - other.q("r")), 1e-9);
  EXPECT_LT(largest(after - other.momentum()), 1e-9);
}

}  // namespace
}  // namespace lissom::test
