// Every kind of target, on robots of every kind.
#include "lissom/ik/solver.h"

#include <numbers>

#include "close.h"
#include "ik_support.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using Eigen::VectorXd;
using ik::Status;

// A robot, and the poses of its frames in a random configuration, which are reachable.
struct Asked {
  Model model;
  Workspace work{model};
  VectorXd q;
  Asked(Model m, std::uint64_t seed) : model(std::move(m)), q(random_configuration(model, seed)) {
    forward_kinematics(model, work, q);
  }
  Pose<double> where(const std::string& frame) const { return placement(model, work, model.frame(frame)); }
};

void expect_solved(const Model& model, const ik::Result& result) {
  EXPECT_EQ(result.status, Status::solved);
  EXPECT_TRUE(within_limits(model, result.q));
  for (const auto& left : result.residuals) {
    EXPECT_LE(left.distance, 1e-6);
    EXPECT_LE(left.angle, 1e-6);
  }
}

TEST(Solver, PoseOfTheArm) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Asked asked(own_model("arm7"), seed);
    const auto tool = asked.model.frame("tool");
    const auto X = asked.where("tool");
    ik::Solver solver(asked.model, {ik::pose(tool, X)});
    const auto& result = solver.solve(neutral(asked.model));
    expect_solved(asked.model, result);
    const auto found = pose_at(asked.model, asked.work, result.q, tool);
    EXPECT_LE(length(found.p - X.p), 1.001e-6);
    EXPECT_LE(angle_between(X.R, found.R), 1.001e-6);
    EXPECT_GE(result.starts, 1);
    EXPECT_GE(result.iterations, result.starts);
  }
}

TEST(Solver, PositionOrientationAndPoint) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Asked asked(own_model("arm7"), seed);
    const auto& m = asked.model;
    const auto tool = m.frame("tool");
    const auto X = asked.where("tool");
    const auto from = neutral(m);
    const Vec3<double> tip{0.05, -0.02, 0.1};

    ik::Solver by_position(m, {ik::position(tool, X.p)});
    expect_solved(m, by_position.solve(from));
    EXPECT_LE(length(pose_at(m, asked.work, by_position.solve(from).q, tool).p - X.p), 1.001e-6);

    ik::Solver by_orientation(m, {ik::orientation(tool, X.R)});
    expect_solved(m, by_orientation.solve(from));
    EXPECT_LE(angle_between(pose_at(m, asked.work, by_orientation.solve(from).q, tool).R, X.R), 1.001e-6);

    ik::Solver by_point(m, {ik::point(tool, tip, X * tip)});
    expect_solved(m, by_point.solve(from));
    EXPECT_LE(length(pose_at(m, asked.work, by_point.solve(from).q, tool) * tip - X * tip), 1.001e-6);
  }
}

TEST(Solver, HumanoidStandsReachesAndLooks) {
  const auto m = own_model("humanoid", {.base = Base::free});
  Workspace work(m);
  VectorXd q = neutral(m);
  q[2] = 0.7;
  const auto left = m.frame("left_sole"), right = m.frame("right_sole"), palm = m.frame("right_palm"),
             camera = m.frame("head_camera");
  const Vec3<double> cup{0.35, -0.25, 0.85};
  auto over_feet = ik::center_of_mass({0.02, 0, 0});
  over_feet.linear_weight = {1, 1, 0};
  ik::Solver solver(
      m, {ik::pose(left, {identity3<double>(), {0, 0.1, 0}}), ik::pose(right, {identity3<double>(), {0, -0.1, 0}}),
          over_feet, ik::position(palm, cup), ik::look_at(camera, {1, 0, 0}, cup)});
  const auto& result = solver.solve(q);
  expect_solved(m, result);
  EXPECT_LE(length(pose_at(m, work, result.q, left).p - Vec3<double>(0, 0.1, 0)), 1.001e-6);
  EXPECT_LE(length(pose_at(m, work, result.q, right).p - Vec3<double>(0, -0.1, 0)), 1.001e-6);
  EXPECT_LE(length(pose_at(m, work, result.q, palm).p - cup), 1.001e-6);
  const auto X = pose_at(m, work, result.q, camera);
  EXPECT_NEAR(dot(column_x(X.R), (1 / length(cup - X.p)) * (cup - X.p)), 1, 1e-11);
  const auto com = center_of_mass(m, work, result.q);
  EXPECT_NEAR(com.x, 0.02, 1e-6);
  EXPECT_NEAR(com.y, 0, 1e-6);
}

TEST(Solver, QuadrupedsFeetStayWhileTheTrunkMoves) {
  const auto m = own_model("quadruped", {.base = Base::free});
  Workspace work(m);
  VectorXd q = neutral(m);
  std::vector<ik::Target> targets;
  for (const auto* leg : {"front_left", "front_right", "rear_left", "rear_right"}) {
    q[m.joint(std::string(leg) + "_flexion").q_index] = 0.7;
    q[m.joint(std::string(leg) + "_knee").q_index] = -1.4;
  }
  forward_kinematics(m, work, q);
  for (const auto* foot : {"front_left_foot", "front_right_foot", "rear_left_foot", "rear_right_foot"})
    targets.push_back(ik::position(m.frame(foot), placement(m, work, m.frame(foot)).p));
  auto X = placement(m, work, m.frame("trunk"));
  X.p += Vec3<double>(0.03, -0.02, 0.04);
  X.R = matrix(exponential(Vec3<double>(0.05, 0.1, -0.05))) * X.R;
  targets.push_back(ik::pose(m.frame("trunk"), X));
  ik::Solver solver(m, targets);
  expect_solved(m, solver.solve(q));
  EXPECT_EQ(solver.solve(q).starts, 1);
}

TEST(Solver, AHandRelativeToTheOther) {
  const auto m = own_model("humanoid");
  Workspace work(m);
  const auto left = m.frame("left_palm"), right = m.frame("right_palm");
  forward_kinematics(m, work, random_configuration(m, 5));
  const auto desired = inverse(placement(m, work, left)) * placement(m, work, right);
  auto target = ik::pose(right, desired);
  target.in = left;
  ik::Solver solver(m, {target});
  const auto& result = solver.solve(neutral(m));
  expect_solved(m, result);
  forward_kinematics(m, work, result.q);
  const auto found = inverse(placement(m, work, left)) * placement(m, work, right);
  EXPECT_LE(length(found.p - desired.p), 1.001e-6);
  EXPECT_LE(angle_between(found.R, desired.R), 1.001e-6);
  // Joints that move no target stay where they were.
  EXPECT_EQ(result.q[m.joint("left_knee").q_index], neutral(m)[m.joint("left_knee").q_index]);
}

TEST(Solver, AnAxisWithoutWeightIsFree) {
  Asked asked(own_model("arm7"), 3);
  const auto& m = asked.model;
  const auto tool = m.frame("tool");
  const auto X = asked.where("tool");
  auto target = ik::pose(tool, X);
  target.angular_weight = {1, 1, 0};
  target.linear_weight = {1, 0, 1};
  ik::Solver solver(m, {target});
  const auto& result = solver.solve(neutral(m));
  expect_solved(m, result);
  const auto found = pose_at(m, asked.work, result.q, tool);
  EXPECT_LE(length(column_z(found.R) - column_z(X.R)), 3e-6);
  EXPECT_NEAR(found.p.x, X.p.x, 1e-6);
  EXPECT_NEAR(found.p.z, X.p.z, 1e-6);
  EXPECT_GT(std::abs(found.p.y - X.p.y), 1e-4);
}

TEST(Solver, OddJoints) {
  for (const auto* name : {"ball_pendulum", "universal_shaft", "screw_jack", "cylindrical_piston", "planar_puck",
                           "floating_box", "tilted_axes", "parallel_roots", "slider_pendulum", "branching_hub"})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Asked asked(own_model(std::string("mechanisms/") + name), seed);
      const auto& frame = asked.model.frames().back();
      ik::Solver solver(asked.model, {ik::pose(asked.model.frame(frame.name), asked.where(frame.name))});
      const auto& result = solver.solve(neutral(asked.model));
      EXPECT_EQ(result.status, Status::solved) << name << " " << seed << " " << result.error;
      EXPECT_TRUE(within_limits(asked.model, result.q)) << name;
    }
}

TEST(Solver, RandomTreesWithAnyJoints) {
  int solved = 0, all = 0;
  for_each_tree(
      {.max_joints = 10, .mimic = 0.2},
      [&](Case& c) {
        Random random(c.seed);
        const auto of = c.some_frame(random), in = c.some_frame(random);
        forward_kinematics(c.model, c.work, random_configuration(c.model, c.seed + 1));
        auto target = ik::pose(of, inverse(placement(c.model, c.work, in)) * placement(c.model, c.work, of));
        target.in = in;
        ik::Solver solver(c.model, {target});
        const auto& result = solver.solve(neutral(c.model));
        EXPECT_TRUE(within_limits(c.model, result.q));
        solved += result.status == Status::solved, ++all;
      },
      200);
  EXPECT_GE(solved, all * 99 / 100) << solved << " of " << all;
}

TEST(Solver, FollowersFollowAndKeepTheirLimits) {
  const auto m = own_model("mechanisms/gripper_mimic");
  Workspace work(m);
  const auto tip = m.frame(m.joint("right_tip").child);
  const auto q = random_configuration(m, 2);
  const auto X = pose_at(m, work, q, tip);
  ik::Solver solver(m, {ik::position(tip, X.p)});
  const auto& result = solver.solve(neutral(m));
  expect_solved(m, result);
  EXPECT_LE(length(pose_at(m, work, result.q, tip).p - X.p), 1.001e-6);
  // Pulled as far as it goes, no follower passes its own limits.
  for (const double far : {-10.0, 10.0})
    for (int axis = 0; axis < 3; ++axis) {
      Pose<double> away;
      (&away.p.x)[axis] = far;
      solver.set_target_pose(0, away);
      const auto& closest = solver.solve(neutral(m));
      EXPECT_EQ(closest.status, Status::closest);
      EXPECT_TRUE(within_limits(m, closest.q));
      for (const auto& joint : m.joints())
        if (joint.follows && !joint.lower.empty()) {
          const auto& f = *joint.follows;
          const double angle = f.ratio * closest.q[m.joints()[std::size_t(f.joint)].q_index] + f.offset;
          EXPECT_GE(angle, joint.lower[0] - 1e-12);
          EXPECT_LE(angle, joint.upper[0] + 1e-12);
        }
    }
}

TEST(Solver, ARobotThatCannotMove) {
  Random random(1);
  Description d;
  d.links = {random_link("rock", random)};
  const auto m = build(d);
  ik::Solver here(m, {ik::pose(m.frame("rock"), {})});
  EXPECT_EQ(here.solve(VectorXd(0)).status, Status::solved);
  ik::Solver there(m, {ik::position(m.frame("rock"), {3, 4, 0})});
  const auto& result = there.solve(VectorXd(0));
  EXPECT_EQ(result.status, Status::closest);
  EXPECT_NEAR(result.residuals[0].distance, 5, 1e-12);
  ik::Solver nothing(m, {});
  EXPECT_EQ(nothing.solve(VectorXd(0)).status, Status::solved);
}

TEST(Solver, ExtraRowsHoldToo) {
  // Both palms at one point, by extra rows.
  const auto m = own_model("humanoid");
  const auto left = m.frame("left_palm"), right = m.frame("right_palm");
  const ik::ExtraRows together{.count = 3,
                               .evaluate = [&](const Model& model, Workspace& work, const VectorIn& q,
                                               Eigen::Ref<VectorXd> residual, Eigen::Ref<Matrix> J) {
                                 residual = to_eigen(placement(model, work, left).p - placement(model, work, right).p);
                                 J = jacobian(model, work, q, left).topRows<3>();
                                 J -= jacobian(model, work, q, right).topRows<3>();
                               }};
  const Vec3<double> p{0.35, 0.05, 0.2};
  ik::Solver solver(m, {ik::position(left, p)}, together);
  const auto& result = solver.solve(neutral(m));
  expect_solved(m, result);
  EXPECT_LE(result.extra_residual, 1e-6);
  Workspace work(m);
  EXPECT_LE(length(pose_at(m, work, result.q, right).p - p), 3e-6);
}

TEST(Solver, AllSolutionsOfAPlanarArm) {
  const auto m = own_model("planar2");
  const auto q = (VectorXd(2) << 0.3, 0.8).finished();
  Workspace work(m);
  const auto tip = m.frame("tip");
  ik::Solver solver(m, {ik::position(tip, pose_at(m, work, q, tip).p)});
  ik::Options options{.starts = 40, .prefer = ik::Prefer::nearest, .posture = q};
  const auto all = solver.solve_all(neutral(m), options);
  // Elbow up and elbow down.
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(close(all[0].q, q, 1e-5));
  EXPECT_NEAR(all[1].q[1], -0.8, 1e-5);
  options.posture = all[1].q;
  EXPECT_TRUE(close(solver.solve(neutral(m), options).q, all[1].q, 1e-5));
  options.prefer = ik::Prefer::central;
  EXPECT_EQ(solver.solve(neutral(m), options).status, Status::solved);
}

// An elbow arm whose last three axes meet has eight postures for a pose within its reach (Pieper 1968): shoulder to the
// left or right, elbow up or down, wrist turned or not.
TEST(Solver, AllEightSolutionsOfAnArmWithASphericalWrist) {
  const std::string links[] = {"base", "trunk", "upper_arm", "forearm", "roll", "pitch", "hand"};
  const Vec3<double> axes[] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
  const Vec3<double> origins[] = {{0, 0, .4}, {0, .1, 0}, {.5, 0, 0}, {.25, 0, 0}, {.2, 0, 0}, {0, 0, 0}};
  Description d;
  d.name = "elbow_arm";
  for (const auto& name : links) {
    auto& link = d.links.emplace_back();
    link.name = name, link.mass = 1, link.inertia = {.01, 0, 0, .01, 0, .01};
  }
  for (std::size_t i = 0; i < 6; ++i) {
    auto& j = d.joints.emplace_back();
    j.name = "joint_" + std::to_string(i), j.type = JointType::revolute;
    j.parent = links[i], j.child = links[i + 1], j.axis = axes[i], j.origin.p = origins[i];
    j.lower = {-M_PI}, j.upper = {M_PI};
  }
  const auto m = build(d);
  Workspace work(m);
  const auto hand = m.frame("hand");
  const auto q = (VectorXd(6) << .3, -.6, .9, .5, .8, -.4).finished();
  const auto wanted = pose_at(m, work, q, hand);
  ik::Solver solver(m, {ik::pose(hand, wanted)});
  const auto all = solver.solve_all(neutral(m), {.starts = 400});
  ASSERT_EQ(all.size(), 8u);
  int right = 0, turned = 0, up = 0;
  for (const auto& one : all) {
    expect_solved(m, one);
    const auto found = pose_at(m, work, one.q, hand);
    EXPECT_LE(length(found.p - wanted.p), 2e-6);
    turned += one.q[4] < 0, up += one.q[2] < 0, right += std::abs(one.q[0] - .3) < 1;
  }
  EXPECT_EQ(turned, 4);
  EXPECT_EQ(up, 4);
  EXPECT_EQ(right, 4);
}

}  // namespace
}  // namespace lissom::test
