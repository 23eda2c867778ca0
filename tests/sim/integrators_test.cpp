// Properties of the integrators: the order of each, energy and momentum, error control, restarts.
#include "largest.h"
#include "sim_test_support.h"
#include "thrown_quadruped.h"

namespace lissom::sim::test {
namespace {

using lissom::test::larger;

// The order, from the errors with a step that is halved twice.
double order(System& system, const State& begin, const std::string& name, double step, double seconds,
             const IntegratorOptions& options = {}) {
  const State end =
      run(system, begin, "dopri5", seconds, seconds, {.relative_tolerance = 1e-13, .absolute_tolerance = 1e-13});
  const double coarse = distance(system.model(), run(system, begin, name, step, seconds, options), end);
  const double fine = distance(system.model(), run(system, begin, name, step / 4, seconds, options), end);
  return std::log2(coarse / fine) / 2;
}

struct Case {
  std::string name;
  int order;
};
class Order : public ::testing::TestWithParam<Case> {};

TEST_P(Order, OnASphericalPendulum) {
  System system(one_joint(JointType::spherical));
  State x = at_rest(system.model());
  x.v << 1, 2, 3;
  EXPECT_NEAR(order(system, x, GetParam().name, 0.02, 1), GetParam().order, 0.25);
}

TEST_P(Order, OfAHumanoidInFlight) {
  System system(free_robot("humanoid.urdf"));
  EXPECT_NEAR(order(system, moving(system.model()), GetParam().name, 0.01, 0.2), GetParam().order, 0.25);
}

TEST_P(Order, OnAPlanarBaseWithDamping) {
  JointDescription joint;
  joint.damping = 0.3;
  System system(one_joint(JointType::planar, joint));
  State x = moving(system.model());
  system.add(Push{{system.model().frame("body"), {0.5, 0.2, 0}, {0, 0, 1}, {system.model().frame("body"), {}}}});
  EXPECT_NEAR(order(system, x, GetParam().name, 0.02, 1), GetParam().order, 0.3);
}

INSTANTIATE_TEST_SUITE_P(Every, Order,
                         ::testing::Values(Case{"explicit_euler", 1}, Case{"semi_implicit_euler", 1},
                                           Case{"implicit_euler", 1}, Case{"implicit_joints", 1}, Case{"midpoint", 2},
                                           Case{"rk4", 4}, Case{"variational", 2}),
                         [](const auto& one) { return one.param.name; });

TEST(Integrators, QuaternionRatesHaveTheSameOrder) {
  System system(one_joint(JointType::spherical));
  State x = at_rest(system.model());
  x.v << 1, 2, 3;
  EXPECT_NEAR(order(system, x, "rk4", 0.02, 1, {.attitude = Attitude::quaternion}), 4, 0.3);
  EXPECT_NEAR(order(system, x, "midpoint", 0.02, 1, {.attitude = Attitude::quaternion}), 2, 0.3);
}

TEST(Integrators, SoDoOtherCharts) {
  for (const char* name : {"euler-zyx", "matrix", "axis-angle"}) {
    System system(free_robot("quadruped.urdf"));
    State x = moving(system.model());
    // Away from the singularities of these charts.
    x.q = integrate(system.model(), x.q, Eigen::VectorXd::Constant(system.model().nv(), 0.3));
    EXPECT_NEAR(order(system, x, "rk4", 0.02, 0.2, {.attitude = Attitude::chart, .chart = name}), 4, 0.4) << name;
  }
  EXPECT_TRUE(mentions(said([] {
                         integrator(one_joint(JointType::spherical), "rk4",
                                    {.attitude = Attitude::chart, .chart = "sideways"});
                       }),
                       {"sideways", "euler-xyz"}));
}

TEST(Integrators, AllAreListedAndFound) {
  const auto model = one_joint(JointType::revolute);
  for (const auto& info : integrators()) EXPECT_NO_THROW(integrator(model, info.name)) << info.name;
  EXPECT_TRUE(mentions(said([&] { integrator(model, "rk5"); }), {"rk5", "rk4", "variational"}));
}

TEST(Integrators, ErrorControlKeepsItsPromise) {
  System system(free_robot("humanoid.urdf"));
  const State begin = moving(system.model());
  const auto at = [&](double tolerance) {
    return run(system, begin, "dopri5", 0.3, 0.3, {.relative_tolerance = tolerance, .absolute_tolerance = tolerance});
  };
  const State end = run(system, begin, "rk4", 2e-5, 0.3);  // another method, without error control
  for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11})
    EXPECT_LT(distance(system.model(), at(tolerance), end), 200 * tolerance) << tolerance;
}

TEST(Integrators, MomentumIsKeptByTheVariationalOne) {
  for (const char* name : {"humanoid.urdf", "quadruped.urdf"}) {
    System system(free_robot(name).with_gravity({0, 0, 0}), {.passive_forces = false});
    State x = moving(system.model());
    const Vector6 p = centroidal_momentum(system.model(), system.work(), x.q, x.v);
    const double before = energy(system, x);
    x = run(system, x, "variational", 1e-3, 1);
    EXPECT_LT((centroidal_momentum(system.model(), system.work(), x.q, x.v) - p).squaredNorm(), 1e-22) << name;
    EXPECT_LT(std::abs(energy(system, x) - before), 1e-4 * before) << name;
  }
}

TEST(Integrators, EnergyOfThePendulumDoesNotDriftWithTheVariationalOne) {
  System system(one_joint(JointType::spherical));
  State x = at_rest(system.model());
  x.v << 1, 2, 3;
  const double before = energy(system, x);
  auto method = integrator(system.model(), "variational");
  double first = 0, last = 0;
  for (int i = 0; i < 100000; ++i) {
    method->step(system, x, 5e-3);
    const double off = std::abs(energy(system, x) - before);
    if (i < 20000) first = larger(first, off);
    if (i >= 80000) last = larger(last, off);
  }
  EXPECT_LT(last, 1.3 * first);
  EXPECT_LT(last, 2e-3 * std::abs(before));
}

// Mean square errors fall with twice the order of the method.
TEST(Integrators, EnergyOfAThrownQuadruped) {
  const auto model = free_robot("quadruped.urdf");
  struct Expected {
    const char* method;
    int order;
    double max_error;  // J²
  };
  for (const auto& [method, order, max_error] :
       {Expected{"rk4", 4, 1e-16}, {"midpoint", 2, 5e-5}, {"variational", 2, 1e-9}, {"semi_implicit_euler", 1, 30}}) {
    const auto fine = throw_quadruped(model, method), coarse = throw_quadruped(model, method, 2e-3);
    EXPECT_LT(fine.energy_error, max_error) << method;
    EXPECT_NEAR(std::log2(coarse.energy_error / fine.energy_error), 2 * order, .6) << method;
    // It is not a point: it rotates, and all joints move.
    EXPECT_GT(fine.kinetic_energy, 10) << method;
    EXPECT_GT(fine.max_speed.tail(model.nv() - 3).minCoeff<Eigen::PropagateNaN>(), 1) << method;
  }
}

TEST(Integrators, ARunBegunAnewTakesTheSameBits) {
  System system(free_robot("quadruped.urdf"));
  for (const auto& info : integrators()) {
    State whole = moving(system.model());
    auto method = integrator(system.model(), info.name);
    for (int i = 0; i < 10; ++i) method->step(system, whole, 2e-3);
    const State kept = whole;
    for (int i = 0; i < 10; ++i) method->step(system, whole, 2e-3);
    State again = kept;
    auto another = integrator(system.model(), info.name);
    for (int i = 0; i < 10; ++i) another->step(system, again, 2e-3);
    EXPECT_TRUE(identical(whole.q, again.q) && identical(whole.v, again.v)) << info.name;
    EXPECT_EQ(whole.t, again.t);
  }
}

// E4: the error of freezing the controller during a step, with a mass on a spring.
TEST(Integrators, ZeroOrderHoldFailsWhereForcesAreStiff) {
  JointDescription slide;
  slide.axis = {1, 0, 0};
  const double k = 1e4;
  const auto amplitude = [&](bool hold) {
    System system(one_joint(JointType::prismatic, slide), {.effort_limits = false});
    system.control([k](const Instant& at, Eigen::VectorXd& tau) { tau[0] = -k * at.q[0]; });
    State x = at_rest(system.model());
    x.q[0] = 1;
    x = run(system, x, "rk4", 1e-3, 1, {.zero_order_hold = hold});
    return std::sqrt(x.q[0] * x.q[0] + x.v[0] * x.v[0] / k);
  };
  EXPECT_NEAR(amplitude(false), 1, 1e-3);
  EXPECT_GT(amplitude(true), 5);
}

TEST(Integrators, ImplicitOnesStayStableWhereExplicitOnesExplode) {
  JointDescription slide;
  slide.axis = {1, 0, 0};
  slide.spring_stiffness = 1e7;
  slide.damping = 1e3;
  System system(one_joint(JointType::prismatic, slide));
  State x = at_rest(system.model());
  x.q[0] = 0.1;
  for (const char* name : {"implicit_euler", "implicit_joints"})
    EXPECT_LT(std::abs(run(system, x, name, 1e-2, 1).q[0]), 1e-3) << name;
  EXPECT_GT(std::abs(run(system, x, "semi_implicit_euler", 1e-2, 0.03).q[0]), 1);
}

TEST(Integrators, AModelWithoutDegreesOfFreedomStands) {
  Description d;
  d.name = "rock";
  d.links.resize(1);
  d.links[0].name = "rock";
  System system(build(d));
  for (const auto& info : integrators()) {
    State x = run(system, at_rest(system.model()), info.name, 0.1, 1);
    EXPECT_NEAR(x.t, 1, 1e-12) << info.name;
  }
}

TEST(Integrators, MimicJointsMoveAsOne) {
  const auto model = load(model_file("humanoid.urdf"), {.base = Base::free});
  Description d = model.description();
  std::vector<JointDescription*> hinges;
  for (auto& joint : d.joints)
    if (joint.type == JointType::revolute) hinges.push_back(&joint);
  hinges.back()->mimic = Mimic{hinges.front()->name, 0.5, 0.1};
  ASSERT_EQ(build(d, {.base = Base::free}).nv(), model.nv() - 1);
  System system(build(d, {.base = Base::free}));
  const State begin = moving(system.model());
  const State end = run(system, begin, "dopri5", 0.1, 0.1, {.relative_tolerance = 1e-12, .absolute_tolerance = 1e-12});
  for (const auto& info : integrators()) {
    const double off = distance(system.model(), run(system, begin, info.name, 1e-3, 0.1), end);
    std::printf("%s: %.2g\n", info.name.c_str(), off);
    EXPECT_LT(off, info.order == 1 ? .2 : info.order == 2 ? 1e-3 : 1e-7) << info.name;
  }
}

}  // namespace
}  // namespace lissom::sim::test
