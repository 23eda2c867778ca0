// Integrators on mechanisms with closed loops: the loops stay closed, and energy is conserved as the order allows.
#include <array>
#include <cmath>

#include "largest.h"
#include "lissom/sim/simulation.h"
#include "refusal.h"
#include "sim_test_support.h"

namespace lissom::sim::test {
namespace {

using lissom::test::larger;
using lissom::test::smaller;

using lissom::test::refusal;

struct Mechanism {
  std::unique_ptr<System> system;
  State begin;
};
Mechanism bricard() {
  const auto model = load(model_file("iftomm/a04_bricard.urdf"), {.loops_file = model_file("iftomm/a04_bricard.json")});
  return {std::make_unique<System>(model), at_rest(model)};
}

TEST(ClosedLoopsInTime, EveryIntegratorKeepsThemClosed) {
  for (const auto& info : integrators()) {
    auto m = bricard();
    auto& system = *m.system;
    State x = run(system, m.begin, info.name, 1e-3, 1);
    EXPECT_LT(system.loops()->gap(system.model(), system.work(), x.q), 1e-12) << info.name;
    // The reference is the position of the third joint at t = 1.
    forward_kinematics(system.model(), system.work(), x.q);
    const auto p = placement(system.model(), system.work(), system.model().frame("rod_3")).p;
    const double off = std::hypot(p.x - 0.2744813193, p.y + 0.8867079387, p.z + 0.4623300027);
    EXPECT_LT(off, info.order == 1 ? 2e-2 : info.order == 2 ? 1e-4 : 1e-8) << info.name;
  }
}

TEST(ClosedLoopsInTime, TheVariationalIntegratorKeepsEnergyInThem) {
  auto m = bricard();
  auto& system = *m.system;
  State x = m.begin;
  const double before = energy(system, x);
  auto method = integrator(system.model(), "variational");
  double worst = 0;
  for (int i = 0; i < 10000; ++i) {
    method->step(system, x, 2e-3);
    worst = larger(worst, std::abs(energy(system, x) - before));
  }
  EXPECT_LT(worst, 5e-3);
}

// A delta robot on six rods falls from rest.
TEST(ClosedLoopsInTime, EveryIntegratorCarriesRods) {
  const auto model = load(model_file("mechanisms/delta.urdf"), {.loops_file = model_file("mechanisms/delta.json")});
  for (const auto& info : integrators()) {
    System system(model);
    State x = at_rest(model);
    system.loops()->assemble(model, system.work(), x.q);
    const double before = energy(system, x);
    Report report;
    auto method = integrator(model, info.name);
    sim::run(system, *method, x, {.seconds = 0.1, .step = 1e-3}, report);
    EXPECT_LT(report.max_gap, 1e-9) << info.name;  // at most 1e-15 after the first step
    EXPECT_LT(system.loops()->gap(model, system.work(), x.q), 1e-13) << info.name;
    EXPECT_NEAR(energy(system, x), before, info.order == 1 ? 2e-2 : info.order == 2 ? 1e-4 : 1e-8) << info.name;
    EXPECT_GT(kinetic_energy(model, system.work(), x.q, x.v), 0.1) << info.name;
    // The rods pull the falling platform less than its weight, all alike.
    ASSERT_EQ(report.loop_forces.size(), 6u);
    EXPECT_EQ(report.loop_forces[0].name, "rod_a_left, length");
    EXPECT_STREQ(report.loop_forces[0].unit, "N");
    for (const auto& force : report.loop_forces) {
      EXPECT_GT(force.max, 0.01) << force.name;
      EXPECT_LT(force.max, 5) << force.name;
    }
  }
}

// The tension of a pendulum on a rod that is released at an angle: m g (3 - 2 cos θ₀) where it passes the bottom.
TEST(ClosedLoopsInTime, ARodReportsItsLargestForce) {
  const double angle = 1.0, mass = 2, length = 0.7;
  Description d;
  d.name = "particle";
  d.links.resize(3);
  d.links[0].name = "ground", d.links[1].name = "slide", d.links[2].name = "particle";
  d.links[2].mass = mass;
  for (std::size_t i = 0; i < 2; ++i) {
    JointDescription j;
    j.name = "to_" + d.links[i + 1].name, j.type = JointType::prismatic;
    j.parent = d.links[i].name, j.child = d.links[i + 1].name;
    j.axis = {i == 0 ? 1.0 : 0, 0, i == 1 ? 1.0 : 0};
    j.lower = {-10}, j.upper = {10};
    d.joints.push_back(j);
  }
  LoopDescription rod{"string", {"world"}, {"particle"}};
  rod.kind = LoopKind::distance, rod.length = length;
  d.loops.push_back(rod);
  const auto model = build(d);
  System system(model);
  State x{0, length * Eigen::Vector2d(std::sin(angle), -std::cos(angle)), Eigen::VectorXd::Zero(2)};
  Report report;
  auto method = integrator(model, "rk4");
  double lowest = 0;
  RunOptions options{.seconds = 1.5, .step = 1e-3};
  options.observer = [&](const Reading& r) { lowest = smaller(lowest, r.loop_forces[0]); };
  sim::run(system, *method, x, options, report);
  EXPECT_NEAR(report.loop_forces.at(0).max, mass * 9.81 * (3 - 2 * std::cos(angle)), 1e-4);
  EXPECT_NEAR(-lowest, report.loop_forces[0].max, 1e-12);  // it pulls
  EXPECT_NEAR(report.energy_after, report.energy_before, 1e-8);
}

// Three bars, in a line at q = 0, and the ground; the last one ends at a pin, which is `pivot` away from the first.
Model four_bar(const std::array<double, 3>& lengths, double pivot) {
  Description d;
  d.name = "four_bar";
  d.links.resize(4);
  d.links[0].name = "ground";
  for (std::size_t i = 0; i < 3; ++i) {
    auto& link = d.links[i + 1];
    link.name = "bar_" + std::to_string(i), link.mass = 1, link.com = {lengths[i] / 2, 0, 0};
    link.inertia = {1e-4, 0, 0, 0.01, 0, 0.01};
    JointDescription j;
    j.name = "joint_" + std::to_string(i), j.type = JointType::continuous;
    j.parent = d.links[i].name, j.child = link.name, j.axis = {0, 1, 0};
    if (i > 0) j.origin.p = {lengths[i - 1], 0, 0};
    d.joints.push_back(j);
  }
  d.loops.push_back(
      {"pin", {"world", {identity3<double>(), {pivot, 0, 0}}}, {"bar_2", {identity3<double>(), {lengths[2], 0, 0}}}});
  return build(d);
}

// A four-bar that closes only when it is stretched is refused by name; without that check, its steps fail by name.
TEST(ClosedLoopsInTime, ARigidLoopIsNamed) {
  const auto model = four_bar({0.3, 0.4, 0.5}, 1.2);
  for (const auto& info : integrators()) {
    System system(model);
    State x = at_rest(model);
    Report report;
    auto method = integrator(model, info.name);
    const auto refused = refusal([&] { sim::run(system, *method, x, {.seconds = 0.1, .step = 1e-3}, report); });
    EXPECT_NE(refused.find("loop 'pin' closes in this configuration only"), std::string::npos) << refused;
    // Steps on their own end in an Error before anything runs away.
    const auto ended = refusal([&] {
      for (int i = 0; i < 100; ++i) method->step(system, x, 1e-3);
    });
    EXPECT_TRUE(x.q.allFinite() && x.v.allFinite());
    EXPECT_LT(system.loops()->gap(model, system.work(), x.q), 2e-6) << info.name << ": " << ended;
  }
}

// A parallelogram folds flat, where it could also go on as an antiparallelogram, and goes through.
TEST(ClosedLoopsInTime, AParallelogramPassesTheFlatConfiguration) {
  const auto model = four_bar({0.2, 0.5, 0.2}, 0.5);
  for (const auto& info : integrators()) {
    System system(model);
    State x = at_rest(model);
    x.q << 0.15, -0.15, M_PI + 0.15;
    x.v << -6, 6, -6;
    Report report;
    auto method = integrator(model, info.name);
    const auto go = [&] { sim::run(system, *method, x, {.seconds = 0.15, .step = 1e-3}, report); };
    if (info.name == "variational") {
      const auto refused = refusal(go);
      EXPECT_NE(refused.find("where a loop folds flat"), std::string::npos) << refused;
      continue;
    }
    go();
    EXPECT_LT(x.q[0], -0.1) << info.name;
    EXPECT_NEAR(x.q[0] + x.q[1], 0, 1e-6) << info.name << " has left the parallelogram's branch";
    EXPECT_LT(system.loops()->gap(model, system.work(), x.q), 1e-9) << info.name;
  }
}

TEST(ClosedLoopsInTime, VelocitiesThatOpenThemAreToldAtTheStart) {
  const auto model = four_bar({0.2, 0.5, 0.2}, 0.5);
  const auto warnings = [&](double bend, const Eigen::Vector3d& v) {
    System system(model);
    State x = at_rest(model);
    x.q << bend, -bend, M_PI + bend;
    x.v = v;
    Report report;
    auto method = integrator(model, "rk4");
    sim::run(system, *method, x, {.seconds = 0.01, .step = 1e-3}, report);
    std::string all;
    for (const auto& warning : report.warnings) all += warning + "\n";
    return all;
  };
  const std::string told = "the loops do not stay closed along the velocities at the start";
  for (const double bend : {0., 0.4}) {
    EXPECT_EQ(warnings(bend, {3, -3, 3}).find(told), std::string::npos) << bend;  // the parallelogram
    EXPECT_NE(warnings(bend, {3, 1, 9}).find(told), std::string::npos) << bend;   // no branch
  }
}

}  // namespace
}  // namespace lissom::sim::test
