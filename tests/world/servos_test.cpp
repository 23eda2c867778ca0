// Servos of robots at their effort limits: they obey their law and their limit at once.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/world/world.h"
#include "world_helpers.h"

namespace lissom::test {
namespace {

struct Gains {
  double stiffness, damping;
};

// An arm that is told to move at once by an angle of 1 to 2 rad in all joints. What one motor does decides whether
// another one reaches its limit: each has to give what its law asks for, or its limit with the same sign.
class LimitedServos : public ::testing::TestWithParam<Gains> {};
INSTANTIATE_TEST_SUITE_P(Gains, LimitedServos,
                         ::testing::Values(Gains{20000, 50}, Gains{5000, 100}, Gains{5000, 300}, Gains{300, 10}));
TEST_P(LimitedServos, GiveTheirLawWithinTheLimits) {
  const auto [stiffness, damping] = GetParam();
  const auto model = load(LISSOM_MODELS_DIR "/arm7.urdf");
  World::Options options;
  options.conserve = false;  // that corrects velocities by O(h³) after the torques are known
  World world(options);
  world.add("arm", model, neutral(model));
  const int n = model.nv();
  Eigen::VectorXd target(n);
  target << 1.5, .9, -1, 1.2, 1, 1, 2;
  world.set_servos("arm", {Eigen::VectorXd::Constant(n, stiffness), Eigen::VectorXd::Constant(n, damping), target,
                           Eigen::VectorXd::Zero(n)});
  const double dt = 1e-3;
  int at_limit = 0;
  double worst = 0;
  for (int k = 0; k < 1500; ++k) {
    const Eigen::VectorXd q = world.q("arm");
    ASSERT_TRUE(world.step(dt).converged) << k;
    const auto& v = world.v("arm");
    for (int i = 0; i < n; ++i) {
      const double limit = model.effort_limit()[std::size_t(i)];
      const double law = stiffness * (target[i] - q[i] - dt * v[i]) - damping * v[i];
      const double expected = std::clamp(law, -limit, limit), torque = world.motor_torques("arm")[i];
      at_limit += std::abs(expected) == limit;
      worst = larger(worst, std::abs(torque - expected) / limit);
    }
  }
  EXPECT_GT(at_limit, 20);
  EXPECT_LT(worst, 1e-6);
}

// Work of motors is theirs, also where they are at their limits: nothing appears from nowhere.
TEST(LimitedServosWork, IsThatOfTheMotors) {
  const auto model = load(LISSOM_MODELS_DIR "/arm7.urdf");
  World::Options options;
  options.audit = true;
  World world(options);
  world.add("arm", model, neutral(model));
  const int n = model.nv();
  world.set_servos("arm", {Eigen::VectorXd::Constant(n, 5000), Eigen::VectorXd::Constant(n, 100),
                           Eigen::VectorXd::Constant(n, .5), Eigen::VectorXd::Zero(n)});
  const double start = energy(world);
  Work work;
  for (int k = 0; k < 300; ++k) work.add(1, world.step(1e-3).work);
  EXPECT_GT(work.motors, 1);
  EXPECT_NEAR(energy(world) - start, work.sum(), .02 * work.motors);
}

}  // namespace
}  // namespace lissom::test
