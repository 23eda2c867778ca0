// Closed loops: torques for a motion, projection to the nearest closed state, assembly from a distant one, simulation.
#include <cmath>
#include <numbers>

#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "close.h"
#include "largest.h"
#include "lissom/sim/integrator.h"
#include "loop_cases.h"

namespace lissom::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Loops that are closed at q, and a velocity that keeps them closed.
Closures close_loops(Case& c, Random& random, int most) {
  Closures description;
  for (int k = random.integer(1, most); k > 0; --k)
    description.loops.push_back(closed_at(c, random_loop(c, random, random.integer(1, 63)), c.q));
  ClosedLoops(c.model, description).project_velocity(c.model, c.work, c.q, c.v);
  return description;
}

std::vector<bool> all(const Model& model) {
  return std::vector<bool>(std::size_t(model.nv()), true);
}

// M a + h = tau + Jᵀ λ
void expect_balance(Case& c, ClosedLoops& loops, const VectorXd& a, const ClosedLoopTorques& found) {
  const VectorXd needed = inverse_dynamics(c.model, c.work, c.q, c.v, a);
  loops.gap(c.model, c.work, c.q);
  const VectorXd given = found.tau + loops.rows().J().transpose() * found.multipliers;
  EXPECT_TRUE(close(given, needed, 1e-8));
}

TEST(ClosedLoopTorques, BringTheAccelerationAboutWithTheLeastEffort) {
  int wholly_driven = 0, choices = 0;
  for_each_tree(
      {.min_joints = 3, .max_joints = 12},
      [&](Case& c) {
        Random random(c.seed);
        ClosedLoops loops(c.model, close_loops(c, random, 2));
        const VectorXd a = forward_dynamics(c.model, c.work, loops, c.q, c.v, c.tau);
        const MatrixXd Jt = loops.rows().J().transpose();
        const auto found = inverse_dynamics(c.model, c.work, loops, c.q, c.v, a, all(c.model));
        expect_balance(c, loops, a, found);
        EXPECT_EQ(found.multipliers.size(), loops.rows().count());
        ++wholly_driven;
        // Torques that the constraint forces balance can be added: the norm grows, and the acceleration is the same.
        const VectorXd idle = Jt * random.vector(int(Jt.cols()), 1);
        EXPECT_NEAR(found.tau.dot(idle), 0, 1e-8 * std::max(1.0, found.tau.norm() * idle.norm()));
        EXPECT_LE(found.tau.norm(), (found.tau + idle).norm() * (1 + 1e-12));
        EXPECT_LE(found.tau.norm(), c.tau.norm() * (1 + 1e-9));  // c.tau also produced it
        choices += idle.norm() > 1e-6;
      },
      300);
  EXPECT_GE(wholly_driven, 300);
  EXPECT_GT(choices, 200);
}

TEST(ClosedLoopTorques, UseTheActuatedJointsAlone) {
  int possible = 0, impossible = 0, choices = 0;
  for_each_tree(
      {.min_joints = 3, .max_joints = 12, .several_roots = false},
      [&](Case& c) {
        Random random(c.seed);
        ClosedLoops loops(c.model, close_loops(c, random, 2));
        auto actuated = all(c.model);
        for (int j = 0; j < c.model.nv(); ++j)
          if (random.chance(0.2)) actuated[std::size_t(j)] = false, c.tau[j] = 0;
        const VectorXd a = forward_dynamics(c.model, c.work, loops, c.q, c.v, c.tau);  // c.tau produces it
        const auto found = inverse_dynamics(c.model, c.work, loops, c.q, c.v, a, actuated);
        for (int j = 0; j < c.model.nv(); ++j)
          if (!actuated[std::size_t(j)]) {
            EXPECT_EQ(found.tau[j], 0);
          }
        expect_balance(c, loops, a, found);
        EXPECT_LE(found.tau.norm(), c.tau.norm() * (1 + 1e-9));
        ++possible;
        // The constraint forces that act on actuated joints only.
        const MatrixXd Jt = loops.rows().J().transpose();
        MatrixXd on_idle = MatrixXd::Zero(c.model.nv(), Jt.cols());
        for (int j = 0; j < c.model.nv(); ++j)
          if (!actuated[std::size_t(j)]) on_idle.row(j) = Jt.row(j);
        const Eigen::FullPivLU<MatrixXd> lu(on_idle);
        const MatrixXd kernel = lu.kernel();
        const VectorXd idle = Jt * kernel * random.vector(int(kernel.cols()), 1);
        EXPECT_NEAR(found.tau.dot(idle), 0, 1e-7 * std::max(1.0, found.tau.norm() * idle.norm()));
        choices += idle.norm() > 1e-6;
        // Another motion, which needs torques of joints without a motor.
        const VectorXd pushed =
            forward_dynamics(c.model, c.work, loops, c.q, c.v, c.tau + random.vector(c.model.nv(), 5));
        const MatrixXd basis = Eigen::FullPivLU<MatrixXd>(loops.rows().J()).kernel();
        MatrixXd driven = basis.transpose();
        for (int j = 0; j < c.model.nv(); ++j)
          if (!actuated[std::size_t(j)]) driven.col(j).setZero();
        if (loops.rank() == c.model.nv() || Eigen::FullPivLU<MatrixXd>(driven).rank() == driven.rows()) return;
        ++impossible;
        expect_words(refusal([&] { inverse_dynamics(c.model, c.work, loops, c.q, c.v, pushed, actuated); }),
                     {"actuated", "cannot produce this acceleration"});
      },
      300);
  EXPECT_GE(possible, 300);
  EXPECT_GT(impossible, 30);
  EXPECT_GT(choices, 100);
}

// Nothing can move, so no torques are needed: the constraint forces balance everything.
TEST(ClosedLoopTorques, OfAStructureAreNone) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto c = random_case(seed, {.min_joints = 1,
                                .max_joints = 3,
                                .types = {JointType::revolute},
                                .fixed_links = false,
                                .several_roots = false});
    const auto fixed = build(c.description);
    c = Case{seed,
             c.description,
             {},
             fixed,
             Workspace(fixed),
             random_configuration(fixed, seed),
             VectorXd::Zero(fixed.nv()),
             VectorXd::Zero(fixed.nv()),
             VectorXd::Zero(fixed.nv())};
    Closures d;
    for (const auto& link : fixed.links())
      d.loops.push_back(closed_at(c, {link.name, {world_frame}, {fixed.frame(link.name)}, axes_of(63)}, c.q));
    ClosedLoops loops(fixed, d);
    const VectorXd a = forward_dynamics(fixed, c.work, loops, c.q, c.v, VectorXd::Ones(fixed.nv()));
    EXPECT_EQ(loops.rank(), fixed.nv());
    EXPECT_LT(largest(a), 1e-10);
    for (const bool some : {true, false}) {
      const auto found = inverse_dynamics(fixed, c.work, loops, c.q, c.v, VectorXd::Zero(fixed.nv()),
                                          std::vector<bool>(std::size_t(fixed.nv()), some));
      EXPECT_LT(largest(found.tau), 1e-10);
      expect_balance(c, loops, VectorXd::Zero(fixed.nv()), found);
    }
  }
}

TEST(ClosedLoopTorques, OneMotorDrivesFourBars) {
  const auto [model, closures] = iftomm("a02_four_bars_2");
  Workspace work(model);
  ClosedLoops loops(model, closures);
  VectorXd q, v;
  lean_four_bars(model, 1.3, 1, q, v);
  VectorXd tau = VectorXd::Zero(model.nv());
  auto actuated = std::vector<bool>(std::size_t(model.nv()), false);
  const int motor = model.joint("crank_0").v_index;
  tau[motor] = 7, actuated[std::size_t(motor)] = true;
  const VectorXd a = forward_dynamics(model, work, loops, q, v, tau);
  const auto found = inverse_dynamics(model, work, loops, q, v, a, actuated);
  EXPECT_TRUE(close(found.tau, tau, 1e-10));
  actuated[std::size_t(motor)] = false;
  expect_words(refusal([&] { inverse_dynamics(model, work, loops, q, v, a, actuated); }),
               {"are missing", "actuate more"});
  actuated.pop_back();
  expect_words(refusal([&] { inverse_dynamics(model, work, loops, q, v, a, actuated); }), {"actuated", "expected 5"});
}

TEST(Projection, ClosesLoopsByTheLeastMovement) {
  double widest = 0;
  int closed = 0;
  for_each_tree(
      {.min_joints = 6, .max_joints = 14},
      [&](Case& c) {
        Random random(c.seed);
        const auto description = close_loops(c, random, 1);
        ClosedLoops loops(c.model, description);
        const VectorXd q = c.q, v = c.v;
        loops.project(c.model, c.work, c.q, c.v);
        // Already closed up to rounding; near a singular configuration even that takes larger corrections.
        const Eigen::JacobiSVD<MatrixXd> svd(loops.rows().J());
        double weakest = 1;
        for (const double s : svd.singularValues())
          if (s > 1e-9) weakest = smaller(weakest, s);
        EXPECT_TRUE(close(difference(c.model, q, c.q), VectorXd::Zero(c.model.nv()), 1e-13 / weakest));
        EXPECT_TRUE(close(c.v, v, 1e-12 / weakest));
        if (loops.rank() < loops.rows().count()) return;  // singular: the loops may close slowly, or not at all nearby

        c.q = integrate(c.model, q, random.vector(c.model.nv(), 1), 1e-3);
        c.v += random.vector(c.model.nv(), 1);
        const VectorXd before = c.v;
        const double left = loops.project(c.model, c.work, c.q, c.v);
        EXPECT_EQ(left, loops.gap(c.model, c.work, c.q));
        widest = larger(widest, left);
        ++closed;
        const MatrixXd J = loops.rows().J();
        const VectorXd across = J * c.v;
        EXPECT_LT(largest(across), 1e-12 * larger(1, largest(before)));
        // M (v' - v) is in the range of Jᵀ.
        const VectorXd push = mass_matrix(c.model, c.work, c.q) * (c.v - before);
        const VectorXd lambda = J.transpose().completeOrthogonalDecomposition().solve(push);
        EXPECT_TRUE(close(J.transpose() * lambda, push, 1e-9));
      },
      300);
  EXPECT_GT(closed, 150);
  EXPECT_LT(widest, 1e-14);
}

// From anywhere: all of 50 random configurations, although no direction closes the loops from some of them.
TEST(Assembly, ClosesMechanismsFromFarAway) {
  for (const char* name : {"a02_four_bars_2", "a03_squeezer", "a04_bricard", "a05_governor"}) {
    SCOPED_TRACE(name);
    const auto [model, closures] = iftomm(name);
    Workspace work(model);
    ClosedLoops loops(model, closures);
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      VectorXd q = random_configuration(model, seed);
      ASSERT_NO_THROW(loops.assemble(model, work, q)) << seed;
      EXPECT_LT(loops.gap(model, work, q), 1e-10);
    }
  }
}

// A body is attached to the world from any pose: with the right orientation, not rotated by half or a third of a
// revolution, where some axes are perpendicular, too.
TEST(Assembly, TurnsBodiesTheRightWayRound) {
  Random random(1);
  Description d;
  d.name = "one";
  d.links = {random_link("body", random)};
  const auto model = build(d, {.base = Base::free});
  Workspace work(model);
  for (int free = -1; free < 3; ++free) {
    LoopAxes axes{{true, true, true}, {true, true, true}};
    if (free >= 0) axes.about[std::size_t(free)] = false;
    const LoopEnd end{model.frame("body"), {random.rotation(), random.vec3(1)}};
    ClosedLoops loops(model, {{{"held", {world_frame}, end, axes}}, {}});
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      VectorXd q = random_configuration(model, seed);
      loops.assemble(model, work, q);
      EXPECT_LT(loops.gap(model, work, q), 1e-14);
      forward_kinematics(model, work, q);
      const auto R = placement(model, work, end.frame).R * end.placement.R;
      const double along[] = {R.xx, R.yy, R.zz};
      for (int k = 0; k < 3; ++k)
        if (free < 0 || k == free) {
          EXPECT_NEAR(along[k], 1, 1e-12) << "seed " << seed;
        }
    }
    // From a rotation by exactly π.
    for (int k = 0; k < 3; ++k) {
      VectorXd q = neutral(model), half = VectorXd::Zero(6);
      const Pose<double> X = inverse(end.placement);
      q.head<3>() = to_eigen(X.p);
      q.segment<4>(3) = quaternion_of(X.R);
      EXPECT_LT(loops.gap(model, work, q), 1e-14);
      half.tail<3>() = std::numbers::pi * to_eigen(k == 0   ? column_x(end.placement.R)
                                                   : k == 1 ? column_y(end.placement.R)
                                                            : column_z(end.placement.R));
      q = integrate(model, q, half);
      loops.assemble(model, work, q);
      forward_kinematics(model, work, q);
      const auto R = placement(model, work, end.frame).R * end.placement.R;
      const double along[] = {R.xx, R.yy, R.zz};
      for (int j = 0; j < 3; ++j)
        if (free < 0 || j == free) {
          EXPECT_NEAR(along[j], 1, 1e-12) << "rotated by π about " << k;
        }
    }
  }
}

// Two links of one meter, and a point that they cannot reach.
TEST(Assembly, TellsWhichLoopCannotCloseAndByHowMuch) {
  Random random(1);
  Description d;
  d.name = "arm";
  d.links = {random_link("base", random), random_link("upper", random), random_link("lower", random)};
  for (int i = 0; i < 2; ++i) {
    JointDescription j;
    j.name = "joint" + std::to_string(i), j.type = JointType::revolute, j.axis = {0, 0, 1};
    j.parent = d.links[std::size_t(i)].name, j.child = d.links[std::size_t(i) + 1].name;
    if (i == 1) j.origin.p = {1, 0, 0};
    d.joints.push_back(j);
  }
  const auto model = build(d);
  Workspace work(model);
  const auto reach = [&](double x) {
    return Closures{{{"rope",
                      {world_frame, {identity3<double>(), {x, 0, 0}}},
                      {model.frame("lower"), {identity3<double>(), {1, 0, 0}}},
                      loop_axes("xy")}},
                    {}};
  };
  VectorXd q(2);
  q << 0.8, -1.1;
  ClosedLoops near(model, reach(1.5));
  near.assemble(model, work, q);
  EXPECT_LT(near.gap(model, work, q), 1e-10);
  q << 0.8, -1.1;
  ClosedLoops far(model, reach(5));
  const auto message = refusal([&] { far.assemble(model, work, q); });
  expect_words(message, {"'arm'", "'rope, along x'", "stays open by -", " m;", "expected at most 1e-10"});
}

TEST(ClosedLoops, RefuseWhatDoesNotBelongTogether) {
  const auto [model, closures] = iftomm("a02_four_bars_2");
  const auto [other, unused] = iftomm("a04_bricard");  // of the same size
  ASSERT_EQ(model.nv(), other.nv());
  Workspace work(model), others(other);
  ClosedLoops loops(model, closures);
  VectorXd q = neutral(model), v = VectorXd::Zero(5), tau = v, few = VectorXd::Zero(4), many = VectorXd::Zero(6);
  VectorXd bad = q;
  bad[2] = std::nan("");
  const std::vector<bool> motors(5, true);
  const auto refused = [](const std::string& word, const std::function<void()>& f) {
    const auto message = refusal(f);
    EXPECT_TRUE(message.starts_with(word)) << "expected '" << word << "…', found '" << message << "'";
  };
  refused("loops", [&] { loops.gap(other, others, q); });
  refused("workspace", [&] { loops.gap(model, others, q); });
  refused("loops", [&] { forward_dynamics(other, others, loops, q, v, tau); });
  refused("loops", [&] { inverse_dynamics(other, others, loops, q, v, v, motors); });
  for (VectorXd* wrong : {&few, &many}) {
    refused("q", [&] { loops.gap(model, work, *wrong); });
    refused("q", [&] { loops.assemble(model, work, *wrong); });
    refused("q", [&] { loops.project(model, work, *wrong, v); });
    refused("v", [&] { loops.project(model, work, q, *wrong); });
    refused("q", [&] { loops.project_velocity(model, work, *wrong, v); });
    refused("v", [&] { loops.project_velocity(model, work, q, *wrong); });
    refused("q", [&] { loops.constrain(model, work, loops.factor(), *wrong, v, tau); });
    refused("v", [&] { loops.constrain(model, work, loops.factor(), q, *wrong, tau); });
    refused("a", [&] { loops.constrain(model, work, loops.factor(), q, v, *wrong); });
    refused("q", [&] { forward_dynamics(model, work, loops, *wrong, v, tau); });
    refused("v", [&] { forward_dynamics(model, work, loops, q, *wrong, tau); });
    refused("tau", [&] { forward_dynamics(model, work, loops, q, v, *wrong); });
    refused("a", [&] { inverse_dynamics(model, work, loops, q, v, *wrong, motors); });
  }
  refused("q[2] is NaN", [&] { loops.assemble(model, work, bad); });
  refused("q[2] is NaN", [&] { forward_dynamics(model, work, loops, bad, v, tau); });
}

TEST(MotionOfFourBars, KeepsItsEnergy) {
  auto [model, closures] = iftomm("a02_four_bars_2");
  sim::System system(model);
  system.close(closures);
  sim::State x{0, neutral(model), VectorXd::Zero(model.nv()), 0};
  lean_four_bars(model, 1.3, -1, x.q, x.v);
  const double before = system.kinetic_energy(x.q, x.v) + system.potential_energy(x.q);
  const auto method = sim::integrator(model, "rk4");
  double moved = 0;
  const VectorXd begin = x.q;
  for (int k = 0; k < 500; ++k) {
    method->step(system, x, 1e-3);
    moved = larger(moved, largest(x.q - begin));
  }
  EXPECT_GT(moved, 0.3);
  EXPECT_LT(system.loops()->gap(model, system.work(), x.q), 1e-14);
  EXPECT_NEAR(system.kinetic_energy(x.q, x.v) + system.potential_energy(x.q), before, 1e-9);
}

}  // namespace
}  // namespace lissom::test
