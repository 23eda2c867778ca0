// Every run accounts for its energy: what motors, dampers, pushes and force laws explain, and what they do not.
#include "lissom/sim/simulation.h"
#include "sim_test_support.h"

namespace lissom::sim::test {
namespace {

// Everything that can do work at once.
System busy_quadruped() {
  Description d = free_robot("quadruped.urdf").description();
  for (auto& joint : d.joints) joint.damping = 0.3;
  System system(build(d, {.base = Base::free}));
  const auto& model = system.model();
  system.control(pd(model, hold(neutral(model)), {.stiffness = 20, .damping = 0.5}, true));
  const FrameId trunk = model.frame(model.links().front().name), foot = model.frame(model.links().back().name);
  system.add(Push{{trunk, {30, -20, 10}, {1, 2, 3}, {trunk, {0.1, 0, 0}}, trunk}, 0.1, 0.3});
  system.add(Spring{"s", {world_frame, {{}, {0, 0, 1}}}, {trunk, {{}, {0.2, 0, 0}}}, 200, 5, 0.5});
  system.add([foot](const Instant&, std::vector<ExternalForce>& forces) {
    forces.push_back({foot, {2, 1, -1}, {0, 0.1, 0}, {foot, {0, 0, 0.1}}, world_frame});
  });
  return system;
}

TEST(EnergyAudit, WorkExplainsTheEnergy) {
  for (const auto& info : integrators()) {
    System system = busy_quadruped();
    State x = moving(system.model());
    Report report;
    run(system, *integrator(system.model(), info.name), x, {.seconds = 0.5}, report);
    EXPECT_GT(std::abs(report.work.motors), 0.1) << info.name;
    EXPECT_LT(report.work.damping, -1) << info.name;
    EXPECT_GT(std::abs(report.work.pushes), 0.3) << info.name;
    EXPECT_GT(std::abs(report.work.forces), 0.1) << info.name;
    EXPECT_DOUBLE_EQ(report.unexplained_energy, report.energy_after - report.energy_before - report.work.sum());
    EXPECT_LT(std::abs(report.unexplained_energy), info.order == 1 ? 2 : info.order == 2 ? 0.1 : 0.03) << info.name;
    EXPECT_EQ(report.warnings, std::vector<std::string>{}) << info.name;
  }
}

// The parts converge with the step, not only their sum.
TEST(EnergyAudit, EveryIntegratorMeasuresTheSameWork) {
  Work reference;
  for (const auto& info : integrators()) {
    System system = busy_quadruped();
    State x = moving(system.model());
    Report report;
    run(system, *integrator(system.model(), info.name), x, {.seconds = 0.3, .step = 2e-4}, report);
    if (info.name == integrators().front().name) reference = report.work;
    EXPECT_NEAR(report.work.motors, reference.motors, 0.02 * std::abs(reference.motors) + 0.05) << info.name;
    EXPECT_NEAR(report.work.damping, reference.damping, 0.02 * std::abs(reference.damping)) << info.name;
    EXPECT_NEAR(report.work.pushes, reference.pushes, 0.02 * std::abs(reference.pushes)) << info.name;
    EXPECT_NEAR(report.work.forces, reference.forces, 0.02 * std::abs(reference.forces) + 0.05) << info.name;
  }
}

TEST(EnergyAudit, EnergyFromNowhereIsNamed) {
  for (const char* name : {"explicit_euler", "semi_implicit_euler", "midpoint", "rk4"}) {
    System system(free_robot("humanoid.urdf"), {.passive_forces = false});
    State x = moving(system.model());
    x.v *= 20;
    Report report;
    const std::string error =
        said([&] { run(system, *integrator(system.model(), name), x, {.seconds = 0.5, .step = 0.1}, report); });
    EXPECT_TRUE(!report.warnings.empty() || !error.empty()) << name;
    for (const auto& warning : report.warnings)
      EXPECT_TRUE(mentions(warning, {"energy appears from nowhere", "more than motors", name, "dopri5"}));
    EXPECT_GT(report.appeared_energy, 0) << name;
    EXPECT_EQ(report.energy_from_nowhere, !report.warnings.empty()) << name;
  }
}

// A damper whose step is too long for it does not count the energy that appears as its work.
TEST(EnergyAudit, ADamperNeverDoesPositiveWork) {
  JointDescription slide;
  slide.axis = {1, 0, 0};
  slide.damping = 3000;  // h d / m = 3
  for (const char* name : {"explicit_euler", "semi_implicit_euler", "midpoint", "rk4"}) {
    System system(one_joint(JointType::prismatic, slide));
    State x = at_rest(system.model());
    x.v[0] = 1;
    Report report;
    run(system, *integrator(system.model(), name), x, {.seconds = 0.01}, report);
    EXPECT_LT(report.work.damping, 0) << name;
    EXPECT_GT(report.appeared_energy, 0) << name;
    EXPECT_EQ(report.warnings.size(), 2u) << name;  // one before the run, one after it
    EXPECT_TRUE(mentions(report.warnings.back(), {"energy appears from nowhere"}));
    EXPECT_TRUE(report.energy_from_nowhere) << name;
  }
}

// Closed loops do no work, and the projection onto them has a figure of its own.
TEST(EnergyAudit, LoopsDoNoWork) {
  const auto model = load(model_file("iftomm/a04_bricard.urdf"), {.loops_file = model_file("iftomm/a04_bricard.json")});
  for (const auto& info : integrators()) {
    System system(model);
    State x = at_rest(model);
    Report report;
    run(system, *integrator(model, info.name), x, {.seconds = 0.3}, report);
    EXPECT_NE(report.work.loops, 0) << info.name;
    EXPECT_LT(std::abs(report.work.loops), info.order == 1 || info.name == "variational" ? 0.05 : 1e-4) << info.name;
    EXPECT_EQ(report.warnings, std::vector<std::string>{}) << info.name;
    EXPECT_FALSE(report.energy_from_nowhere) << info.name;
  }
}

// A rod that grows while it carries something lifts it: the projection does work that nobody gave.
TEST(EnergyAudit, ALoopThatGivesEnergyIsNamed) {
  const auto model = load(model_file("mechanisms/delta.urdf"), {.loops_file = model_file("mechanisms/delta.json")});
  System system(model);
  State x = at_rest(model);
  system.loops()->assemble(model, system.work(), x.q);
  Report report;
  auto loops = closures(model);
  double length = 1;
  const auto grow = [&](const Reading& r) {
    if (r.state.t < 0.02 || length > 1) return;
    length = 1.1;
    for (auto& loop : loops.loops) loop.length = length * loop.length.value_or(1);
    system.close(loops);
  };
  run(system, *integrator(model, "rk4"), x, {.seconds = 0.1, .observer = grow}, report);
  EXPECT_GT(report.work.loops, 0.02);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_TRUE(mentions(report.warnings[0],
                       {"energy appears from nowhere", "by the projection onto closed loops", "t = 0.02 s"}));
  EXPECT_NEAR(report.appeared_from, 0.02, 1e-3);
}

TEST(EnergyAudit, MotorsAtTheirLimitsAreReported) {
  Description d = load(model_file("arm7.urdf")).description();
  std::string weak;
  for (auto& joint : d.joints)
    if (joint.type == JointType::revolute && weak.empty()) weak = joint.name, joint.effort_limit = 0;
  System system(build(d));
  const auto& model = system.model();
  Eigen::VectorXd goal = neutral(model);
  goal[0] += 0.1;
  system.control(pd(model, hold(goal)));
  State x = at_rest(model);
  Report report;
  run(system, x, {.seconds = 0.1}, report);
  ASSERT_EQ(report.saturated.size(), 1u);
  EXPECT_EQ(report.saturated[0].joint, weak);
  EXPECT_EQ(report.saturated[0].limit, 0);
  EXPECT_EQ(report.saturated[0].fraction, 1);
}

TEST(Runs, TooManyStepsAreRefused) {
  System system(load(model_file("arm7.urdf")));
  State x = at_rest(system.model());
  Report report;
  EXPECT_TRUE(mentions(said([&] { run(system, x, {.seconds = 1e16}, report); }), {"steps", "expected at most"}));
  EXPECT_TRUE(mentions(said([&] { run(system, x, {.step = 1e-320}, report); }), {"steps", "expected at most"}));
  for (const double seconds : {-1., double(NAN), double(INFINITY)})
    EXPECT_TRUE(mentions(said([&] { run(system, x, {.seconds = seconds}, report); }), {"seconds is", "at least 0"}));
}

}  // namespace
}  // namespace lissom::sim::test
