#include "lissom/benchmarks/tosses.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace lissom::benchmarks {
namespace {

World make_world(const Toss& toss, const TossParameters& parameters) {
  World::Options options;
  options.gravity = {0, 0, -parameters.gravity};
  World world(options);
  world.add_ground();
  world.set_properties("ground", "",
                       {.friction = parameters.friction,
                        .impact_friction = parameters.impact_friction,
                        .restitution = parameters.restitution,
                        .law = ContactProperties::Law::impulse});
  const double edge = 2 * parameters.half_width, I = parameters.moment_of_inertia;
  Geometry box;
  box.shape.size = {edge, edge, edge};
  RigidBody cube;
  cube.name = "cube";
  cube.mass = parameters.mass;
  cube.inertia = {I, 0, 0, I, 0, I};
  cube.com = parameters.com;
  cube.shapes = {box};
  cube.rounding = parameters.rounding;
  cube.pose = {matrix(toss.start.rotation), toss.start.position};
  cube.angular_velocity = cube.pose.R * toss.angular_velocity;
  cube.velocity = toss.velocity + cross(cube.angular_velocity, cube.pose.R * cube.com);
  world.add(cube);
  return world;
}

double angle_between(const Quaternion<double>& a, const Quaternion<double>& b) {
  const auto relative = conjugate(a) * b;
  return 2 * std::atan2(std::hypot(relative.x, relative.y, relative.z), std::abs(relative.w));
}

}  // namespace

TossError simulate(const Toss& toss, const TossParameters& parameters, std::vector<TossFrame>* seen) {
  using Clock = std::chrono::steady_clock;
  auto world = make_world(toss, parameters);
  TossError error;
  double period = toss.frames.back().time - toss.frames.front().time;
  for (std::size_t k = 1; k < toss.frames.size(); ++k)
    period = std::min(period, toss.frames[k].time - toss.frames[k - 1].time);
  if (seen) seen->clear();
  for (std::size_t k = 0; k < toss.frames.size(); ++k) {
    const auto& frame = toss.frames[k];
    if (k > 0) {
      // Where frames are missing, there are more steps to the next one.
      const double passed = frame.time - toss.frames[k - 1].time;
      const long steps = parameters.steps_per_frame * std::lround(passed / period);
      const auto begin = Clock::now();
      for (long i = 0; i < steps; ++i) world.step(passed / double(steps));
      error.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
      error.steps += steps;
    }
    const auto X = world.pose("cube");
    const auto rotation = quaternion(X.R);
    const auto apart = X.p - frame.position;
    error.position += std::sqrt(dot(apart, apart)) / double(toss.frames.size());
    error.rotation += angle_between(rotation, frame.rotation) / double(toss.frames.size());
    if (seen) seen->push_back({frame.time, X.p, rotation});
  }
  return error;
}

TossError mean_error(const std::vector<Toss>& tosses, const TossParameters& parameters,
                     const std::function<void()>& after) {
  TossError mean;
  for (const auto& toss : tosses) {
    const auto one = simulate(toss, parameters);
    mean.position += one.position / double(tosses.size());
    mean.rotation += one.rotation / double(tosses.size());
    mean.steps += one.steps, mean.seconds += one.seconds;
    if (after) after();
  }
  return mean;
}

}  // namespace lissom::benchmarks
