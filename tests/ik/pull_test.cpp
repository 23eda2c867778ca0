// Pulling a point of a robot, from near to far.
#include "lissom/ik/pull.h"

#include <gtest/gtest.h>

#include "lissom/constraints/closed_loops.h"
#include "lissom/ik/closed_loops.h"
#include "lissom/lissom.h"

namespace lissom::ik {
namespace {

Model own_model(const std::string& file, LoadOptions options = {}) {
  return load(std::string(LISSOM_MODELS_DIR) + "/" + file, options);
}
double norm(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}
Vec3<double> point_at(const Model& model, const Eigen::VectorXd& q, const std::string& frame,
                      const Vec3<double>& point = {0, 0, 0}) {
  Workspace work(model);
  forward_kinematics(model, work, q);
  return placement(model, work, model.frame(frame)) * point;
}
bool within_limits(const Model& model, const Eigen::VectorXd& q) {
  for (int i = 0; i < model.nq(); ++i)
    if (q[i] < model.lower()[std::size_t(i)] - 1e-12 || q[i] > model.upper()[std::size_t(i)] + 1e-12) return false;
  return true;
}

TEST(Pull, NearJointsMoveFirstAndTheBaseLast) {
  const auto model = own_model("humanoid.urdf", {.base = Base::free});
  auto q = neutral(model);
  q[model.joint("left_elbow").q_index] = -1;
  Pull pull(model, model.frame("left_palm"), {0, 0, 0});
  const auto at = point_at(model, q, "left_palm");
  const auto near = pull.solve(q, at + Vec3<double>{.02, 0, .02});
  EXPECT_LT(near.distance, 2e-4);
  EXPECT_LE(near.joints, 7);  // those of the arm
  const auto& base = model.joint("base");
  EXPECT_EQ(near.q.segment(base.q_index, base.nq), q.segment(base.q_index, base.nq));
  EXPECT_EQ(near.q[model.joint("right_knee").q_index], q[model.joint("right_knee").q_index]);
  const auto far = pull.solve(q, at + Vec3<double>{3, 0, 0});
  EXPECT_LT(far.distance, 2e-4);
  EXPECT_GT(far.q[base.q_index], q[base.q_index] + 1.5);  // the arm is stretched, and the robot follows
  EXPECT_TRUE(within_limits(model, far.q));
}

TEST(Pull, PinnedFeetStay) {
  const auto model = own_model("humanoid.urdf", {.base = Base::free});
  auto q = neutral(model);
  for (const char* side : {"left", "right"}) {
    q[model.joint(side + std::string("_knee")).q_index] = .6;
    q[model.joint(side + std::string("_hip_pitch")).q_index] = -.3;
    q[model.joint(side + std::string("_ankle_pitch")).q_index] = -.3;
  }
  const auto left = model.frame("left_sole"), right = model.frame("right_sole");
  Pull pull(model, model.frame("left_palm"), {0, 0, 0}, {left, right});
  const auto start = q;
  const auto at = point_at(model, q, "left_palm");
  for (int i = 1; i <= 60; ++i) {  // a drag of one second, a meter to the front and down
    const auto& found = pull.solve(q, at + (i / 60.) * Vec3<double>{.9, 0, -.3});
    q = found.q;
    ASSERT_LT(found.slip, 1e-3) << i;
    ASSERT_TRUE(within_limits(model, q)) << i;
  }
  EXPECT_LT(norm(point_at(model, q, "left_sole") - point_at(model, start, "left_sole")), 1e-3);
  EXPECT_LT(norm(point_at(model, q, "right_sole") - point_at(model, start, "right_sole")), 1e-3);
  EXPECT_GT(norm(point_at(model, q, "left_palm") - at), .5);
}

TEST(Pull, OutOfReachItComesAsNearAsItCan) {
  const auto model = own_model("arm7.urdf");
  const auto q = random_configuration(model, 2);
  const auto tool = model.links().back().name;
  Pull pull(model, model.frame(tool), {0, 0, 0});
  const auto root = point_at(model, q, model.links()[1].name);
  const auto& found = pull.solve(q, {20, 0, 0});
  EXPECT_TRUE(within_limits(model, found.q));
  const auto reached = point_at(model, found.q, tool);
  EXPECT_GT(reached.x, root.x + .5);
  EXPECT_NEAR(found.distance, norm(Vec3<double>{20, 0, 0} - reached), 1e-9);
}

TEST(Pull, ClosedLoopsStayClosed) {
  const auto model =
      own_model("mechanisms/delta.urdf", {.loops_file = std::string(LISSOM_MODELS_DIR) + "/mechanisms/delta.json"});
  Workspace work(model);
  ClosedLoops loops(model);
  Eigen::VectorXd q = neutral(model);
  loops.assemble(model, work, q);
  std::string platform;
  for (const auto& link : model.links())
    if (link.name.find("platform") != std::string::npos) platform = link.name;
  ASSERT_FALSE(platform.empty());
  Pull pull(model, model.frame(platform), {0, 0, 0}, {}, closed_loops(model, closures(model)));
  const auto at = point_at(model, q, platform);
  const auto near = pull.solve(q, at + Vec3<double>{.01, .005, -.01});
  EXPECT_LT(near.distance, 5e-4);
  EXPECT_LT(loops.gap(model, work, near.q), 1e-6);
  const auto far = pull.solve(q, at + Vec3<double>{5, 0, 0});
  EXPECT_LT(loops.gap(model, work, far.q), 1e-6);
}

TEST(Pull, PinsHoldOnRobotsWithLoopsAndBehindFollowers) {
  const auto bars = own_model("iftomm/a02_four_bars_2.urdf",
                              {.loops_file = std::string(LISSOM_MODELS_DIR) + "/iftomm/a02_four_bars_2.json"});
  Workspace work(bars);
  Eigen::VectorXd q = neutral(bars);
  ClosedLoops(bars).assemble(bars, work, q);
  Pull linkage(bars, bars.frame("crank_0"), {0, .9, .9}, {bars.frame("crank_1")}, closed_loops(bars, closures(bars)));
  const auto at = point_at(bars, q, "crank_0", {0, .9, .9});
  const auto& held = linkage.solve(q, at + Vec3<double>{.3, .3, 0});  // one degree of freedom, and it is pinned
  EXPECT_LT(held.slip_angle, 1e-3);
  EXPECT_LT((held.q - q).norm(), 1e-2);
  const auto gripper = own_model("mechanisms/gripper_mimic.urdf");
  const auto open = neutral(gripper);
  Pull finger(gripper, gripper.frame("left_finger"), {0, 0, .1}, {gripper.frame("right_finger")});
  const auto tip = point_at(gripper, open, "left_finger", {0, 0, .1});
  const auto& pulled = finger.solve(open, tip + Vec3<double>{.02, .02, 0});
  EXPECT_LT(pulled.slip, 1e-3);
  EXPECT_LT(pulled.slip_angle, 1e-2);
}

TEST(Pull, PinsDoNotCreepWhereThePullIsFarOutOfReach) {
  const auto model = own_model("humanoid.urdf", {.base = Base::free});
  Eigen::VectorXd q = neutral(model);
  const auto before = point_at(model, q, "left_sole");
  Pull pull(model, model.frame("left_palm"), {0, 0, 0}, {model.frame("left_sole")});
  for (int i = 0; i < 30; ++i) q = pull.solve(q, {20, 0, 0}).q;
  EXPECT_LT(norm(point_at(model, q, "left_sole") - before), 5e-3);
}

TEST(Pull, FixedLinksAndEmptyRobotsDoNotMove) {
  const auto model = own_model("arm7.urdf");
  const auto q = neutral(model);
  Pull pull(model, model.frame(model.links()[0].name), {0, 0, 0});
  const auto& found = pull.solve(q, {1, 1, 1});
  EXPECT_EQ(found.q, q);
  EXPECT_GT(found.distance, .5);
  Pull point(model, model.frame(model.links()[0].name), {1, 0, 0});
  EXPECT_LT(point.solve(q, point_at(model, q, model.links()[0].name, {1, 0, 0})).distance, 1e-12);
}

TEST(Pull, WrongArgumentsAreRefused) {
  const auto model = own_model("arm7.urdf");
  EXPECT_THROW(Pull(model, FrameId{999}, {0, 0, 0}), Error);
  EXPECT_THROW(Pull(model, FrameId{1}, {0, 0, 0}, {FrameId{999}}), Error);
  Pull pull(model, FrameId{3}, {0, 0, 0});
  EXPECT_THROW(pull.solve(Eigen::VectorXd::Zero(2), {0, 0, 0}), Error);
  EXPECT_THROW(pull.solve(neutral(model), {std::nan(""), 0, 0}), Error);
}

TEST(Solver, LockedJointsKeepTheirPositions) {
  const auto model = own_model("arm7.urdf");
  const auto q = random_configuration(model, 4);
  const auto tool = model.frame(model.links().back().name);
  const auto goal = point_at(model, random_configuration(model, 9), model.links().back().name);
  const auto& first = model.joints()[0];
  const auto& third = model.joints()[2];
  Solver solver(model, {position(tool, goal)}, {}, {first.name, third.name});
  const auto& result = solver.solve(q);
  EXPECT_EQ(result.q[first.q_index], q[first.q_index]);
  EXPECT_EQ(result.q[third.q_index], q[third.q_index]);
  EXPECT_NE(result.q[model.joints()[1].q_index], q[model.joints()[1].q_index]);
  EXPECT_THROW(Solver(model, {position(tool, goal)}, {}, {"no such joint"}), Error);
}

}  // namespace
}  // namespace lissom::ik
