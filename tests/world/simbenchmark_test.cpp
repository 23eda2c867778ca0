// The problems of SimBenchmark, whose motion is known: rolling balls, bouncing balls, heaps; metrics as in its sources.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "lissom/world/world.h"
#include "world_helpers.h"

namespace lissom::test {
namespace {

// Mean squared error of the velocities of a pushed box with 25 balls on it, against the analytic solution.
double rolling(double seconds) {
  constexpr double h = 1e-3, g = 9.81;
  World::Options options;
  options.tolerance = 1e-11;
  World world(options);
  world.add_ground();
  auto plate = RigidBody::homogeneous("plate", box(20, 20, 1), 10);
  plate.pose.p = {0, 0, .5};
  world.add(plate);
  world.set_properties("ground", "", {.friction = .4});
  world.set_properties("plate", "", {.friction = .8});
  world.set_properties("plate", "ground", {.friction = .4});
  std::vector<std::string> balls;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) {
      auto b = RigidBody::homogeneous("ball" + std::to_string(5 * i + j), ball(.5), 1);
      b.pose.p = {2. * (i - 2), 2. * (j - 2), 1.5};
      world.add(b);
      balls.push_back(b.name);
    }
  const double c = .5, s = std::sqrt(3.) / 2;
  // (150 - .4 · 35 g - 25 F) = 10 a, F = a_ball, a_ball = 2/7 a
  const double a = (150 - .4 * 35 * g) / (10 + 25 * 2. / 7), a_ball = 2. / 7 * a;
  double sum = 0;
  const int steps = int(std::lround(seconds / h));
  for (int k = 0; k < steps; ++k) {
    const double t = k * h;
    const auto error = [&](const std::string& name, double expected) {
      const auto& v = world.v(name);
      const double x = v[0] - expected * t * c, y = v[1] - expected * t * s;
      return x * x + y * y + v[2] * v[2];
    };
    sum += error("plate", a);
    for (const auto& name : balls) sum += error(name, a_ball) / 25;
    world.tau("plate").head<2>() << 150 * c, 150 * s;
    const auto report = world.step(h);
    EXPECT_TRUE(report.converged) << k << ": " << report.residual;
  }
  return sum / steps;
}

TEST(SimBenchmark, Rolling) {
  EXPECT_LT(rolling(.5), 1e-20);
}

TEST(SimBenchmark, Bouncing) {
  World world;
  world.add_ground();
  world.set_properties("", "", {.friction = 0, .restitution = 1});
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 7; ++j) {
      auto b = RigidBody::homogeneous("ball" + std::to_string(7 * i + j), ball(.1), 10);
      b.pose.p = {2. * i, 2. * j, 5};
      world.add(b);
    }
  const double start = world.kinetic_energy() + world.potential_energy();
  double sum = 0;
  constexpr int steps = 5000;
  for (int k = 0; k < steps; ++k) {
    const double error = world.kinetic_energy() + world.potential_energy() - start;
    sum += error * error;
    world.step(1e-3);
  }
  EXPECT_LT(sum / steps, 1e-15);
  EXPECT_GT(start, 1e4);
}

double heap(double restitution, double seconds) {
  World::Options options;
  options.tolerance = restitution > 0 ? 1e-9 : 1e-6;
  options.max_sweeps_of_large_islands = 1000;
  World world(options);
  world.add_ground();
  world.set_properties("", "", {.friction = 0, .restitution = restitution});
  std::mt19937_64 random(42);
  std::uniform_real_distribution<double> noise(0, 1e-3);
  std::vector<std::string> names;
  for (int i = 0; i < 216; ++i) {
    auto b = RigidBody::homogeneous("ball" + std::to_string(i), ball(.1), 10);
    b.pose.p = {i / 36 * .21 + noise(random), i / 6 % 6 * .21 + noise(random),
                i % 6 * .21 + noise(random) + (restitution > 0 ? 1.101 : .101)};
    world.add(b);
    names.push_back(b.name);
  }
  const double start = world.kinetic_energy() + world.potential_energy();
  const auto overlap = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Eigen::Vector3d x = world.q(names[i]).head<3>();
      sum += std::pow(std::max(.1 - x.z(), 0.), 2);
      for (std::size_t j = 0; j < i; ++j)
        sum += std::pow(std::max(.2 - (x - world.q(names[j]).head<3>()).norm(), 0.), 2);
    }
    return sum;
  };
  double sum = 0;
  int counted = 0;
  const int steps = int(std::lround(seconds / 1e-3));
  for (int k = 0; k < steps; ++k) {
    if (restitution > 0) {
      const double error = world.kinetic_energy() + world.potential_energy() - start;
      sum += error * error;
      ++counted;
    } else if (k % 10 == 0) {
      sum += overlap();
      ++counted;
    }
    world.step(1e-3);
  }
  return sum / counted;
}

TEST(SimBenchmark, Heap) {
  EXPECT_LT(heap(0, 1.5), 1e-12);
}
TEST(SimBenchmark, ElasticHeap) {
  EXPECT_LT(heap(1, 1.2), 1e-12);
}

}  // namespace
}  // namespace lissom::test
