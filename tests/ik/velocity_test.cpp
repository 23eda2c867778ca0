// Velocities: damped least squares, priorities, null space, limits; and generalized forces of forces on frames.
#include "close.h"
#include "ik_support.h"
#include "lissom/math/dense.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Vector6 stacked(const SpatialVector& x) {
  return (Vector6() << to_eigen(x.linear), to_eigen(x.angular)).finished();
}

TEST(Velocity, OneTaskIsDampedLeastSquares) {
  for_each_tree(
      {.mimic = 0.2},
      [](Case& c) {
        Random random(c.seed);
        const auto of = c.some_frame(random), in = c.some_frame(random);
        const Point at{c.some_frame(random), random.vec3(1)};
        ik::VelocityTask task{
            .of = of, .velocity = {random.vec3(1), random.vec3(1)}, .at = at, .in = in, .linear_weight = {2, 0.5, 1}};
        ik::VelocityOptions options{.damping = 0.1, .velocity_limits = false};
        options.joint_weights = random.vector(c.model.nv(), 0.5).array() + 1;
        ik::VelocitySolver solver(c.model);
        const auto& result = solver.solve(c.q, {&task, 1}, options);
        MatrixXd J = jacobian(c.model, c.work, c.q, of, at, in);
        VectorXd desired = stacked(task.velocity);
        const Vector6 weight = (Vector6() << 2, 0.5, 1, 1, 1, 1).finished();
        J = weight.asDiagonal() * J, desired = weight.cwiseProduct(desired);
        const MatrixXd W = options.joint_weights.cwiseAbs2().asDiagonal();
        const VectorXd expected = dense::solve(J.transpose().lazyProduct(J) + 0.01 * W, J.transpose() * desired);
        EXPECT_TRUE(close(result.v, expected, 1e-8));
        EXPECT_TRUE(close(result.residuals[0], (J * result.v - desired).norm(), 1e-9));
      },
      200);
}

TEST(Velocity, NullSpaceMotionKeepsTheHandStill) {
  const auto m = own_model("arm7");
  Workspace work(m);
  Random random(1);
  const auto tool = m.frame("tool");
  for (int i = 0; i < 100; ++i) {
    const auto q = random_configuration(m, std::uint64_t(i) + 1);
    const auto still = ik::at_origin(tool, {{0, 0, 0}, {0, 0, 0}});
    ik::VelocitySolver solver(m);
    const VectorXd desired = random.vector(m.nv(), 1);
    const auto& result = solver.solve(q, {&still, 1}, {.desired = desired});
    EXPECT_LE((jacobian(m, work, q, tool) * result.v).norm(), 1e-10);
    EXPECT_GT(result.v.norm(), 1e-3);  // seven joints, six rows: one motion is left
    // Only the component of the desired motion that does not move the hand.
    EXPECT_NEAR(result.v.dot(desired - result.v), 0, 1e-9);
  }
}

TEST(Velocity, LowerPrioritiesNeverDisturbHigherOnes) {
  const auto m = own_model("humanoid", {.base = Base::free});
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    const auto q = random_configuration(m, std::uint64_t(i) + 1);
    const std::vector<ik::VelocityTask> tasks{
        ik::at_origin(m.frame("left_palm"), {random.vec3(1), random.vec3(1)}, 2),
        ik::at_origin(m.frame("left_sole"), {{0, 0, 0}, {0, 0, 0}}, 0),
        {.velocity = {random.vec3(0.3), {0, 0, 0}}, .priority = 1, .center_of_mass = true},
        ik::at_origin(m.frame("left_palm"), {random.vec3(1), random.vec3(1)}, 5),  // conflicts with a higher priority
        ik::at_origin(m.frame("right_sole"), {{0, 0, 0}, {0, 0, 0}}, 0)};
    ik::VelocityOptions options{.damping = 1e-3, .velocity_limits = false};
    ik::VelocitySolver all(m), high(m);
    const auto some = high.solve(q, std::vector{tasks[1], tasks[2], tasks[4]}, options);
    const auto& result = all.solve(q, tasks, options);
    EXPECT_NEAR(result.residuals[1], some.residuals[0], 1e-9);
    EXPECT_NEAR(result.residuals[2], some.residuals[1], 1e-9);
    EXPECT_NEAR(result.residuals[4], some.residuals[2], 1e-9);
    EXPECT_LE(result.residuals[1], 1e-9);
    EXPECT_GT(result.residuals[3], 1e-3);
  }
}

TEST(Velocity, LimitsAreKept) {
  const auto m = own_model("arm7");
  Random random(3);
  const auto tool = m.frame("tool");
  int limited = 0;
  for (int i = 0; i < 200; ++i) {
    const auto q = random_configuration(m, std::uint64_t(i) + 1);
    const auto task = ik::at_origin(tool, {random.vec3(3), random.vec3(3)});
    ik::VelocitySolver solver(m);
    const auto& result = solver.solve(q, {&task, 1}, {.hold = 0.1});
    limited += result.limited;
    for (int j = 0; j < m.nv(); ++j) {
      EXPECT_LE(std::abs(result.v[j]), m.velocity_limit()[std::size_t(j)]);
      EXPECT_GE(q[j] + 0.1 * result.v[j], m.lower()[std::size_t(j)] - 1e-12);
      EXPECT_LE(q[j] + 0.1 * result.v[j], m.upper()[std::size_t(j)] + 1e-12);
    }
  }
  EXPECT_GT(limited, 50);
}

TEST(Velocity, OtherJointsMakeUpForOneAtItsLimit) {
  // Wherever one of seven joints may not move, six can do without it.
  const auto m = own_model("arm7");
  Workspace work(m);
  const auto tool = m.frame("tool");
  int made_up = 0;
  for (int i = 0; i < 20; ++i) {
    auto q = random_configuration(m, std::uint64_t(i) + 1);
    q[2] = m.upper()[2];
    const auto task = ik::at_origin(tool, {{0.01, 0, 0}, {0, 0.01, 0}});
    ik::VelocitySolver solver(m);
    const auto& result = solver.solve(q, {&task, 1}, {.damping = 0, .hold = 0.01});
    EXPECT_LE(result.v[2], 0);
    made_up += result.residuals[0] < 1e-9;
  }
  EXPECT_GE(made_up, 18);
}

TEST(Velocity, ARobotThatCannotMove) {
  Random random(1);
  Description d;
  d.links = {random_link("rock", random)};
  const auto m = build(d);
  ik::VelocitySolver solver(m);
  const auto task = ik::at_origin(m.frame("rock"), {{1, 0, 0}, {0, 0, 0}});
  EXPECT_NEAR(solver.solve(VectorXd(0), {&task, 1}).residuals[0], 1, 1e-15);
  EXPECT_EQ(equilibrium_torques(m, *std::make_unique<Workspace>(m), VectorXd(0)).size(), 0);
}

TEST(Statics, JointForcesAreWhatInverseDynamicsTakesOff) {
  for_each_tree(
      {.armature = 0.2, .mimic = 0.2},
      [](Case& c) {
        Random random(c.seed);
        std::vector<ExternalForce> forces;
        for (int k = 0; k < 3; ++k)
          forces.push_back({c.some_frame(random), random.vec3(10), random.vec3(10),
                            Point{c.some_frame(random), random.vec3(1)}, c.some_frame(random)});
        const VectorXd zero = VectorXd::Zero(c.model.nv());
        const VectorXd with = inverse_dynamics(c.model, c.work, c.q, zero, zero, forces);
        const VectorXd without = inverse_dynamics(c.model, c.work, c.q, zero, zero);
        EXPECT_TRUE(close(lissom::generalized_forces(c.model, c.work, c.q, forces), without - with, 1e-9, 10));
        EXPECT_TRUE(close(equilibrium_torques(c.model, c.work, c.q, forces), with, 1e-9, 10));
        EXPECT_TRUE(close(equilibrium_torques(c.model, c.work, c.q), without, 1e-9, 10));
      },
      300);
}

TEST(Statics, PowerOfAForceIsPowerOfItsJointForces) {
  auto c = random_case(5);
  Random random(6);
  const ExternalForce f{c.some_frame(random),
                        random.vec3(3),
                        random.vec3(3),
                        {c.some_frame(random), random.vec3(1)},
                        c.some_frame(random)};
  const VectorXd tau = lissom::generalized_forces(c.model, c.work, c.q, {&f, 1});
  forward_kinematics(c.model, c.work, c.q, c.v);
  const auto v = velocity(c.model, c.work, f.on, f.at, f.in);
  EXPECT_TRUE(close(tau.dot(c.v), dot(f.force, v.linear) + dot(f.torque, v.angular), 1e-10));
}

}  // namespace
}  // namespace lissom::test
