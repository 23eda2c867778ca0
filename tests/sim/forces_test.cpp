// Forces and controllers against closed-form solutions; values that are not finite throw an Error and change nothing.
#include "sim_test_support.h"

namespace lissom::sim::test {
namespace {

JointDescription slide() {
  JointDescription joint;
  joint.axis = {1, 0, 0};
  return joint;
}
const IntegratorOptions exact{.relative_tolerance = 1e-12, .absolute_tolerance = 1e-12};

TEST(Forces, SpringAndDamperOfAJoint) {
  auto joint = slide();
  joint.spring_stiffness = 40, joint.spring_rest = 0.2, joint.damping = 0.8;
  System system(one_joint(JointType::prismatic, joint));
  State x = run(system, at_rest(system.model()), "dopri5", 2, 2, exact);
  // x'' = -k (x - rest) - d x', m = 1
  const double d = 0.4, w = std::sqrt(40 - d * d);
  EXPECT_NEAR(x.q[0], 0.2 - 0.2 * std::exp(-2 * d) * (std::cos(2 * w) + d / w * std::sin(2 * w)), 1e-9);
}

TEST(Forces, EachDegreeOfFreedomHasItsOwnDamping) {
  const double each[] = {0.8, 3};
  auto joint = slide();
  joint.damping = PerDof(each);
  System system(one_joint(JointType::cylindrical, joint).with_gravity({0, 0, 0}));
  State x = at_rest(system.model());
  x.v << 1, 1;
  x = run(system, x, "dopri5", 1, 1, exact);
  EXPECT_NEAR(x.v[0], std::exp(-0.8), 1e-9);
  EXPECT_NEAR(x.v[1], std::exp(-3 / (0.02 + 0.25)), 1e-9);  // inertia about the axis
}

TEST(Forces, DryFrictionStopsAndHolds) {
  auto joint = slide();
  joint.dry_friction = 2;
  System system(one_joint(JointType::prismatic, joint));
  State x = at_rest(system.model());
  x.v[0] = 1;
  x = run(system, x, "implicit_joints", 1e-3, 2);
  EXPECT_NEAR(x.q[0], 0.25, 2e-3);  // v² / 2 a
  EXPECT_LT(std::abs(x.v[0]), 1e-6);
  const FrameId body = system.model().frame("body");
  system.add(Push{{body, {1.5, 0, 0}, {0, 0, 0}, {body, {}}}});
  x = run(system, x, "implicit_joints", 1e-3, 1);
  EXPECT_LT(std::abs(x.q[0] - 0.25), 5e-3) << "held by friction against a smaller force, except for creep";
}

TEST(Forces, MotorsObeyTheirLimits) {
  auto joint = slide();
  joint.effort_limit = 3;
  System system(one_joint(JointType::prismatic, joint));
  system.control([](const Instant&, Eigen::VectorXd& tau) { tau[0] = 100; });
  State x = run(system, at_rest(system.model()), "rk4", 0.01, 1);
  EXPECT_NEAR(x.q[0], 1.5, 1e-12);
}

TEST(Forces, APushActsForItsTimeAtItsPointAlongItsAxes) {
  System system(free_robot("quadruped.urdf").with_gravity({0, 0, 0}), {.passive_forces = false});
  const auto& model = system.model();
  const FrameId trunk = model.frame(model.links().front().name);
  system.add(Push{{trunk, {0, 7, 0}, {0, 0, 0}, {trunk, {0.3, 0, 0}}, world_frame}, 0.2, 0.5});
  State x = at_rest(model);
  const auto c = center_of_mass(model, system.work(), x.q);
  x = run(system, x, "rk4", 1e-3, 0.199);
  EXPECT_LT(x.v.norm(), 1e-14);
  x = run(system, x, "rk4", 1e-3, 1);
  const Vector6 p = centroidal_momentum(model, system.work(), x.q, x.v);
  EXPECT_NEAR(p[1], 7 * 0.3, 0.02);
  EXPECT_NEAR(p[5], 7 * 0.3 * (0.3 - c.x), 0.05);
}

TEST(Forces, SpringsBetweenPoints) {
  JointDescription pendulum;
  pendulum.axis = {0, 1, 0};
  System system(one_joint(JointType::revolute, pendulum).with_gravity({0, 0, 0}));
  const auto& model = system.model();
  system.add(Spring{"s", {world_frame, {{}, {0.3, 0, -1}}}, {model.frame("body"), {{}, {0, 0, -0.5}}}, 50, 0, 0.1});
  State x = at_rest(model);
  const double before = energy(system, x);
  x = run(system, x, "dopri5", 3, 3, exact);
  EXPECT_NEAR(energy(system, x), before, 1e-9);
  EXPECT_GT(system.kinetic_energy(x.q, x.v) + std::abs(x.q[0]), 1e-3);
}

TEST(Forces, AControllerHoldsAndFollows) {
  const auto model = load(model_file("arm7.urdf"));
  Eigen::VectorXd goal = neutral(model);
  for (int i = 0; i < model.nv(); ++i) goal[i] += 0.2;
  System system(model);
  system.control(computed_torque(model, hold(goal), {.stiffness = 400, .damping = 40}));
  State x = run(system, at_rest(model), "rk4", 1e-3, 1);
  EXPECT_TRUE(close(x.q, goal, 1e-6));
  system.control(pd(model, hold(goal), {.stiffness = 400, .damping = 40}, true));
  x = run(system, x, "implicit_joints", 1e-3, 0.5);
  EXPECT_TRUE(close(x.q, goal, 1e-4));
  system.control(gravity_compensation(model));
  x = run(system, at_rest(model), "rk4", 1e-3, 0.3);
  EXPECT_TRUE(close(x.q, neutral(model), 1e-10)) << "weightless";
}

TEST(Forces, WhatIsNotFiniteIsRefusedAndChangesNothing) {
  System system(load(model_file("arm7.urdf")));
  const auto& model = system.model();
  const std::string joint = model.joints()[2].name;
  system.control([](const Instant& at, Eigen::VectorXd& tau) {
    if (at.t > 0.05) tau[2] = NAN;
  });
  for (const auto& info : integrators()) {
    State x = at_rest(model);
    auto method = integrator(model, info.name);
    State before;
    const std::string what = said([&] {
      for (int i = 0; i < 100; ++i) {
        before = x;
        method->step(system, x, 1e-3);
      }
    });
    EXPECT_TRUE(mentions(what, {"tau[2]", joint.c_str(), "NaN", "t = 0.05"})) << info.name;
    EXPECT_TRUE(identical(x.q, before.q) && identical(x.v, before.v)) << info.name;
    EXPECT_EQ(x.t, before.t);
  }
  system.control([](const Instant&, Eigen::VectorXd&) {});
  system.add([](const Instant& at, std::vector<ExternalForce>& forces) {
    forces.push_back({at.model.frame("world"), {INFINITY, 0, 0}, {0, 0, 0}, {}, world_frame});
  });
  Eigen::VectorXd a(model.nv());
  EXPECT_TRUE(mentions(said([&] { system.acceleration(0, neutral(model), Eigen::VectorXd::Zero(model.nv()), a); }),
                       {"external[0].force.x", "infinite", "t = 0"}));
}

TEST(Forces, StepsThatAreNoneAreRefused) {
  System system(load(model_file("arm7.urdf")));
  State x = at_rest(system.model());
  auto method = integrator(system.model(), "rk4");
  for (const double step : {0., -1e-3, double(NAN), double(INFINITY)})
    EXPECT_TRUE(mentions(said([&] { method->step(system, x, step); }), {"step is", "expected a positive number"}))
        << step;
}

// -∂tau/∂v and -∂tau/∂q against finite differences.
TEST(Forces, GainsAreSlopes) {
  auto joint = slide();
  joint.spring_stiffness = 40, joint.damping = 0.8;
  System system(one_joint(JointType::prismatic, joint));
  const auto& model = system.model();
  system.control(pd(model, hold(neutral(model)), {.stiffness = 3, .damping = 2}));
  Eigen::VectorXd stiffness(1), damping(1), q(1), v(1);
  q << 0.1, v << 0.2;
  system.gains(v, stiffness, damping);
  Applied here = system.applied(), there = here;
  system.evaluate(0, q, v, here);
  q[0] += 1e-3, system.evaluate(0, q, v, there);
  EXPECT_NEAR(stiffness[0], (here.tau - there.tau)[0] / 1e-3, 1e-9);
  q[0] -= 1e-3, v[0] += 1e-3, system.evaluate(0, q, v, there);
  EXPECT_NEAR(damping[0], (here.tau - there.tau)[0] / 1e-3, 1e-9);
}

}  // namespace
}  // namespace lissom::sim::test
