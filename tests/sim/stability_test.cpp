// Stiff gains: which integrator fits, whether the check before a run tells the truth, and motors at their limits.
#include "lissom/sim/stability.h"

#include "largest.h"
#include "lissom/sim/simulation.h"
#include "sim_test_support.h"

namespace lissom::sim::test {
namespace {

using lissom::test::larger;

Eigen::VectorXd goal_of(const Model& model) {
  Eigen::VectorXd goal = neutral(model);
  for (int i = 0; i < model.nq(); ++i) goal[i] += 0.3;
  return goal;
}

// The first program of docs/simulation.md. With rk4 it ended 2.2 rad from the goal.
TEST(Stability, PdWithTheDefaultsReachesItsGoal) {
  System system(load(model_file("arm7.urdf")));
  const auto& model = system.model();
  system.control(pd(model, hold(goal_of(model)), {.stiffness = 400, .damping = 40}, true));
  State x = at_rest(model);
  Report report;
  run(system, x, {.seconds = 2}, report);
  EXPECT_EQ(report.integrator, "implicit_joints");
  EXPECT_TRUE(close(x.q, goal_of(model), 1e-3));
  EXPECT_LT(x.v.norm(), 1e-2);
  EXPECT_EQ(report.warnings, std::vector<std::string>{});
}

TEST(Stability, AnExplicitIntegratorIsWarnedAbout) {
  System system(load(model_file("arm7.urdf")));
  const auto& model = system.model();
  system.control(pd(model, hold(goal_of(model)), {.stiffness = 400, .damping = 40}, true));
  State x = at_rest(model);
  Report report;
  run(system, *integrator(model, "rk4"), x, {.seconds = 0.2}, report);
  ASSERT_GE(report.warnings.size(), 2u);
  EXPECT_TRUE(mentions(report.warnings[0], {"rk4", "damping of joint", "h d / M is", "kg m²", "expected less than 2.7",
                                            "implicit_joints", "a step of less than"}));
  EXPECT_TRUE(mentions(report.warnings[1], {"energy appears from nowhere", "rk4", "implicit_joints"}));
}

// The limit is the method's, not a guess: a little below it the motion dies out, a little above it grows.
TEST(Stability, TheLimitIsWhereMotionsBeginToGrow) {
  for (const char* robot : {"arm7.urdf", "quadruped.urdf"})
    for (const char* name : {"explicit_euler", "semi_implicit_euler", "midpoint", "rk4"}) {
      System system(load(model_file(robot)).with_gravity({0, 0, 0}), {.passive_forces = false, .effort_limits = false});
      const auto& model = system.model();
      system.control(pd(model, hold(neutral(model)), {.stiffness = 0, .damping = 10}));
      auto method = integrator(model, name);
      const double at_one = stiffness_of(system, at_rest(model), 1).damping;
      for (const double part : {0.97, 1.03}) {
        const double step = part * method->info().max_damping / at_one;
        const auto stiffness = stiffness_of(system, at_rest(model), step);
        EXPECT_EQ(stable(method->info(), stiffness), part < 1);
        State x = moving(model);
        x.v *= 1e-9;  // so that the robot stays where it is, and the mass matrix what it is
        const double before = x.v.norm();
        for (int i = 0; i < 600 && x.v.norm() < 1e3 * before; ++i) method->step(system, x, step);
        EXPECT_EQ(x.v.norm() < before, part < 1) << robot << " " << name << " " << part << ": " << x.v.norm() / before;
      }
    }
}

TEST(Stability, TheLimitForStiffness) {
  for (const char* name : {"semi_implicit_euler", "rk4"}) {
    System system(load(model_file("arm7.urdf")).with_gravity({0, 0, 0}), {.passive_forces = false});
    const auto& model = system.model();
    system.control(pd(model, hold(neutral(model)), {.stiffness = 100, .damping = 0}));
    auto method = integrator(model, name);
    const double at_one = stiffness_of(system, at_rest(model), 1).frequency;
    for (const double part : {0.97, 1.03}) {
      State x = moving(model);
      x.v *= 1e-9;
      const double before = x.v.norm(), step = part * method->info().max_frequency / at_one;
      for (int i = 0; i < 600 && x.v.norm() < 1e3 * before; ++i) method->step(system, x, step);
      EXPECT_EQ(x.v.norm() < 1e3 * before, part < 1) << name << " " << part << ": " << x.v.norm();
    }
  }
}

TEST(Stability, TheIntegratorFitsTheForces) {
  const auto fitting = [](System& system) {
    return fitting_integrator(system, at_rest(system.model()), 1e-3)->info().name;
  };
  JointDescription hinge;
  hinge.axis = {0, 1, 0};
  System plain(one_joint(JointType::revolute, hinge));
  EXPECT_EQ(fitting(plain), "rk4");
  plain.add(
      Spring{"soft", {world_frame, {{}, {0.3, 0, -1}}}, {plain.model().frame("body"), {{}, {0, 0, -1}}}, 50, 0, 0.1});
  EXPECT_EQ(fitting(plain), "rk4");
  plain.add(
      Spring{"stiff", {world_frame, {{}, {0.3, 0, -1}}}, {plain.model().frame("body"), {{}, {0, 0, -1}}}, 1e8, 0, 0.1});
  EXPECT_EQ(fitting(plain), "dopri5");
  hinge.damping = 1;
  System damped(one_joint(JointType::revolute, hinge));
  EXPECT_EQ(fitting(damped), "rk4");
  hinge.dry_friction = 1;
  System sticking(one_joint(JointType::revolute, hinge));
  EXPECT_EQ(fitting(sticking), "implicit_joints");
  damped.control(pd(damped.model(), hold(neutral(damped.model()))));
  EXPECT_EQ(fitting(damped), "implicit_joints");
  damped.control(gravity_compensation(damped.model()));
  EXPECT_EQ(fitting(damped), "rk4");
  const State short_state{0, Eigen::VectorXd::Zero(0), Eigen::VectorXd::Zero(1)};
  EXPECT_TRUE(mentions(said([&] { fitting_integrator(damped, short_state, 1e-3); }), {"q has 0 elements, expected 1"}));
}

// A strong motor on a light joint: its torque is at the limit at the beginning of a step, and would be at the other one
// at the end. It approaches its goal as the continuous motion does, instead of alternating between the limits.
TEST(Stability, AMotorAtItsLimitDoesNotChatter) {
  Description d = one_joint(JointType::revolute).description();
  d.links[1].mass = 1e-3, d.links[1].com = {0, 0, 0}, d.links[1].inertia = {1e-6, 0, 0, 1e-6, 0, 1e-6};
  d.joints[0].axis = {0, 0, 1}, d.joints[0].effort_limit = 5;
  System system(build(d));
  system.control(pd(system.model(), hold(Eigen::VectorXd::Ones(1)), {.stiffness = 100, .damping = 10}));
  State x = at_rest(system.model());
  double fastest = 0;
  auto method = integrator(system.model(), "implicit_joints");
  for (int i = 0; i < 500; ++i) {
    method->step(system, x, 1e-3);
    fastest = larger(fastest, std::abs(x.v[0]));
  }
  // Without inertia the speed is (k e - tau) / d, at first 9.5 rad/s, and e = exp(-k t / d).
  EXPECT_LT(fastest, 10);
  EXPECT_NEAR(x.q[0], 1 - std::exp(-5), 2e-3);
}

}  // namespace
}  // namespace lissom::sim::test
