// Dynamics with closed loops: the equations of motion hold, and two descriptions of one mechanism move equally.
#include <cmath>

#include <Eigen/QR>

#include "close.h"
#include "largest.h"
#include "lissom/model/axes.h"
#include "loop_cases.h"

namespace lissom::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// M a - Jᵀ λ = tau - h, and J a + J̇ v = 0, with a and λ of the last forward_dynamics.
void expect_equations_of_motion(Case& c, ClosedLoops& loops, const VectorXd& a, int& consistent) {
  const VectorXd lambda = loops.multipliers();
  const MatrixXd J = loops.rows().J();
  const VectorXd rate = loops.rows().Jdot_v();
  const MatrixXd M = mass_matrix(c.model, c.work, c.q);
  const VectorXd h = bias_forces(c.model, c.work, c.q, c.v);
  const VectorXd inertial = M * a, carried = J.transpose() * lambda, wanted = c.tau - h;
  const double forces = larger(1.0, larger(largest(inertial), largest(carried)));
  EXPECT_TRUE(close(inertial - carried, wanted, 1e-10, forces));
  // In a singular configuration dependent rows may contradict each other: no acceleration satisfies them.
  auto range = Eigen::CompleteOrthogonalDecomposition<MatrixXd>(J.rows(), J.cols());
  range.setThreshold(1e-9);
  if (J.rows() > loops.rank() && !close(J * range.compute(J).solve(rate), rate, 1e-9)) return;
  ++consistent;
  const VectorXd turned = J * a;
  // Rounding is relative to the acceleration of the open tree, which the constraint forces cancel.
  const VectorXd open = forward_dynamics(c.model, c.work, c.q, c.v, c.tau);
  const double rows = largest(J) * larger(largest(a), largest(open));
  EXPECT_TRUE(close(turned, -rate, 1e-10, larger(1.0, rows)));
}

TEST(ClosedLoopDynamics, TheEquationsHold) {
  int redundant = 0, rows = 0, consistent = 0;
  for_each_tree(
      {.min_joints = 2, .max_joints = 15, .armature = 0.2, .mimic = 0.2},
      [&](Case& c) {
        Random random(c.seed);
        ClosedLoops loops(c.model, close_at_state(c, random));
        ASSERT_LT(loops.gap(c.model, c.work, c.q), 1e-12);
        const VectorXd a = forward_dynamics(c.model, c.work, loops, c.q, c.v, c.tau);
        expect_equations_of_motion(c, loops, a, consistent);
        EXPECT_LE(loops.rank(), std::min(loops.rows().count(), c.model.nv()));
        redundant += loops.rank() < loops.rows().count();
        rows += loops.rows().count();
      },
      500);
  EXPECT_GT(redundant, 50);
  EXPECT_GT(rows, 2000);
  EXPECT_GE(consistent, 495);
}

// Loops that are not closed, but independent: the acceleration still keeps J v constant.
TEST(ClosedLoopDynamics, TheEquationsHoldWhereLoopsAreOpen) {
  int independent = 0, consistent = 0;
  for_each_tree(
      {.min_joints = 4, .max_joints = 12},
      [&](Case& c) {
        Random random(c.seed);
        ClosedLoops loops(c.model, {{random_loop(c, random, random.integer(1, 63))}, {}});
        const VectorXd a = forward_dynamics(c.model, c.work, loops, c.q, c.v, c.tau);
        if (loops.rank() < loops.rows().count()) return;  // dependent rows of open loops contradict each other
        ++independent;
        expect_equations_of_motion(c, loops, a, consistent);
      },
      300);
  EXPECT_GT(independent, 100);
  EXPECT_EQ(consistent, independent);
}

TEST(ClosedLoopDynamics, TheSameLoopTwiceIsTheSameLoop) {
  int consistent = 0;
  for_each_tree(
      {.min_joints = 2, .max_joints = 12},
      [&](Case& c) {
        Random random(c.seed);
        auto description = close_at_state(c, random);
        ClosedLoops once(c.model, description);
        for (const auto& loop : std::vector(description.loops)) description.loops.push_back(loop);
        for (const auto& coupling : std::vector(description.couplings)) description.couplings.push_back(coupling);
        ClosedLoops twice(c.model, description);
        const VectorXd a = forward_dynamics(c.model, c.work, once, c.q, c.v, c.tau);
        const VectorXd b = forward_dynamics(c.model, c.work, twice, c.q, c.v, c.tau);
        EXPECT_EQ(once.rank(), twice.rank());
        EXPECT_TRUE(close(b, a, 1e-9));
        expect_equations_of_motion(c, twice, b, consistent);
      },
      300);
  EXPECT_GE(consistent, 297);
}

TEST(ClosedLoopDynamics, WithoutClosuresItIsTheTree) {
  for_each_tree(
      {},
      [](Case& c) {
        ClosedLoops none(c.model, {});
        const VectorXd a = forward_dynamics(c.model, c.work, c.q, c.v, c.tau);
        EXPECT_TRUE(identical(forward_dynamics(c.model, c.work, none, c.q, c.v, c.tau), a));
        EXPECT_EQ(none.rank(), 0);
        EXPECT_EQ(none.gap(c.model, c.work, c.q), 0);
        const auto torques =
            inverse_dynamics(c.model, c.work, none, c.q, c.v, a, std::vector<bool>(std::size_t(c.model.nv()), true));
        EXPECT_TRUE(close(torques.tau, c.tau, 1e-8));
        EXPECT_EQ(torques.multipliers.size(), 0);
      },
      50);
}

// Two links: a free base, and a revolute joint between them.
Description two_links(Random& random) {
  Description d;
  d.name = "two";
  d.links = {random_link("first", random), random_link("second", random)};
  JointDescription j;
  j.name = "joint", j.type = JointType::revolute, j.parent = "first", j.child = "second";
  j.origin = {random.rotation(), random.vec3(0.5)};
  j.axis = random.axis();
  d.joints = {j};
  return d;
}
// The velocity of a link along its own axes, as the v of a free joint.
VectorXd free_velocity(const Model& model, const Workspace& work, const char* link) {
  const auto frame = model.frame(link);
  const auto V = velocity(model, work, frame, {frame, {0, 0, 0}}, frame);
  VectorXd v(6);
  v << to_eigen(V.linear), to_eigen(V.angular);
  return v;
}

TEST(ClosedLoopDynamics, TwoFreeBodiesOnAHingeMoveAsATreeWithARevoluteJoint) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto d = two_links(random);
    const auto tree = build(d, {.base = Base::free});
    auto apart = d;
    apart.joints.clear();
    const auto pair = build(apart, {.base = Base::free});
    const auto& joint = d.joints[0];
    const Pose<double> turned{rotation_from_z_to(joint.axis), {0, 0, 0}};
    ClosedLoops hinge(pair, {{{"hinge",
                               {pair.frame("first"), joint.origin * turned},
                               {pair.frame("second"), turned},
                               loop_axes("xyz rx ry")}},
                             {}});

    Workspace tree_work(tree), work(pair);
    const VectorXd tree_q = random_configuration(tree, random.seed()), tree_v = random.vector(7, 2);
    VectorXd tree_tau = random.vector(7, 5);
    forward_kinematics(tree, tree_work, tree_q, tree_v);
    VectorXd q(14), v(12), tau = VectorXd::Zero(12);
    int at = 0;
    for (const char* link : {"first", "second"}) {
      const auto X = placement(tree, tree_work, tree.frame(link));
      q.segment<7>(7 * at) << to_eigen(X.p), quaternion_of(X.R);
      v.segment<6>(6 * at++) = free_velocity(tree, tree_work, link);
    }
    tau.head<6>() = tree_tau.head<6>();
    tau.segment<3>(3) -= tree_tau[6] * to_eigen(joint.origin.R * joint.axis);
    tau.segment<3>(9) += tree_tau[6] * to_eigen(joint.axis);

    EXPECT_LT(hinge.gap(pair, work, q), 1e-14);
    const VectorXd a = forward_dynamics(pair, work, hinge, q, v, tau);
    EXPECT_EQ(hinge.rank(), 5);
    const VectorXd tree_a = forward_dynamics(tree, tree_work, tree_q, tree_v, tree_tau);
    forward_kinematics(tree, tree_work, tree_q, tree_v, tree_a);
    forward_kinematics(pair, work, q, v, a);
    for (const char* link : {"first", "second"}) {
      const auto A = acceleration(tree, tree_work, tree.frame(link)), B = acceleration(pair, work, pair.frame(link));
      EXPECT_TRUE(close(to_eigen(B.linear), to_eigen(A.linear), 1e-10, largest(tree_a)));
      EXPECT_TRUE(close(to_eigen(B.angular), to_eigen(A.angular), 1e-10, largest(tree_a)));
    }
  }
}

TEST(ClosedLoopDynamics, CouplingsMoveAsMimicJointsDo) {
  int followers = 0;
  for_each_tree(
      {.min_joints = 3, .max_joints = 12, .armature = 0.3, .mimic = 0.6},
      [&](Case& c) {
        const auto full = build(c.description, {.base = c.options.base, .mimic = false});
        Workspace work(full);
        Closures description;
        for (const auto& j : c.description.joints)
          if (j.mimic)
            description.couplings.push_back({j.name, j.name, j.mimic->joint, {j.mimic->offset, j.mimic->ratio}});
        followers += int(description.couplings.size());
        ClosedLoops loops(full, description);
        // Converted to the full model's coordinates, with motors at the leaders only.
        const auto spread = [&](const VectorXd& x, bool position, bool followers_too) {
          VectorXd y = VectorXd::Zero(position ? full.nq() : full.nv());
          for (const auto& j : c.model.joints()) {
            const auto& same = full.joint(j.name);
            const int to = position ? same.q_index : same.v_index, from = position ? j.q_index : j.v_index;
            y.segment(to, position ? j.nq : j.nv) = x.segment(from, position ? j.nq : j.nv);
            if (!j.follows || !followers_too) continue;
            const auto& leader = c.model.joints()[std::size_t(j.follows->joint)];
            y[to] =
                j.follows->ratio * x[position ? leader.q_index : leader.v_index] + (position ? j.follows->offset : 0);
          }
          return y;
        };
        const VectorXd q = spread(c.q, true, true), v = spread(c.v, false, true), tau = spread(c.tau, false, false);
        EXPECT_LT(loops.gap(full, work, q), 1e-14);
        const VectorXd a = forward_dynamics(full, work, loops, q, v, tau);
        EXPECT_EQ(loops.rank(), int(description.couplings.size()));
        EXPECT_TRUE(close(a, spread(forward_dynamics(c.model, c.work, c.q, c.v, c.tau), false, true), 1e-9));
      },
      300);
  EXPECT_GT(followers, 300);
}

// Motions out of its plane are not constrained in a planar mechanism: rows that are rounding are no constraints.
TEST(ClosedLoopDynamics, FourBarsOnWholeHingesAreFourBarsInThePlane) {
  for (const double tilt : {0.0, 0.3, 1.0}) {
    auto [model, closures] = iftomm("a02_four_bars_2");
    auto whole = closures;
    for (auto& loop : whole.loops) {
      loop.axes = loop_axes("xyz rx ry");
      // The same hinge, with its axes rotated in the plane, so that no zero is exact.
      loop.a.placement.R = loop.a.placement.R * rotation_rpy(0, 0, tilt);
      loop.b.placement.R = loop.b.placement.R * rotation_rpy(0, 0, -2 * tilt);
    }
    Workspace work(model);
    ClosedLoops plane(model, closures), hinges(model, whole);
    VectorXd q, v;
    lean_four_bars(model, 1.1, 1, q, v);
    EXPECT_LT(plane.gap(model, work, q), 1e-14);
    EXPECT_LT(hinges.gap(model, work, q), 1e-14);
    const VectorXd tau = VectorXd::LinSpaced(model.nv(), -1, 1);
    const VectorXd a = forward_dynamics(model, work, plane, q, v, tau);
    EXPECT_TRUE(close(forward_dynamics(model, work, hinges, q, v, tau), a, 1e-12));
    EXPECT_EQ(plane.rank(), 4);
    EXPECT_EQ(hinges.rank(), 4);
  }
}

TEST(ClosedLoopDynamics, AHingeAroundARevoluteJointChangesNothing) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto d = two_links(random);
    const auto model = build(d, {.base = Base::free});
    const auto& joint = d.joints[0];
    const Pose<double> turned{rotation_from_z_to(joint.axis) * rotation_rpy(0, 0, 1), 0.3 * joint.axis};
    ClosedLoops loops(model, {{{"hinge",
                                {model.frame("first"), joint.origin * turned},
                                {model.frame("second"), turned},
                                loop_axes("xyz rx ry")}},
                              {}});
    Workspace work(model);
    const VectorXd q = random_configuration(model, seed), v = random.vector(7, 1), tau = random.vector(7, 5);
    EXPECT_LT(loops.gap(model, work, q), 1e-14);
    const VectorXd a = forward_dynamics(model, work, q, v, tau);
    EXPECT_TRUE(identical(forward_dynamics(model, work, loops, q, v, tau), a));
    EXPECT_EQ(loops.rank(), 0);
  }
}

// The constrained point lies on the axis of the only joint that could move it.
TEST(ClosedLoopDynamics, APinOnTheAxisOfAJointChangesNothing) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto d = two_links(random);
    const auto model = build(d);
    const auto& joint = d.joints[0];
    const Pose<double> on_axis{random.rotation(), 0.3 * joint.axis};
    const LoopEnd a{world_frame, {random.rotation(), (joint.origin * on_axis).p}}, b{model.frame("second"), on_axis};
    ClosedLoops loops(model, {{{"pin", a, b, loop_axes("xyz")}}, {}});
    Workspace work(model);
    const VectorXd q = random_configuration(model, seed), v = random.vector(1, 1), tau = random.vector(1, 5);
    const VectorXd acceleration = forward_dynamics(model, work, q, v, tau);
    EXPECT_TRUE(identical(forward_dynamics(model, work, loops, q, v, tau), acceleration));
    EXPECT_EQ(loops.rank(), 0);
    const auto torques = inverse_dynamics(model, work, loops, q, v, acceleration, {true});
    EXPECT_TRUE(close(torques.tau, tau, 1e-12));
  }
}

TEST(ClosedLoopDynamics, ALoopWithinOneBodyChangesNothing) {
  for_each_tree(
      {.min_joints = 2, .max_joints = 12},
      [](Case& c) {
        Random random(c.seed);
        Loop loop = random_loop(c, random, 63);
        loop.b.frame = loop.a.frame;
        ClosedLoops loops(c.model, {{closed_at(c, loop, c.q)}, {}});
        const VectorXd a = forward_dynamics(c.model, c.work, c.q, c.v, c.tau);
        EXPECT_TRUE(identical(forward_dynamics(c.model, c.work, loops, c.q, c.v, c.tau), a));
        EXPECT_EQ(loops.rank(), 0);
      },
      100);
}

// Bricard's mechanism has five equations for five joints, and moves: one equation is always redundant.
TEST(ClosedLoopDynamics, BricardHasOneEquationTooMany) {
  const auto [model, closures] = iftomm("a04_bricard");
  Workspace work(model);
  ClosedLoops loops(model, closures);
  VectorXd q = neutral(model), v = VectorXd::Zero(model.nv());
  EXPECT_EQ(loops.rows().count(), 5);
  EXPECT_EQ(model.nv(), 5);
  for (int k = 0; k < 400; ++k) {
    EXPECT_LT(loops.project(model, work, q, v), 1e-14);
    const VectorXd a = forward_dynamics(model, work, loops, q, v, VectorXd::Zero(model.nv()));
    ASSERT_TRUE(a.allFinite());
    EXPECT_EQ(loops.rank(), 4);
    EXPECT_TRUE(close(loops.rows().J() * a, -loops.rows().Jdot_v(), 1e-9, larger(1.0, largest(a))));
    v += 0.005 * a;
    q = integrate(model, q, v, 0.005);
  }
  EXPECT_GT(v.norm(), 0.1);
}

}  // namespace
}  // namespace lissom::test
