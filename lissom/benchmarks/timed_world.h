#pragma once
// A world whose steps are timed. Not installed.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "lissom/benchmarks/contact_worlds.h"

namespace lissom::benchmarks {

class TimedWorld {
 public:
  static constexpr double h = 1e-3;

  TimedWorld(const World::Options& options, const AfterStep& after) : world(options), after_(after) {}

  void step() {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto report = world.step(h);
    outcome.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    ++outcome.steps;
    outcome.unsolved += !report.converged;
    outcome.worst_residual = std::max(outcome.worst_residual, report.residual);
    if (after_) after_();
  }
  double energy() const { return world.kinetic_energy() + world.potential_energy(); }

  World world;
  Outcome outcome;

 private:
  const AfterStep& after_;
};

inline long steps_in(double seconds) {
  return std::lround(seconds / TimedWorld::h);
}

inline Shape ball(double radius) {
  Shape shape;
  shape.kind = Shape::Kind::sphere;
  shape.radius = radius;
  return shape;
}
inline Shape box(double x, double y, double z) {
  Shape shape;
  shape.size = {x, y, z};
  return shape;
}

}  // namespace lissom::benchmarks
