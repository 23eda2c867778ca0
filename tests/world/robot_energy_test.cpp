// The energy of robots that fall, strike and bounce: elastic ones keep it.
#include <random>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/world/world.h"
#include "world_helpers.h"

namespace lissom::test {
namespace {

namespace robot_energy {

RobotSettings nothing_dissipates() {
  RobotSettings settings;
  settings.joint_limits = settings.dry_friction = settings.damping = settings.springs = settings.effort_limits =
      settings.self_collision = false;
  return settings;
}

// A robot that falls from a height, rolled and pitched.
World falling(const std::string& file, double height, const ContactProperties& properties,
              const RobotSettings& settings) {
  const auto model = load(LISSOM_MODELS_DIR "/" + file, {.base = Base::free});
  World world;
  world.add_ground();
  world.set_properties("", "", properties);
  Eigen::VectorXd q = neutral(model);
  q[2] = height;
  // Roll by .4 rad, then pitch by .3 rad.
  const Eigen::Quaterniond turn =
      Eigen::AngleAxisd(.3, Eigen::Vector3d::UnitY()) * Eigen::AngleAxisd(.4, Eigen::Vector3d::UnitX());
  q.segment<4>(3) << turn.w(), turn.x(), turn.y(), turn.z();
  world.add("robot", model, q, settings);
  return world;
}

}  // namespace robot_energy

// Fingers of a gram turn at 900 rad/s after some impacts, which is too fast for a step of 1 ms. Their energy stays all
// the same.
class ElasticHumanoid : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Height, ElasticHumanoid, ::testing::Values(1.2, 1.4, 1.6, 1.8, 2., 2.3));
TEST_P(ElasticHumanoid, KeepsItsEnergyForTenSeconds) {
  auto world = robot_energy::falling("humanoid.urdf", GetParam(), {.friction = 0, .restitution = 1},
                                     robot_energy::nothing_dissipates());
  const double start = energy(world);
  double worst = 0, fastest = 0;
  for (int k = 0; k < 10000; ++k) {
    world.step(1e-3);
    worst = larger(worst, std::abs(energy(world) - start));
    fastest = larger(fastest, world.v("robot").cwiseAbs().maxCoeff());
  }
  EXPECT_GT(start, 500);
  EXPECT_GT(fastest, 300);
  EXPECT_LT(worst, 1e-9 * start);
}

}  // namespace
}  // namespace lissom::test
