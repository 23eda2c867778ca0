// The same controller and robot in another engine: the motion converges to that of lissom as the step shrinks.
#include "lissom/bridge/bridge.h"

#include <iostream>

#include <gtest/gtest.h>

#include "close.h"
#include "lissom/lissom.h"
#include "random_tree.h"

namespace lissom::test {
namespace {

using namespace bridge;
using Eigen::VectorXd;

const std::string models = LISSOM_MODELS_DIR;

class EveryEngine : public testing::TestWithParam<std::string> {};

// The largest errors with steps of 1, ½ and ¼ ms.
std::vector<double> errors(const Model& model, const std::string& engine, sim::Controller& controller,
                           const VectorXd& q, const VectorXd& v, double seconds) {
  std::vector<double> all;
  for (const double step : {1e-3, 5e-4, 2.5e-4}) {
    const auto r = run(model, engine, controller, q, v, seconds, step);
    all.push_back(r.max_error);
    EXPECT_LT(r.drift, 1e-3) << "drift of joints";
  }
  return all;
}
void expect_first_order(const std::vector<double>& e) {
  for (std::size_t k = 1; k < e.size(); ++k) EXPECT_NEAR(e[k - 1] / e[k], 2, 0.5) << e[0] << " " << e[1] << " " << e[2];
}

TEST_P(EveryEngine, ArmTracksASine) {
  const auto model = load(models + "/arm7.urdf");
  Tracking tracking;
  tracking.posture = neutral(model);
  tracking.amplitude = 0.3;
  const auto e =
      errors(model, GetParam(), *tracking_controller(model, tracking), tracking.posture, VectorXd::Zero(7), 1);
  EXPECT_LT(e[0], 0.01);
  expect_first_order(e);
}

TEST_P(EveryEngine, HumanoidHoldsAPosture) {
  const auto model = load(models + "/humanoid.urdf");
  Tracking tracking;
  tracking.posture = neutral(model);
  VectorXd q = tracking.posture;
  for (auto& angle : q) angle += 0.1;
  const auto e = errors(model, GetParam(), *tracking_controller(model, tracking), q, VectorXd::Zero(model.nv()), 0.3);
  EXPECT_LT(e[0], 0.01);
  expect_first_order(e);
}

// Without a controller: a free body, a spherical joint, a slider, and a cylindrical joint.
TEST_P(EveryEngine, MovesAsWeDo) {
  for (const std::string file : {"floating_box", "ball_pendulum", "slider_pendulum", "cylindrical_piston"}) {
    const auto model = load(models + "/mechanisms/" + file + ".urdf");
    Random random(1);
    const VectorXd q = random_configuration(model, 1), v = random.vector(model.nv(), 0.5);
    const auto none = sim::controller([](const sim::Instant&, VectorXd&) {});
    const auto e = errors(model, GetParam(), *none, q, v, 0.5);
    EXPECT_LT(e[0], 0.02) << file;
    EXPECT_LT(e[2], 0.6 * e[0]) << file;
  }
}

TEST_P(EveryEngine, WorkExplainsTheEnergy) {
  const auto model = load(models + "/arm7.urdf");
  Tracking tracking;
  tracking.posture = neutral(model);
  tracking.amplitude = 0.3;
  const auto controller = tracking_controller(model, tracking);
  for (const double step : {1e-3, 5e-4}) {
    const auto r = run(model, GetParam(), *controller, tracking.posture, VectorXd::Zero(7), 1, step);
    EXPECT_GT(r.work.motors, 1);  // J
    EXPECT_EQ(r.work.sum(), r.work.motors);
    EXPECT_LT(std::abs(r.unexplained_energy), 2 * step);  // of order 1
    EXPECT_EQ(r.unexplained_energy, r.energy_after - r.energy_before - r.work.sum());
    EXPECT_FALSE(r.energy_from_nowhere);
    EXPECT_TRUE(r.warnings.empty());
  }
}

TEST_P(EveryEngine, ItsEnergyIsThatOfTheRobot) {
  const auto model = load(models + "/humanoid.urdf", {.base = Base::free});
  Workspace work(model);
  Random random(5);
  const VectorXd q = random_configuration(model, 4), v = random.vector(model.nv(), 1);
  const Bridge bridge(model, GetParam(), q, v);
  EXPECT_NEAR(bridge.energy().kinetic, kinetic_energy(model, work, q, v), 1e-9);
  EXPECT_NEAR(bridge.energy().potential, potential_energy(model, work, q), 1e-9);
  EXPECT_EQ(bridge.energy().work.sum(), 0);
}

// With steps of 10 ms the constraints of an engine push its bodies too far, and give energy. (Later on, the motion is
// another one with every compiler, and may end in infinite numbers.)
TEST_P(EveryEngine, EnergyFromNowhereIsNamed) {
  const auto model = load(models + "/arm7.urdf");
  Tracking tracking;
  tracking.posture = neutral(model);
  const VectorXd q = tracking.posture + VectorXd::Constant(7, 0.1);
  const auto r = run(model, GetParam(), *tracking_controller(model, tracking), q, VectorXd::Zero(7), 0.1, 0.01);
  EXPECT_TRUE(r.energy_from_nowhere);
  EXPECT_GT(r.appeared_energy, 10);
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_NE(r.warnings[0].find(GetParam() + " with a step of 0.01 s is not accurate here"), std::string::npos)
      << r.warnings[0];
}

// In steps of 50 ms, the controller is too stiff for RK4, too.
TEST_P(EveryEngine, EnergyFromNowhereInOurOwnSimulationIsNamed) {
  const auto model = load(models + "/arm7.urdf");
  Tracking tracking;
  tracking.posture = neutral(model);
  tracking.amplitude = 0.3;
  const auto r =
      run(model, GetParam(), *tracking_controller(model, tracking), tracking.posture, VectorXd::Zero(7), 0.5, 0.05);
  EXPECT_TRUE(r.energy_from_nowhere);
  ASSERT_FALSE(r.warnings.empty());
  EXPECT_NE(r.warnings.back().find("in lissom's own simulation"), std::string::npos) << r.warnings.back();
}

TEST_P(EveryEngine, BeginsWhereItIsTold) {
  for (const std::string file : {"humanoid", "quadruped"}) {
    const auto model = load(models + "/" + file + ".urdf", {.base = Base::free});
    Random random(2);
    const VectorXd q = random_configuration(model, 3), v = random.vector(model.nv(), 1);
    const Bridge bridge(model, GetParam(), q, v);
    EXPECT_TRUE(close(bridge.state().q, q, 1e-12));
    EXPECT_TRUE(close(bridge.state().v, v, 1e-12));
    EXPECT_LT(bridge.state().position_total, 1e-12);
  }
}

TEST_P(EveryEngine, RefusesWhatItCannotHold) {
  const auto at_rest = [&](const Model& model) {
    return Bridge(model, GetParam(), neutral(model), VectorXd::Zero(model.nv()));
  };
  EXPECT_THROW(at_rest(load(models + "/mechanisms/screw_jack.urdf")), Error);
  EXPECT_THROW(at_rest(load(models + "/mechanisms/gripper_mimic.urdf")), Error);
  Description d;
  d.name = "shadow";
  Random random(3);
  d.links = {random_link("ground", random), random_link("shadow", random)};
  d.links[1].mass = 0, d.links[1].inertia = {0, 0, 0, 0, 0, 0};
  JointDescription hinge;
  hinge.name = "hinge", hinge.type = JointType::revolute, hinge.parent = "ground", hinge.child = "shadow";
  d.joints = {hinge};
  auto geared = d;
  geared.links[1] = random_link("shadow", random);
  geared.joints[0].armature = 1;
  EXPECT_THROW(at_rest(build(geared)), Error);
  try {
    at_rest(build(d));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'shadow'"), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Installed, EveryEngine, testing::ValuesIn(engines()),
                         [](const auto& tested) { return tested.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryEngine);

TEST(Engines, AreFoundByName) {
  EXPECT_THROW(make_engine("physx", {0, 0, 0}), Error);
  if (engines().empty()) GTEST_SKIP() << "neither ODE nor Bullet is installed";
  for (const auto& name : engines()) EXPECT_EQ(make_engine(name, {0, 0, 0})->name(), name);
}

}  // namespace
}  // namespace lissom::test
