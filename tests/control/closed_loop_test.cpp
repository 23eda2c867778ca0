// Tasks in closed loop: tick by tick the error goes to zero.
#include "control_test_support.h"

namespace lissom::control::test::closed_loop {
namespace {

constexpr double step = 1e-3;

// Integrates the accelerations of the ticks.
void run(WholeBody& controller, State& s, double seconds) {
  for (double t = 0; t < seconds; t += step) {
    const auto& tick = controller.solve(s.q, s.v);
    ASSERT_EQ(tick.status, TickStatus::optimal) << "at " << t << " s: " << tick.reason << controller.explain();
    const VectorXd a = tick.accelerations;
    s.q = integrate(controller.model(), s.q, s.v + step / 2 * a, step);
    s.v += step * a;
  }
}
Model arm() {
  return load(LISSOM_MODELS_DIR "/arm7.urdf");
}
State bent_arm(const Model& model) {
  VectorXd q(7);
  q << .3, .6, .2, 1.3, .1, .8, 0;
  return {q, VectorXd::Zero(model.nv())};
}
State standing(const Model& model) {
  return {crouched_humanoid(model), VectorXd::Zero(model.nv())};
}
void add_feet(WholeBody& controller) {
  controller.add(Contact{.frame = "left_sole"});
  controller.add(Contact{.frame = "right_sole"});
}
double length(const Vec3<double>& x) {
  return std::sqrt(dot(x, x));
}

TEST(ClosedLoop, PointAndFrame) {
  const auto model = arm();
  auto s = bent_arm(model);
  const auto start = placement_at(model, s.q, "tool");
  WholeBody controller(model, {.joints = {.positions = false}});
  const auto goal = start.p + Vec3<double>(.05, -.1, .05);
  const auto point = controller.add(PointTask{.frame = "tool", .target = goal, .weight = 100});
  controller.add(PostureTask{.target = s.q, .weight = 1e-3});
  run(controller, s, 3);
  EXPECT_LE(length(placement_at(model, s.q, "tool").p - goal), 1e-4);
  controller.enable(point, false);
  const FrameTask task{.frame = "tool", .target = {start.R, goal + Vec3<double>(0, .1, 0)}, .weight = 100};
  controller.add(task);
  run(controller, s, 3);
  const auto X = placement_at(model, s.q, "tool");
  EXPECT_LE(length(X.p - task.target.p), 1e-4);
  EXPECT_LE(length(logarithm(quaternion(transpose(X.R) * start.R))), 1e-4);
}

TEST(ClosedLoop, AFreeAxisIsFree) {
  const auto model = arm();
  auto s = bent_arm(model);
  const auto start = placement_at(model, s.q, "tool");
  WholeBody controller(model, {.joints = {.positions = false}});
  // Along y of a rotated target, and about its z; everything else is left to the posture task.
  const double c = std::cos(.7), si = std::sin(.7);
  FrameTask task{.frame = "tool", .target = {Mat3<double>(c, -si, 0, si, c, 0, 0, 0, 1), start.p}};
  task.target.p = start.p + task.target.R * Vec3<double>(.3, .1, -.2);
  task.linear = {0, 1, 0}, task.angular = {0, 0, 0}, task.weight = 100;
  controller.add(task);
  controller.add(PostureTask{.target = s.q, .weight = 1e-2});
  run(controller, s, 3);
  const auto displacement = transpose_times(task.target.R, placement_at(model, s.q, "tool").p - task.target.p);
  EXPECT_LE(std::abs(displacement.y), 1e-3);
  EXPECT_GE(std::abs(displacement.x), .1);
  EXPECT_GE(std::abs(displacement.z), .1);
}

TEST(ClosedLoop, Gaze) {
  const auto model = robot("humanoid.urdf");
  auto s = standing(model);
  WholeBody controller(model);
  add_feet(controller);
  Workspace work(model);
  const Vec3<double> target(1, .8, 1.6);
  controller.add(CenterOfMassTask{.target = center_of_mass(model, work, s.q), .weight = 10});
  controller.add(GazeTask{.frame = "head_camera", .target = target, .weight = 10});
  controller.add(PostureTask{.target = s.q, .weight = .01});
  run(controller, s, 3);
  const auto X = placement_at(model, s.q, "head_camera");
  const auto displacement = target - X.p;
  EXPECT_GE(X.R.xx * displacement.x + X.R.yx * displacement.y + X.R.zx * displacement.z,
            (1 - 1e-4) * length(displacement));
}

TEST(ClosedLoop, CenterOfMassAndRelativePoint) {
  const auto model = robot("humanoid.urdf");
  auto s = standing(model);
  Workspace work(model);
  WholeBody controller(model);
  add_feet(controller);
  const auto goal = center_of_mass(model, work, s.q) + Vec3<double>(.01, .03, -.03);
  controller.add(CenterOfMassTask{.target = goal, .weight = 100});
  const auto palm = inverse(placement_at(model, s.q, "chest")) * placement_at(model, s.q, "left_palm");
  const auto palm_goal = palm.p + Vec3<double>(.05, .05, .05);
  controller.add(PointTask{.frame = "left_palm", .target = palm_goal, .relative_to = "chest", .weight = 10});
  controller.add(PostureTask{.target = s.q, .weight = .01});
  const auto sole = placement_at(model, s.q, "left_sole").p;
  run(controller, s, 3);
  EXPECT_LE(length(center_of_mass(model, work, s.q) - goal), 1e-3);
  EXPECT_LE(length((inverse(placement_at(model, s.q, "chest")) * placement_at(model, s.q, "left_palm")).p - palm_goal),
            1e-3);
  EXPECT_LE(length(placement_at(model, s.q, "left_sole").p - sole), 1e-6);
}

TEST(ClosedLoop, Momentum) {
  const auto model = robot("humanoid.urdf");
  auto s = standing(model);
  Workspace work(model);
  WholeBody controller(model);
  add_feet(controller);
  for (const std::string side : {"left", "right"}) s.v[model.joint(side + "_shoulder_pitch").v_index] = 2;
  const double before = centroidal_momentum(model, work, s.q, s.v).tail<3>().norm();
  controller.add(MomentumTask{.linear = {1, 1, 1}});
  run(controller, s, 1);
  EXPECT_GE(before, .1);
  EXPECT_LE(centroidal_momentum(model, work, s.q, s.v).norm(), .01 * before);
}

TEST(ClosedLoop, PostureOfBallJointsAndOfTheBase) {
  const auto model = load(LISSOM_MODELS_DIR "/mechanisms/ball_pendulum.urdf");
  State s{random_configuration(model, 3), VectorXd::Zero(model.nv())};
  WholeBody controller(model);
  const VectorXd goal = random_configuration(model, 4);
  controller.add(PostureTask{.target = goal, .weight = 10});
  run(controller, s, 4);
  EXPECT_LE(largest(difference(model, s.q, goal)), 1e-4);
}

TEST(ClosedLoop, AMovingTargetIsFollowed) {
  const auto model = arm();
  auto s = bent_arm(model);
  const auto start = placement_at(model, s.q, "tool").p;
  WholeBody controller(model, {.joints = {.positions = false}});
  const auto id = controller.add(PointTask{.frame = "tool", .target = start, .weight = 1000});
  controller.add(PostureTask{.target = s.q, .weight = 1e-3});
  double worst = 0;
  for (double t = 0; t < 2; t += step) {
    const double w = 3, r = .05;
    auto& task = controller[id];
    task.target = start + Vec3<double>(0, r * std::sin(w * t), r - r * std::cos(w * t));
    task.velocity = {0, r * w * std::cos(w * t), r * w * std::sin(w * t)};
    task.acceleration = {0, -r * w * w * std::sin(w * t), r * w * w * std::cos(w * t)};
    run(controller, s, step / 2);
    if (t > 1.5) worst = larger(worst, length(placement_at(model, s.q, "tool").p - task.target));
  }
  EXPECT_LE(worst, 1e-3);
}

}  // namespace
}  // namespace lissom::control::test::closed_loop
