// Many random worlds on all threads: no step throws, and nothing leaves. LISSOM_LONG=1 in the environment makes 10⁸
// steps of a world; a larger number, that many times 10⁵.
#include <cmath>
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>

#include "largest.h"
#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/world/world_batch.h"
#include "world_helpers.h"

namespace lissom::test {
namespace {

namespace random_worlds {

// How many steps of a world in all.
long step_count() {
  const char* const wanted = std::getenv("LISSOM_LONG");
  if (wanted == nullptr) return 100'000;
  const long times = std::atol(wanted);
  return times > 1 ? times * 100'000 : 100'000'000;
}

// A few boxes and balls, of random sizes, masses and velocities, between walls; in every fourth world a robot falls on
// them.
World random_world(long row, const Model& humanoid) {
  std::mt19937_64 random{std::uint64_t(row)};
  std::uniform_real_distribution<double> unit(0, 1);
  World::Options options;
  options.default_properties = {.friction = unit(random), .restitution = row % 2 ? .8 * unit(random) : 0};
  World world(options);
  world.add_ground();
  for (const double side : {-1., 1.}) {
    world.add_fixed(side < 0 ? "left" : "right", box(.2, 4, 6), {.p = {1.6 * side, 0, 3}});
    world.add_fixed(side < 0 ? "front" : "back", box(4, .2, 6), {.p = {0, 1.6 * side, 3}});
  }
  for (int i = 0; i < 4; ++i) {
    const double size = .05 + .1 * unit(random), mass = std::pow(10, -2 + 3 * unit(random));
    auto one = RigidBody::homogeneous("body" + std::to_string(i), i % 2 ? ball(size) : box(size, size, 2 * size), mass);
    one.pose.p = {unit(random) - .5, unit(random) - .5, .3 + .4 * i};
    one.velocity = {unit(random) - .5, unit(random) - .5, 0};
    one.angular_velocity = {4 * unit(random), 4 * unit(random), 0};
    world.add(one);
  }
  if (row % 4 != 3) return world;
  Eigen::VectorXd q = neutral(humanoid);
  q[2] = 3;
  world.add("robot", humanoid, q);
  return world;
}

}  // namespace random_worlds

TEST(LongWorlds, StayWhereTheyCanBe) {
  constexpr int batch = 64, seconds = 2;
  constexpr double dt = 1e-3;
  const auto humanoid = load(LISSOM_MODELS_DIR "/humanoid.urdf", {.base = Base::free});
  const int steps_of_each = int(seconds / dt);
  long steps = 0, unsolved = 0;
  for (long first = 0; steps < random_worlds::step_count(); first += batch) {
    const long count = std::min<long>(batch, (random_worlds::step_count() - steps) / steps_of_each + 1);
    WorldBatch worlds(count, [&](long row) { return random_worlds::random_world(first + row, humanoid); });
    for (int k = 0; k < steps_of_each; k += 10) {
      const auto failed = worlds.step(dt, 10);
      ASSERT_TRUE(failed.empty()) << "world " << first + failed[0].row << ": " << failed[0].what;
      for (const auto& report : worlds.reports()) unsolved += !report.converged;
    }
    for (long row = 0; row < count; ++row) {
      const auto& world = worlds.world(row);
      for (const auto& name : world.moving()) {
        const auto& q = worlds.world(row).q(name);
        EXPECT_LT(larger(std::abs(q[0]), std::abs(q[1])), 2) << name << " of world " << first + row;
        EXPECT_GT(q[2], -.05) << name << " of world " << first + row;
        EXPECT_LT(q[2], 6) << name << " of world " << first + row;
      }
    }
    steps += count * steps_of_each;
  }
  EXPECT_GE(steps, random_worlds::step_count());
  // Calls of ten steps of which one did not meet the laws within 1e-6 m/s: two in a hundred.
  EXPECT_LT(double(unsolved), 3e-2 * double(steps) / 10);
}

}  // namespace
}  // namespace lissom::test
