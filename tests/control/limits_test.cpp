// Joints driven against their limits.
#include "control_test_support.h"

namespace lissom::control::test::limits {
namespace {

constexpr double step = 1e-3;

Model arm() {
  return load(LISSOM_MODELS_DIR "/arm7.urdf");
}
// The largest distances from the limits, in a run towards a posture far away; positive: beyond them.
struct Passed {
  double upper = -1e9, lower = -1e9, speed = -1e9;
};
Passed drive(const Model& model, const WholeBodyOptions& options, double stiffness, const VectorXd& goal, State& s,
             double seconds) {
  WholeBody controller(model, options);
  controller.add(PostureTask{.target = goal, .stiffness = stiffness, .weight = 1});
  Passed passed;
  for (double t = 0; t < seconds; t += step) {
    const auto& tick = controller.solve(s.q, s.v);
    EXPECT_EQ(tick.status, TickStatus::optimal) << t << " " << controller.explain();
    const VectorXd a = tick.accelerations;
    s.q = integrate(model, s.q, s.v + step / 2 * a, step);
    s.v += step * a;
    for (int i = 0; i < model.nv(); ++i) {
      const auto k = std::size_t(i);
      passed.upper = larger(passed.upper, s.q[i] - model.upper()[k]);
      passed.lower = larger(passed.lower, model.lower()[k] - s.q[i]);
      passed.speed = larger(passed.speed, std::abs(s.v[i]) - model.velocity_limit()[k]);
    }
  }
  return passed;
}

TEST(JointLimits, AreNotPassed) {
  const auto model = arm();
  for (const double sign : {1.0, -1.0})
    for (const double stiffness : {20.0, 500.0, 20000.0}) {
      State s{VectorXd::Zero(7), VectorXd::Zero(7)};
      const auto passed = drive(model, {.torque_limits = false}, stiffness, VectorXd::Constant(7, sign * 10), s, 4);
      SCOPED_TRACE("stiffness " + std::to_string(stiffness));
      EXPECT_LE(passed.upper, 1e-4);
      EXPECT_LE(passed.lower, 1e-4);
      EXPECT_LE(passed.speed, 1e-6);
      RecordProperty("passed", to_text(larger(passed.upper, passed.lower)));
      RecordProperty("too_fast", to_text(passed.speed));
      // And it gets there.
      EXPECT_NEAR(s.q[0], sign * model.upper()[0], 1e-3);
    }
}

TEST(JointLimits, AMarginIsKept) {
  const auto model = arm();
  State s{VectorXd::Zero(7), VectorXd::Zero(7)};
  drive(model, {.joints = {.margin = .1}, .torque_limits = false}, 200, VectorXd::Constant(7, 10), s, 4);
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(s.q[i], model.upper()[std::size_t(i)] - .1, 1e-3);
}

TEST(JointLimits, SomebodyOutsideComesBackWithinTheSpeedLimit) {
  const auto model = arm();
  for (const double beyond : {.01, .5}) {
    State s{VectorXd::Zero(7), VectorXd::Zero(7)};
    for (int i = 0; i < 7; ++i) s.q[i] = model.upper()[std::size_t(i)] + beyond;
    const VectorXd goal = s.q;  // the task is to stay
    const auto passed = drive(model, {.torque_limits = false}, 100, goal, s, 2);
    SCOPED_TRACE("beyond by " + std::to_string(beyond));
    EXPECT_LE(passed.speed, 1e-6);
    for (int i = 0; i < 7; ++i) EXPECT_LE(s.q[i], model.upper()[std::size_t(i)] + 1e-4);
  }
}

TEST(JointLimits, BoundsAreNeverReversed) {
  const auto model = robot("humanoid.urdf");
  const JointLimits limits;
  VectorXd lower(model.nv()), upper(model.nv());
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    VectorXd q = random_configuration(model, seed);
    q.tail(30) += random.vector(30, random.chance(.5) ? .1 : 3);
    const VectorXd v = random.vector(model.nv(), random.chance(.5) ? 1 : 100);
    acceleration_bounds(model, limits, q, v, lower, upper);
    for (int i = 0; i < model.nv(); ++i) {
      ASSERT_LE(lower[i], upper[i]);
      if (i < 6) continue;
      ASSERT_LE(std::abs(lower[i]), limits.acceleration);
      ASSERT_LE(std::abs(upper[i]), limits.acceleration);
    }
    for (int i = 0; i < 6; ++i) ASSERT_TRUE(lower[i] == -1e20 && upper[i] == 1e20);
  }
}

TEST(JointLimits, CanBeSwitchedOff) {
  const auto model = arm();
  State s{VectorXd::Zero(7), VectorXd::Zero(7)};
  const auto passed = drive(model, {.joints = {.positions = false, .velocities = false}, .torque_limits = false}, 100,
                            VectorXd::Constant(7, 5), s, 2);
  EXPECT_GE(passed.upper, 1);
  EXPECT_GE(passed.speed, 1);
}

}  // namespace
}  // namespace lissom::control::test::limits
