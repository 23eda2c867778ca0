// SimBenchmark's problems with balls.
#include <random>

#include "lissom/benchmarks/timed_world.h"

namespace lissom::benchmarks {
namespace {

double square(double x) {
  return x * x;
}

}  // namespace

Outcome rolling(double seconds, const AfterStep& after) {
  constexpr double g = 9.81, c = .5;
  const double s = std::sqrt(3.) / 2;
  World::Options options;
  options.tolerance = 1e-11;
  TimedWorld run(options, after);
  auto& world = run.world;
  world.add_ground();
  auto plate = RigidBody::homogeneous("plate", box(20, 20, 1), 10);
  plate.pose.p = {0, 0, .5};
  world.add(plate);
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
  // 150 - .4 · 35 g - 25 F = 10 a, where a ball of 1 kg takes F = a_ball = 2/7 a
  const double a = (150 - .4 * 35 * g) / (10 + 25 * 2. / 7), a_ball = 2. / 7 * a;
  const long steps = steps_in(seconds);
  for (long k = 0; k < steps; ++k) {
    const double t = double(k) * run.h;
    const auto error = [&](const std::string& name, double expected) {
      const auto& v = world.v(name);
      return square(v[0] - expected * t * c) + square(v[1] - expected * t * s) + square(v[2]);
    };
    run.outcome.error += error("plate", a) / double(steps);
    for (const auto& name : balls) run.outcome.error += error(name, a_ball) / (25 * double(steps));
    world.tau("plate").head<2>() << 150 * c, 150 * s;
    run.step();
  }
  run.outcome.scale = world.v("plate").head<2>().norm();
  return run.outcome;
}

Outcome bouncing(double seconds, const AfterStep& after) {
  TimedWorld run({}, after);
  auto& world = run.world;
  world.add_ground();
  world.set_properties("", "", {.friction = 0, .restitution = 1});
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 7; ++j) {
      auto b = RigidBody::homogeneous("ball" + std::to_string(7 * i + j), ball(.1), 10);
      b.pose.p = {2. * i, 2. * j, 5};
      world.add(b);
    }
  run.outcome.scale = run.energy();
  const long steps = steps_in(seconds);
  for (long k = 0; k < steps; ++k) {
    run.outcome.error += square(run.energy() - run.outcome.scale) / double(steps);
    run.step();
  }
  return run.outcome;
}

namespace {

// 6 × 6 × 6 balls with gaps of 1 cm, each up to 1 mm off.
std::vector<const Eigen::VectorXd*> add_balls(World& world, double height) {
  std::mt19937_64 random(42);
  std::uniform_real_distribution<double> noise(0, 1e-3);
  std::vector<const Eigen::VectorXd*> configurations;
  for (int i = 0; i < 216; ++i) {
    auto b = RigidBody::homogeneous("ball" + std::to_string(i), ball(.1), 10);
    const double x = noise(random), y = noise(random), z = noise(random);
    const int column = i / 36, row = i / 6 % 6, layer = i % 6;
    b.pose.p = {.21 * column + x, .21 * row + y, .21 * layer + z + height};
    world.add(b);
    configurations.push_back(&world.q(b.name));
  }
  return configurations;
}

double squared_overlaps(const std::vector<const Eigen::VectorXd*>& balls) {
  double sum = 0;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const Eigen::Vector3d at = balls[i]->head<3>();
    sum += square(std::max(.1 - at.z(), 0.));
    for (std::size_t j = 0; j < i; ++j) sum += square(std::max(.2 - (at - balls[j]->head<3>()).norm(), 0.));
  }
  return sum;
}

}  // namespace

Outcome heap(double seconds, const AfterStep& after) {
  World::Options options;
  options.max_sweeps_of_large_islands = 1000;
  TimedWorld run(options, after);
  run.world.add_ground();
  run.world.set_properties("", "", {.friction = 0});
  const auto balls = add_balls(run.world, .101);
  const long steps = steps_in(seconds);
  for (long k = 0; k < steps; ++k) {
    run.outcome.error += squared_overlaps(balls) / double(steps);
    run.step();
  }
  run.outcome.scale = run.world.kinetic_energy();
  return run.outcome;
}

Outcome elastic_heap(double seconds, const AfterStep& after) {
  World::Options options;
  options.tolerance = 1e-9;
  options.max_sweeps_of_large_islands = 1000;
  TimedWorld run(options, after);
  run.world.add_ground();
  run.world.set_properties("", "", {.friction = 0, .restitution = 1});
  add_balls(run.world, 1.101);
  run.outcome.scale = run.energy();
  const long steps = steps_in(seconds);
  for (long k = 0; k < steps; ++k) {
    run.outcome.error += square(run.energy() - run.outcome.scale) / double(steps);
    run.step();
  }
  return run.outcome;
}

}  // namespace lissom::benchmarks
