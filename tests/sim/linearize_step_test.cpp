// Discrete A and B of every integrator, against differences of the integrator's own step.
#include "lissom/sim/linearize_step.h"

#include "largest.h"
#include "lissom/api/postures.h"
#include "lissom/constraints/closed_loop_derivatives.h"
#include "random_tree.h"
#include "sim_test_support.h"

namespace lissom::sim::test {
namespace {

using lissom::test::larger;
using lissom::test::largest;

using Eigen::VectorXd;
using lissom::test::for_each_tree;
using lissom::test::Random;

VectorXd random_direction(Random& random, int size) {
  VectorXd x(size);
  for (double& e : x) e = random.uniform(-1, 1);
  return x;
}

// The step of the integrator itself, with constant torques.
State stepped(System& system, const std::string& name, State x, const VectorXd& tau, double h) {
  system.control([tau](const Instant&, VectorXd& to) { to += tau; });
  IntegratorOptions options;
  if (name == "dopri5") {  // one inner step
    options.relative_tolerance = options.absolute_tolerance = 1e6;
    x.next_step = h;
  }
  integrator(system.model(), name, options)->step(system, x, h);
  return x;
}

// (A, B) times a direction is the change of the end of the step, by a difference of fourth order.
void expect_slopes(System& system, const std::string& name, const State& x, const VectorXd& tau, double h,
                   const VectorXd& along, double tolerance) {
  SCOPED_TRACE(name);
  const auto& model = system.model();
  const int nv = model.nv();
  const auto d = linearize_step(system, name, x, tau, h);
  const State end = stepped(system, name, x, tau, h);
  EXPECT_LT(distance(model, d.end, end), 1e-9);
  EXPECT_EQ(d.end.t, end.t);
  const auto at = [&](double t) {
    State moved{x.t, integrate(model, x.q, along.head(nv), t), x.v + t * along.segment(nv, nv), 0};
    moved = stepped(system, name, moved, tau + t * along.tail(nv), h);
    VectorXd change(2 * nv);
    change << difference(model, end.q, moved.q), moved.v - end.v;
    return change;
  };
  const double e = 2e-4;
  const VectorXd measured = (8 * (at(e) - at(-e)) - (at(2 * e) - at(-2 * e))) / (12 * e);
  const VectorXd predicted = d.A * along.head(2 * nv) + d.B * along.tail(nv);
  EXPECT_TRUE(close(predicted, measured, tolerance, larger(1.0, largest(measured))));
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& info : integrators()) all.push_back(info.name);
  return all;
}

// Every joint type, with springs, dampers, dry friction, rotors and mimic joints, a push that stays in the world, one
// that moves with another body, and a spring between points.
TEST(LinearizeStep, IsTheDifferenceOfEveryIntegratorsStep) {
  int tested = 0;
  for_each_tree(
      {.min_joints = 2, .max_joints = 6, .armature = 0.3, .mimic = 0.2},
      [&](lissom::test::Case& c) {
        Random random(c.seed);
        for (auto& joint : c.description.joints)
          joint.damping = 0.4, joint.dry_friction = 0.3, joint.spring_stiffness = 3.0, joint.spring_rest = 0.2;
        System system(build(c.description, c.options), {.effort_limits = false, .friction_speed = 0.5});
        const auto& model = system.model();
        const auto some = [&] { return c.some_frame(random); };
        system.add(Push{{some(), random.vec3(2), random.vec3(2), {some(), random.vec3(0.3)}, world_frame}});
        system.add(Push{{some(), random.vec3(2), random.vec3(2), {some(), random.vec3(0.3)}, some()}});
        system.add(Spring{"spring", {some(), random.pose()}, {some(), random.pose()}, 5, 0.5, 0.3});
        const State x{0.3, c.q, c.v, 0};
        for (const auto& name : names())
          expect_slopes(system, name, x, c.tau, 0.01, random_direction(random, 3 * model.nv()), 2e-8);
        ++tested;
      },
      40);
  EXPECT_EQ(tested, lissom::test::number_of_trees(40));
}

// The step of `linearize(model, work, q, v, tau, dt)`, which knows no passive forces.
TEST(LinearizeStep, OfSemiImplicitEulerIsTheOneOfTheModel) {
  System system(free_robot("quadruped.urdf"), {.passive_forces = false, .effort_limits = false});
  const State x = moving(system.model());
  const VectorXd tau = VectorXd::Constant(system.model().nv(), 0.2);
  const auto d = linearize_step(system, "semi_implicit_euler", x, tau, 1e-3);
  Workspace work(system.model());
  const auto expected = linearize(system.model(), work, x.q, x.v, tau, 1e-3);
  EXPECT_TRUE(close(d.A, expected.A, 1e-10));
  EXPECT_TRUE(close(d.B, expected.B, 1e-10));
}

TEST(LinearizeStep, AMotorAtItsLimitHasNoInfluence) {
  JointDescription joint;
  joint.effort_limit = 2.0;
  System system(one_joint(JointType::revolute, joint));
  State x = at_rest(system.model());
  for (const auto& name : names()) {
    EXPECT_TRUE(linearize_step(system, name, x, VectorXd::Constant(1, 3), 0.01).B.isZero(0)) << name;
    EXPECT_FALSE(linearize_step(system, name, x, VectorXd::Constant(1, 1), 0.01).B.isZero(0)) << name;
  }
}

struct ClosedSystem {
  explicit ClosedSystem(const std::string& name)
      : system(load(model_file(name + ".urdf"), {.loops_file = model_file(name + ".json")}), {.effort_limits = false}) {
    Random random(3);
    const auto& model = system.model();
    x = at_rest(model);
    x.q = initial_configuration(model);
    system.loops()->assemble(model, system.work(), x.q);
    x.v = random_direction(random, model.nv());
    tau = random_direction(random, model.nv());
    for (int i = 0; i < 5; ++i) {
      system.project(x.q, x.v);
      x.q = integrate(model, x.q, x.v, 0.02);
    }
    system.project(x.q, x.v);
  }
  System system;
  State x;
  VectorXd tau;
};

// Directions that keep the loops closed, and where rows are independent any directions.
TEST(LinearizeStep, HoldsWithClosedLoops) {
  for (const char* const name : {"iftomm/a02_four_bars_2", "mechanisms/delta", "iftomm/a04_bricard"}) {
    SCOPED_TRACE(name);
    ClosedSystem c(name);
    const auto& model = c.system.model();
    auto& loops = *c.system.loops();
    Random random(5);
    const int nv = model.nv();
    const Matrix closed = closed_directions(model, c.system.work(), loops, c.x.q, c.x.v);
    VectorXd along(3 * nv);
    along << closed * random_direction(random, int(closed.cols())), random_direction(random, nv);
    const bool independent = loops.rank() == loops.rows().count();
    for (const char* const method :
         {"explicit_euler", "semi_implicit_euler", "implicit_joints", "midpoint", "rk4", "dopri5"}) {
      expect_slopes(c.system, method, c.x, c.tau, 0.002, along, 1e-7);
      if (independent) expect_slopes(c.system, method, c.x, c.tau, 0.002, random_direction(random, 3 * nv), 1e-7);
    }
    for (const char* const method : {"implicit_euler", "variational"})
      EXPECT_TRUE(mentions(said([&] { linearize_step(c.system, method, c.x, c.tau, 0.002); }),
                           {method, "closed loops", "semi_implicit_euler"}));
  }
}

TEST(LinearizeStep, SaysWhatItCannotDo) {
  System system(one_joint(JointType::spherical));
  const State x = moving(system.model());
  const VectorXd tau = VectorXd::Zero(3);
  const auto refused = [&](const std::string& name, double h, const IntegratorOptions& options = {}) {
    return said([&] { linearize_step(system, name, x, tau, h, options); });
  };
  EXPECT_TRUE(mentions(refused("euler", 0.01), {"no integrator 'euler'"}));
  EXPECT_TRUE(mentions(refused("rk4", -1), {"step is -1 s"}));
  EXPECT_TRUE(mentions(refused("rk4", 0.01, {.zero_order_hold = true}), {"zero_order_hold"}));
  EXPECT_TRUE(mentions(refused("rk4", 0.01, {.attitude = Attitude::quaternion}), {"exponential"}));
  EXPECT_TRUE(mentions(said([&] { linearize_step(system, "rk4", x, VectorXd::Zero(2), 0.01); }), {"tau", "2"}));
  EXPECT_EQ(refused("rk4", 0.01), "");
  system.add(ForceLaw([](const Instant&, std::vector<ExternalForce>&) {}));
  EXPECT_TRUE(mentions(refused("rk4", 0.01), {"force law"}));
}

// The controller of the system is not asked, and stays in charge afterwards.
TEST(LinearizeStep, LeavesTheControllerInPlace) {
  System system(one_joint(JointType::revolute));
  int asked = 0;
  system.control([&](const Instant&, VectorXd&) { ++asked; });
  State x = moving(system.model());
  linearize_step(system, "rk4", x, VectorXd::Zero(1), 0.01);
  EXPECT_EQ(asked, 0);
  integrator(system.model(), "rk4")->step(system, x, 0.01);
  EXPECT_EQ(asked, 4);
}

}  // namespace
}  // namespace lissom::sim::test
