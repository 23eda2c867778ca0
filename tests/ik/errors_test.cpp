// Invalid arguments are refused with a message that names the argument.
#include <cmath>

#include "ik_support.h"

namespace lissom::test {
namespace {

using Eigen::VectorXd;
const double nan = std::nan("");

TEST(IkErrors, Targets) {
  const auto m = own_model("arm7");
  const auto tool = m.frame("tool");
  EXPECT_REFUSED(m.frame("tol"), "tool");
  EXPECT_REFUSED(ik::Solver(m, {ik::pose({77}, {})}), "targets[0].of");
  auto in = ik::pose(tool, {});
  in.in = {-3};
  EXPECT_REFUSED(ik::Solver(m, {ik::pose(tool, {}), in}), "targets[1].in");
  EXPECT_REFUSED(ik::Solver(m, {ik::position(tool, {0, nan, 0})}), "targets[0].pose.p.y is NaN");
  EXPECT_REFUSED(ik::Solver(m, {ik::orientation(tool, {2, 0, 0, 0, 1, 0, 0, 0, 1})}),
                 "targets[0].pose.R is not a rotation matrix");
  EXPECT_REFUSED(ik::Solver(m, {ik::orientation(tool, {-1, 0, 0, 0, 1, 0, 0, 0, 1})}), "not a rotation matrix");
  EXPECT_REFUSED(ik::Solver(m, {ik::point(tool, {nan, 0, 0}, {})}), "targets[0].point");
  EXPECT_REFUSED(ik::Solver(m, {ik::look_at(tool, {0, 0, 0}, {1, 1, 1})}), "targets[0].axis is zero");
  auto negative = ik::pose(tool, {});
  negative.angular_weight = {1, -1, 0};
  EXPECT_REFUSED(ik::Solver(m, {negative}), "angular_weight");
  EXPECT_REFUSED(ik::Solver(m, {}, {.count = 2}), "extra.evaluate is empty");
}

TEST(IkErrors, QuestionsAndOptions) {
  const auto m = own_model("arm7");
  ik::Solver solver(m, {ik::pose(m.frame("tool"), {})});
  VectorXd q = neutral(m);
  EXPECT_REFUSED(solver.solve(VectorXd::Zero(3)), "from has 3 elements, expected 7");
  q[4] = nan;
  EXPECT_REFUSED(solver.solve(q), "from[4] is NaN");
  q[4] = 0;
  EXPECT_REFUSED(solver.solve(q, {.starts = 0}), "options.starts is 0");
  EXPECT_REFUSED(solver.solve(q, {.iterations = -1}), "options.iterations is -1");
  EXPECT_REFUSED(solver.solve(q, {.tolerance = {nan, 1}}), "options.tolerance.position");
  EXPECT_REFUSED(solver.solve(q, {.tolerance = {1, 0}}), "options.tolerance.angle");
  EXPECT_REFUSED(solver.solve(q, {.posture = VectorXd::Zero(1)}), "options.posture has 1");
  EXPECT_REFUSED(solver.set_target_pose(3, {}), "target is 3, expected an index below 1");
  EXPECT_REFUSED(solver.set_target_pose(0, {identity3<double>(), {nan, 0, 0}}), "targets[0].pose.p");
  EXPECT_REFUSED(solver.set_weights(0, {-1, 0, 0}, {1, 1, 1}), "linear_weight");
  // None of these calls has changed the solver.
  EXPECT_EQ(solver.targets()[0].pose.p.x, 0);
  EXPECT_EQ(solver.targets()[0].linear_weight.x, 1);
  EXPECT_NO_THROW(solver.solve(q));

  const auto free = own_model("humanoid", {.base = Base::free});
  ik::Solver floating(free, {ik::position(free.frame("left_palm"), {1, 1, 1})});
  VectorXd bad = neutral(free);
  bad[3] = 2;
  EXPECT_REFUSED(floating.solve(bad), "quaternion");
}

TEST(IkErrors, VelocitiesAndForces) {
  const auto m = own_model("arm7");
  Workspace work(m);
  const VectorXd q = neutral(m);
  ik::VelocitySolver solver(m);
  auto task = ik::at_origin(m.frame("tool"), {{1, 0, 0}, {0, 0, 0}});
  const auto ask = [&](const ik::VelocityOptions& options) { solver.solve(q, {&task, 1}, options); };
  EXPECT_REFUSED(solver.solve(VectorXd::Zero(2), {&task, 1}), "q has 2");
  EXPECT_REFUSED(ask({.damping = -1}), "options.damping");
  EXPECT_REFUSED(ask({.joint_weights = VectorXd::Zero(7)}), "options.joint_weights[0]");
  EXPECT_REFUSED(ask({.desired = VectorXd::Zero(3)}), "options.desired has 3");
  EXPECT_REFUSED(ask({.hold = nan}), "options.hold");
  task.velocity.angular.y = nan;
  EXPECT_REFUSED(ask({}), "tasks[0].velocity.angular.y is NaN");
  task.velocity.angular.y = 0, task.of = {50};
  EXPECT_REFUSED(ask({}), "is 50, expected a frame of model");
  EXPECT_REFUSED(ik::VelocitySolver(m, -1), "tasks is -1");
  const std::vector<ExternalForce> forces{{m.frame("tool"), {1, 0, 0}, {}, {}, {}},
                                          {m.frame("tool"), {nan, 0, 0}, {}, {}, {}}};
  EXPECT_REFUSED(lissom::generalized_forces(m, work, q, forces), "forces[1]");
  VectorXd two(2);
  EXPECT_REFUSED(equilibrium_torques(m, work, q, {}, two), "tau has 2");
}

// Huge but finite targets give a result within the limits, and no crash.
TEST(IkErrors, HugeNumbersDoNoHarm) {
  const auto m = own_model("arm7");
  for (const double far : {1e6, 1e100, 1e200}) {
    ik::Solver solver(m, {ik::position(m.frame("tool"), {far, -far, far})});
    const auto& result = solver.solve(neutral(m), {.starts = 3});
    EXPECT_NE(result.status, ik::Status::solved);
    EXPECT_TRUE(within_limits(m, result.q));
  }
}

}  // namespace
}  // namespace lissom::test
