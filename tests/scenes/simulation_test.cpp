// Runs of scenes, and worlds as one model.
#include "lissom/scenes/simulation.h"

#include <gtest/gtest.h>

#include "lissom/api/dynamics.h"
#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/api/statics.h"
#include "lissom/scenes/world_signals.h"
#include "scene_files.h"

namespace lissom::scenes::test {
namespace {

// (A function, since `models` of another file may be made later than a string here.)
std::string bodies_and_robots() {
  return R"({"ground": true,
  "fixed": [{"name": "wall", "shape": {"kind": "box", "size": [1, 1, 1]}, "pose": [5, 0, 0.5]}],
  "bodies": [
    {"name": "can", "mass": 2, "inertia": [0.02, 0.03, 0.04], "com": [0.1, 0.2, 0.3], "pose": [1, 2, 3, 0.4, 0.5, 0.6],
     "velocity": [0.3, 0.2, 0.1], "angular_velocity": [0.5, -0.6, 0.7], "shape": {"kind": "sphere", "radius": 0.1}},
    {"name": "ball", "mass": 1, "pose": [-2, 0, 2], "velocity": [0, 0, -1], "shape": {"kind": "sphere", "radius": 0.1}}],
  "robots": [
    {"name": "arm", "file": ")" +
         models + R"(/arm7_gripper.urdf", "pose": [0, -2, 0, 0, 0, 1], "posture": {"joint2": 0.5, "finger": 0.01},
     "velocity": {"joint1": 1, "joint4": -2, "finger": 0.1}},
    {"name": "dog", "file": ")" +
         models +
         R"(/quadruped.urdf", "base": "free", "pose": [0, 2, 1, 0.1, 0.2, 0.3], "velocity": {"base": [1, 2, 3, 4, 5, 6]}}]})";
}

// The combined model has the energy, the momentum and the placements of the world.
TEST(WorldModel, IsTheSameAsTheWorld) {
  const auto scene = scene_of(bodies_and_robots());
  auto world = make_world(scene);
  const WorldModel combined(scene);
  const auto& m = combined.model();
  Eigen::VectorXd q, v, tau;
  combined.read(world, q, v, tau);
  Workspace work(m);
  EXPECT_NEAR(kinetic_energy(m, work, q, v), world.kinetic_energy(), 1e-9);
  EXPECT_NEAR(potential_energy(m, work, q), world.potential_energy(), 1e-9);
  const Vector6 h = centroidal_momentum(m, work, q, v);
  EXPECT_LT((h.head<3>() - world.momentum().head<3>()).norm(), 1e-9);
  forward_kinematics(m, work, q);
  const auto difference = placement(m, work, m.frame("can")).p - world.pose("can").p;
  EXPECT_LT(dot(difference, difference), 1e-24);
  EXPECT_NEAR(placement(m, work, m.frame("wall")).p.x, 5, 1e-12);
  EXPECT_TRUE(m.has_link("arm/left_pad"));
  EXPECT_TRUE(m.has_joint("dog/base"));
  EXPECT_EQ(combined.link("arm/left_pad"), "arm/left_pad");
  EXPECT_EQ(combined.link("ground"), "");
}

// A force at a point of the combined model has the same effect on the world.
TEST(WorldModel, ForcesActAsInTheModel) {
  const auto scene = scene_of(bodies_and_robots());
  auto world = make_world(scene);
  const WorldModel combined(scene);
  const auto& m = combined.model();
  Eigen::VectorXd q, v, tau;
  combined.read(world, q, v, tau);
  Workspace work(m);
  std::vector<ExternalForce> forces;
  for (const auto* link : {"can", "arm/link4", "dog/trunk"}) {
    const auto on = m.frame(link);
    forces.push_back({.on = on, .force = {10, -20, 30}, .at = {on, {.1, .2, .3}}});
  }
  const Eigen::VectorXd acceleration = forward_dynamics(m, work, q, v, Eigen::VectorXd::Zero(m.nv()), forces);
  combined.add_forces(generalized_forces(m, work, q, forces), world);
  const double h = 1e-6;
  world.step(h);
  Eigen::VectorXd after_q, after_v;
  combined.read(world, after_q, after_v, tau);
  const Eigen::VectorXd found = (after_v - v) / h;
  for (int i = 0; i < m.nv(); ++i) EXPECT_NEAR(found[i], acceleration[i], 2e-3 * (1 + std::abs(acceleration[i]))) << i;
}

TEST(WorldModel, ARobotAmongFixedShapes) {
  Shape box;
  box.kind = Shape::Kind::box, box.size = {.1, .2, .3};
  for (const Base base : {Base::fixed, Base::free}) {
    const auto robot = load(models + "/arm7.urdf", {.base = base});
    const auto taken = robot.description().links[1].name;
    const auto all = with_surroundings(robot, {{"shelf", box, {.p = {1, 2, 3}}}, {taken, box, {}}});
    ASSERT_EQ(all.nq(), robot.nq());
    ASSERT_EQ(all.nv(), robot.nv());
    for (const auto& joint : robot.joints()) EXPECT_EQ(all.joint(joint.name).q_index, joint.q_index) << joint.name;
    for (const auto& link : robot.description().links)
      EXPECT_EQ(all.frame(link.name).index, robot.frame(link.name).index) << link.name;
    ASSERT_TRUE(all.has_link("shelf"));
    EXPECT_TRUE(all.has_link(taken + "_"));
    Workspace work(all);
    forward_kinematics(all, work, neutral(all));
    EXPECT_EQ(placement(all, work, all.frame("shelf")).p.z, 3);
    EXPECT_EQ(all.gravity().z, robot.gravity().z);
  }
}

TEST(WorldModel, ARobotAloneIsItsOwn) {
  const auto scene = scene_of(R"({"ground": true, "robots": [{"name": "dog", "file": ")" + models +
                              R"(/quadruped.urdf", "base": "free"}]})");
  const WorldModel alone(scene);
  EXPECT_EQ(alone.model().structure_id(), scene.robots[0].model.structure_id());
  EXPECT_EQ(alone.link("dog/trunk"), "trunk");
  // One that is fixed elsewhere is not: pages show roots at the origin.
  const WorldModel placed(scene_of(arm_with(R"("pose": [0, 0, 1])")));
  EXPECT_TRUE(placed.model().has_link("arm/base"));
}

// What the laws of contact are not met by is told, with its name.
TEST(SceneSimulation, WarnsOfStepsThatDoNotConverge) {
  const auto scene = scene_of(R"({"ground": true, "contact": {"friction": 0.8}, "bodies": [
    {"name": "light", "mass": 1e-3, "shape": {"kind": "box", "size": [0.1, 0.1, 0.1]}, "pose": [0, 0, 0.05]},
    {"name": "heavy", "mass": 1e6, "shape": {"kind": "box", "size": [0.1, 0.1, 0.1]}, "pose": [0, 0, 0.15]}]})");
  Simulation simulation(scene);
  EXPECT_TRUE(simulation.report().warnings.empty());
  for (int k = 0; k < 1000; ++k) simulation.step(1e-3);
  const auto r = simulation.report();
  ASSERT_GT(r.not_converged, 0);
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_NE(r.warnings[0].find(std::to_string(r.not_converged) + " of 1000 steps"), std::string::npos) << r.warnings[0];
  EXPECT_NE(r.warnings[0].find(r.worst_row.name), std::string::npos) << r.warnings[0];
  EXPECT_NE(r.worst_row.name.find("light"), std::string::npos) << r.worst_row.name;
  EXPECT_FALSE(r.energy_from_nowhere);
}

// A cube with 1 m/s stops after 0.12742 m (docs/contact.md).
TEST(SceneSimulation, ReportsWhatHappens) {
  const auto scene = scene_of(R"({"ground": true, "contact": {"friction": 0.4},
    "bodies": [{"name": "cube", "shape": {"kind": "box", "size": [0.1, 0.1, 0.1]}, "mass": 1, "pose": [0, 0, 0.05], "velocity": [1, 0, 0]}]})");
  Simulation simulation(scene);
  for (int k = 0; k < 500; ++k) simulation.step(1e-3);
  const auto r = simulation.report();
  EXPECT_EQ(r.steps, 500);
  EXPECT_EQ(r.max_contacts, 4);
  EXPECT_EQ(r.not_converged, 0);
  EXPECT_LT(r.max_residual, 1e-6);
  EXPECT_LT(r.max_overlap, 1e-6);
  ASSERT_EQ(r.slips.size(), 1u);
  EXPECT_NEAR(r.slips[0].distance, .12742, 1e-3);
  EXPECT_NEAR(r.slips[0].max_speed, 1, .01);
  EXPECT_NEAR(r.energy_before - r.energy_after, .5, 1e-6);
  EXPECT_NEAR(r.momentum_before[0], 1, 1e-12);
  EXPECT_NEAR(r.momentum_after[0], 0, 1e-6);
  ASSERT_EQ(simulation.contacts().size(), 4u);
  EXPECT_EQ(simulation.contacts()[0].friction, .4);
}

// Forces of the file act all the time; what a hook adds acts for one step.
TEST(SceneSimulation, ForcesAndHooksAct) {
  auto scene = scene_of(
      R"({"gravity": [0, 0, 0], "bodies": [{"name": "ball", "shape": {"kind": "sphere", "radius": 0.1}, "mass": 2, "force": [4, 0, 0]}]})");
  Simulation simulation(scene);
  simulation.before_step([](World& world) {
    if (world.time() < .05) world.tau("ball")[1] += 6;
  });
  for (int k = 0; k < 10; ++k) simulation.step(.01);
  EXPECT_NEAR(simulation.world().v("ball")[0], 2 * .1, 1e-12);
  EXPECT_NEAR(simulation.world().v("ball")[1], 3 * .05, 1e-12);
}

// The scenes that come with lissom begin as they should: nothing overlaps, and contacts are solved.
TEST(SceneSimulation, OwnScenesBeginWell) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(models + "/scenes")) {
    if (file.path().extension() != ".json") continue;
    if (const auto fixed = read_surroundings(file.path().string()); fixed.bodies.empty() && fixed.robots.empty()) {
      EXPECT_FALSE(fixed.description.empty()) << file.path();
      EXPECT_TRUE(fixed.ground) << file.path();
      continue;  // surroundings for plans, in which nothing moves
    }
    ++count;
    const auto scene = read_scene(file.path().string());
    EXPECT_FALSE(scene.description.empty()) << file.path();
    EXPECT_EQ(scene.name, file.path().stem().string());
    Simulation simulation(scene);
    for (int k = 0; k < 5; ++k) {
      const auto step = simulation.step(scene.step);
      EXPECT_LT(step.residual, 1e-4) << scene.name;
      EXPECT_GT(step.contacts, 0) << scene.name;
    }
    EXPECT_LT(simulation.report().max_overlap, 1e-6) << scene.name;
  }
  EXPECT_GE(count, 7);
}

// Newton's cradle: the last ball takes over the velocity of the first.
TEST(SceneSimulation, CradlePassesTheVelocityOn) {
  Simulation simulation(read_scene(models + "/scenes/cradle.json"));
  for (int k = 0; k < 400; ++k) simulation.step(1e-3);
  for (const auto* name : {"striker", "ball0", "ball1", "ball2"})
    EXPECT_NEAR(simulation.world().v(name)[0], 0, 1e-9) << name;
  EXPECT_NEAR(simulation.world().v("ball3")[0], 1, 1e-9);
}

// The gripped capsule creeps less than 1e-3 µm/s, at 12 N and at 60 N, and does not sink on the way.
TEST(SceneSimulation, GripHolds) {
  Simulation simulation(read_scene(models + "/scenes/grip.json"));
  const auto at = [&](int step) {
    while (simulation.report().steps < step) simulation.step(1e-3);
    return simulation.world().pose("capsule").p;
  };
  const auto start = at(10), light = at(500), pressed = at(1600), end = at(2000);
  const auto creep = [](const Vec3<double>& a, const Vec3<double>& b) { return std::sqrt(dot(b - a, b - a)); };
  EXPECT_LT(creep(start, light), .49e-9);
  EXPECT_LT(creep(pressed, end), .4e-9);
  EXPECT_LT(std::abs(end.z - start.z), 2e-9);
  double force = 0;
  for (const auto& c : simulation.contacts())
    if (c.a == "gripper/left_pad" || c.b == "gripper/left_pad") force += std::abs(dot(c.force, c.normal));
  EXPECT_NEAR(force, 60, .01);
}

// The arm carries the capsule for 10 s.
TEST(SceneSimulation, TheCarriedCapsuleStays) {
  const auto scene = read_scene(models + "/scenes/carry.json");
  const auto& arm = scene.robots[0].model;
  Simulation simulation(scene);
  Workspace work(arm);
  const auto away = [&] {
    forward_kinematics(arm, work, simulation.world().q("arm"));
    const auto d = simulation.world().pose("capsule").p - placement(arm, work, arm.frame("grasp")).p;
    return std::sqrt(dot(d, d));
  };
  for (int k = 0; k < 2000; ++k) simulation.step(1e-3);
  EXPECT_LT(away(), 1e-6);
  for (int k = 2000; k < 10000; ++k) simulation.step(1e-3);
  EXPECT_LT(away(), 1e-3);
}

// SimBenchmark's rolling test, from the file: mean squared error of the velocities.
TEST(SceneSimulation, RollingIsExact) {
  Simulation simulation(read_scene(models + "/scenes/rolling.json"));
  auto& world = simulation.world();
  double sum = 0;
  for (int k = 0; k < 1000; ++k) {
    simulation.step(1e-3);
    const double t = world.time(), box = .7385 * t, ball = .2110 * t;
    const double angle = std::atan2(std::sqrt(3.) / 2, .5);
    for (const auto* name : {"box", "ball0", "ball24"}) {
      const auto& v = world.v(name);
      const double speed = std::string(name) == "box" ? box : ball;
      sum += std::pow(v[0] - speed * std::cos(angle), 2) + std::pow(v[1] - speed * std::sin(angle), 2);
    }
  }
  // (The accelerations are rounded to four digits.)
  EXPECT_LT(sum / 3000, 1e-8);
}

// A world that a program has: servos follow their keyframes with the same bits, and what the program has set stays.
TEST(SceneSimulation, GoesOnWithAWorldOfTheProgram) {
  const auto grip = read_scene(models + "/scenes/grip.json");
  Simulation own(grip);
  auto world = make_world(grip);
  Simulation other(grip, world);
  EXPECT_EQ(&other.world(), &world);
  for (int k = 0; k < 50; ++k) own.step(grip.step), other.step(grip.step);
  for (const auto& name : world.moving()) {
    EXPECT_EQ(world.q(name), own.world().q(name)) << name;
    EXPECT_EQ(world.v(name), own.world().v(name)) << name;
  }
  EXPECT_NE(own.report().work.sum(), 0);
  EXPECT_EQ(other.report().work.sum(), 0);  // (nobody has asked for an audit)
  EXPECT_EQ(other.report().unexplained_energy, 0);
  EXPECT_TRUE(other.report().warnings.empty());

  const auto scene = scene_of(bodies_and_robots());
  auto pushed = make_world(scene);
  pushed.tau("ball")[2] = 20;
  pushed.external("arm")[0] = 3;
  Simulation simulation(scene, pushed);
  for (int k = 0; k < 10; ++k) simulation.step(1e-3);
  EXPECT_NEAR(pushed.v("ball")[2], -1 + (20 - 9.81) * .01, 1e-9);
  EXPECT_EQ(pushed.external("arm")[0], 3);
  EXPECT_EQ(simulation.report().steps, 10);
}

// The rows of a frame are those of its signals.
TEST(WorldSignals, HaveTheStateAndTheContacts) {
  const auto scene = read_scene(models + "/scenes/stack.json");
  const WorldModel model(scene);
  WorldSignals signals(scene, model);
  Simulation simulation(scene);
  StepReport step;
  for (int k = 0; k < 5; ++k) step = simulation.step(scene.step);
  const auto& rows = signals.rows(simulation, step);
  ASSERT_EQ(rows.size(), signals.signals().size());
  for (std::size_t k = 0; k < rows.size(); ++k)
    EXPECT_EQ(rows[k].values().size(), signals.signals()[k].columns.size()) << signals.signals()[k].name;
  Eigen::VectorXd q, v, tau;
  model.read(simulation.world(), q, v, tau);
  EXPECT_EQ(signals.q(), q);
  EXPECT_EQ(rows[0].values()[2], q[2]);
  const auto contacts = rows.back().values();
  int used = 0;
  for (std::size_t k = 0; k < contacts.size(); k += ContactSlots::width) used += contacts[k + 12] >= 0;
  EXPECT_EQ(used, step.contacts);
}

}  // namespace
}  // namespace lissom::scenes::test
