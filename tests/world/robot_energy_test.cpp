// The energy of robots that fall, strike and bounce: elastic ones keep it, and nothing ever adds to it.
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
    fastest = larger(fastest, largest(world.v("robot")));
  }
  EXPECT_GT(start, 500);
  EXPECT_GT(fastest, 300);
  EXPECT_LT(worst, 1e-9 * start);
}

struct Fall {
  const char* file;
  double restitution, friction;
  bool has_limits;
};

void PrintTo(const Fall& fall, std::ostream* to) {
  *to << fall.file << ", e = " << fall.restitution << ", friction " << fall.friction
      << (fall.has_limits ? ", with joint limits" : "");
}

// Whatever the restitution and the friction, no step adds energy.
class FallingRobot : public ::testing::TestWithParam<Fall> {};
std::vector<Fall> falls() {
  std::vector<Fall> all;
  for (const char* const file : {"humanoid.urdf", "quadruped.urdf"})
    for (const double e : {.3, .5, .9, 1.})
      for (const double friction : {0., .3, .8})
        for (const bool has_limits : {false, true}) all.push_back({file, e, friction, has_limits});
  return all;
}
INSTANTIATE_TEST_SUITE_P(All, FallingRobot, ::testing::ValuesIn(falls()));
TEST_P(FallingRobot, GainsNoEnergyInAnyStep) {
  const auto& fall = GetParam();
  auto settings = robot_energy::nothing_dissipates();
  settings.joint_limits = fall.has_limits;
  auto world =
      robot_energy::falling(fall.file, 1.2, {.friction = fall.friction, .restitution = fall.restitution}, settings);
  const double start = energy(world);
  double before = start, rise = 0;
  int when = -1;
  for (int k = 0; k < 2000; ++k) {
    const auto report = world.step(1e-3);
    const double now = energy(world);
    if (report.converged && !report.moved_apart && !(now - before <= rise)) rise = now - before, when = k;
    before = now;
  }
  // (At rest, a robot that lies some µm deep rises by a tenth of one.)
  EXPECT_LT(rise, 1e-7 * start) << "in step " << when;
}

}  // namespace
}  // namespace lissom::test
