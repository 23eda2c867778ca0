// Robots whose joints take positions or velocities: the accelerations of the ticks, integrated.
#include "control_test_support.h"
#include "largest.h"
#include "lissom/control/generated_motions.h"
#include "lissom/control/run.h"

namespace lissom::control::test::joint_modes {
namespace {

using lissom::test::larger;
using lissom::test::smaller;

class JointModes : public testing::TestWithParam<JointMode> {};

TEST_P(JointModes, AHumanoidSquats) {
  const auto model = robot("humanoid.urdf");
  const auto plan = read_motion_plan(model, LISSOM_MODELS_DIR "/motions/squat.json");
  MotionOptions options;
  options.mode = GetParam();
  double lowest = 1e9;
  options.observer = [&](const MotionReading& r) { lowest = smaller(lowest, r.robot.q()[2]); };
  const auto report = run(model, plan, options);
  EXPECT_TRUE(report.succeeded) << report.failure;
  EXPECT_EQ(report.elastic_ticks, 0);
  EXPECT_LT(lowest, plan.posture(plan.start)[2] - .1);
  EXPECT_LT(report.max_com_error, .02);
  EXPECT_EQ(report.tracking_joint.empty(), GetParam() == JointMode::torque);
  // The servos' full torque.
  EXPECT_LT(report.max_tracking_error, GetParam() == JointMode::position ? .05 : 2.5);
  if (GetParam() == JointMode::position) EXPECT_GT(report.max_tracking_error, .001);
}
INSTANTIATE_TEST_SUITE_P(All, JointModes, testing::Values(JointMode::torque, JointMode::position, JointMode::velocity),
                         [](const auto& p) { return std::string(to_string(p.param)); });

// However long a tick wants to go on, the reference stays within the limits.
TEST(JointReferences, KeepLimits) {
  const auto model = load(LISSOM_MODELS_DIR "/arm7.urdf");
  const auto gains = servo_gains(model, JointMode::position);
  VectorXd q = VectorXd::Zero(7);
  const VectorXd v = q;
  for (const double sign : {1.0, -1.0}) {
    JointReference reference(model, gains, q, 1e-3, 1e6);
    Tick tick;
    tick.status = TickStatus::optimal;
    tick.accelerations = VectorXd::Constant(7, sign * 50), tick.torques = q;
    double fastest = 0;
    for (int i = 0; i < 3000; ++i) {
      reference.advance(tick, q, v);
      for (int k = 0; k < 7; ++k) {
        fastest = larger(fastest, std::abs(reference.v()[k]) / model.velocity_limit()[std::size_t(k)]);
        ASSERT_LE(reference.q()[k], model.upper()[std::size_t(k)]);
        ASSERT_GE(reference.q()[k], model.lower()[std::size_t(k)]);
      }
    }
    EXPECT_EQ(fastest, 1);
    EXPECT_EQ(reference.q()[0], sign > 0 ? model.upper()[0] : model.lower()[0]);
    EXPECT_EQ(reference.v()[0], 0);
  }
}

// At rest it settles where the servo gives the torque of the tick.
TEST(JointReferences, SettleAtTheTorqueOfTheTick) {
  const auto model = load(LISSOM_MODELS_DIR "/arm7.urdf");
  VectorXd q = VectorXd::Constant(7, .3);
  const VectorXd v = VectorXd::Zero(7);
  Tick tick;
  tick.status = TickStatus::optimal;
  tick.accelerations = v, tick.torques = Random(5).vector(7, 20);
  for (const auto mode : {JointMode::position, JointMode::velocity}) {
    const auto gains = servo_gains(model, mode);
    JointReference reference(model, gains, q, 1e-3);
    for (int i = 0; i < 1000; ++i) reference.advance(tick, q, v);
    const VectorXd servo =
        gains.stiffness.cwiseProduct(reference.q() - q) + gains.damping.cwiseProduct(reference.v() - v);
    EXPECT_TRUE(close(servo, tick.torques, 1e-6));
    tick.status = TickStatus::invalid;  // nothing is known: it stays
    reference.advance(tick, q, v);
    EXPECT_TRUE(reference.v().isZero(0));
    tick.status = TickStatus::optimal;
  }
  EXPECT_THROW(joint_mode_of("effort"), Error);
  EXPECT_EQ(joint_mode_of("velocity"), JointMode::velocity);
}

}  // namespace
}  // namespace lissom::control::test::joint_modes
