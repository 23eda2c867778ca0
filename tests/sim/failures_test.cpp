// Steps that cannot be taken: they throw, name the joint or the loop, and change nothing. Stiff laws that
// implicit_euler must solve.
#include "lissom/sim/simulation.h"
#include "sim_test_support.h"

namespace lissom::sim::test {
namespace {

bool same(const State& a, const State& b) {
  return identical(a.q, b.q) && identical(a.v, b.v) && a.t == b.t && a.next_step == b.next_step;
}

// The acceleration at the beginning is finite; the end of the step is not.
TEST(Failures, AStepThatEndsInNaNIsAnErrorAndChangesNothing) {
  for (const char* name : {"semi_implicit_euler", "implicit_joints", "midpoint", "rk4"}) {
    System system(one_joint(JointType::spherical));
    State x = at_rest(system.model());
    x.v << 1e150, 2e150, -1e150;
    const State before = x;
    auto method = integrator(system.model(), name);
    const std::string what = said([&] { method->step(system, x, 1e-3); });
    EXPECT_TRUE(mentions(what, {"joint 'joint'", "expected a finite number", "smaller step", "dopri5"})) << name;
    EXPECT_TRUE(same(x, before)) << name;
  }
}

// A link with a negative inertia: its joint is named, also where gains would hide it from the integrator.
TEST(Failures, AMassMatrixThatIsNotPositiveDefiniteIsNamed) {
  System system(one_joint(JointType::revolute));
  Description d = system.model().description();
  d.links[1].mass = 0, d.links[1].inertia = {-1e-3, 0, 0, -1e-3, 0, -1e-3};
  System wrong(build(d));
  wrong.control(pd(wrong.model(), hold(neutral(wrong.model()))));
  State x = at_rest(wrong.model());
  Report report;
  run(wrong, x, {.seconds = 1e-3}, report);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_TRUE(mentions(report.warnings[0],
                       {"mass matrix is not positive definite", "joint 'joint'", "feels an inertia of -0.001"}));
}

TEST(Failures, TheRemedyNamesTheIntegrator) {
  System system(load(model_file("arm7.urdf")), {.effort_limits = false});
  const auto& model = system.model();
  system.control(pd(model, hold(neutral(model)), {.stiffness = 1e6, .damping = 1e4}));
  State x = at_rest(model);
  x.q[1] += 0.1;
  auto method = integrator(model, "rk4");
  const std::string what = said([&] {
    for (int i = 0; i < 5000; ++i) method->step(system, x, 1e-3);
  });
  EXPECT_TRUE(mentions(what, {"joint '", "implicit_joints"}));
}

// h c / I = 5: a control law that reports no gains.
TEST(ImplicitEuler, SolvesAStiffLawWithoutGains) {
  JointDescription hinge;
  hinge.axis = {0, 1, 0};
  System system(one_joint(JointType::revolute, hinge).with_gravity({0, 0, 0}), {.effort_limits = false});
  const double inertia = 0.03 + 0.5 * 0.5 + 0.02 * 0.02, c = 5 * inertia / 1e-2;
  system.control([c](const Instant& at, Eigen::VectorXd& tau) { tau = -c * at.v; });
  State x = at_rest(system.model());
  x.v[0] = 1;
  x = run(system, x, "implicit_euler", 1e-2, 0.05);
  EXPECT_NEAR(x.v[0], std::pow(6, -5), 1e-9);
}

TEST(ImplicitEuler, SolvesAStiffLawOnManyJoints) {
  System system(free_robot("humanoid.urdf"), {.passive_forces = false, .effort_limits = false});
  // Couples all joints, so that no diagonal of gains could describe it.
  system.control([](const Instant& at, Eigen::VectorXd& tau) {
    tau.tail(tau.size() - 6) -= 30 * at.v.tail(at.v.size() - 6);
    tau.tail(tau.size() - 6).array() -= 10 * at.v.tail(at.v.size() - 6).sum();
  });
  const State x = run(system, moving(system.model()), "implicit_euler", 1e-2, 0.2);
  EXPECT_LT(x.v.tail(x.v.size() - 6).norm(), 0.2);
}

// Two balls on two links, held by a stiff spring that is stretched: its direction rotates.
TEST(ImplicitEuler, SolvesAStretchedSpring) {
  Description d = one_joint(JointType::spherical).description();
  LinkDescription second = d.links[1];
  second.name = "second";
  d.links.push_back(second);
  JointDescription ball;
  ball.name = "ball", ball.type = JointType::spherical, ball.parent = "body", ball.child = "second";
  ball.origin.p = {0, 0, -1};
  d.joints.push_back(ball);
  System system(build(d));
  const auto& model = system.model();
  system.add(Spring{"s", {world_frame, {{}, {0.3, 0, -1.8}}}, {model.frame("second"), {{}, {0, 0, -1}}}, 1e4, 0, 0.1});
  const State begin = moving(model);
  const double before = energy(system, begin);
  const State x = run(system, begin, "implicit_euler", 1e-2, 1);
  EXPECT_LE(energy(system, x), before + 1) << "implicit Euler takes energy";
}

// Three bars that reach their support only when stretched: the loop closes at one configuration, and nothing can move.
// The run reached 1e262 J in two steps.
TEST(Failures, ALoopThatIsRigidBySingularityIsNamed) {
  Description d = one_joint(JointType::revolute).description();
  d.joints[0].axis = {0, 0, 1};
  d.links[1].com = {0.5, 0, 0}, d.links[1].inertia = {0.01, 0, 0, 0.08, 0, 0.08};
  for (const char* name : {"second", "third"}) {
    LinkDescription link = d.links[1];
    JointDescription joint = d.joints[0];
    link.name = name;
    joint.name = std::string(name) + "_joint", joint.parent = d.links.back().name, joint.child = name;
    joint.origin.p = {1, 0, 0};
    d.links.push_back(link);
    d.joints.push_back(joint);
  }
  LoopDescription loop;
  loop.name = "support", loop.a = {"ground", {.p = {3, 0, 0}}}, loop.b = {"third", {.p = {1, 0, 0}}};
  d.loops = {loop};
  d.gravity = {0, -9.81, 0};
  for (const auto& info : integrators()) {
    if (info.name == "dopri5") continue;  // takes smaller and smaller steps
    System system(build(d));
    State x = at_rest(system.model());
    x.q << 0.8, -0.5, 1.4;
    system.loops()->assemble(system.model(), system.work(), x.q);
    auto method = integrator(system.model(), info.name);
    State before = x;
    const std::string what = said([&] {
      for (int i = 0; i < 500; ++i) {
        before = x;
        method->step(system, x, 1e-3);
      }
    });
    EXPECT_TRUE(mentions(what, {"'support, along", "singular"})) << info.name;
    EXPECT_TRUE(same(x, before)) << info.name;
  }
}

}  // namespace
}  // namespace lissom::sim::test
