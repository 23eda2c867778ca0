// What has to stay where it is: a capsule between two fingers, and a stack of cubes of very different masses.
#include "lissom/api/state.h"
#include "lissom/benchmarks/timed_world.h"
#include "lissom/model/model.h"

namespace lissom::benchmarks {
namespace {

// A pad that slides along y, towards the origin from the side of `sign`.
Model finger(double sign) {
  Description d;
  d.name = "finger";
  LinkDescription rail, pad;
  rail.name = "rail";
  pad.name = "pad", pad.mass = .1, pad.inertia = {1e-5, 0, 0, 1e-5, 0, 1e-5};
  Geometry face;
  face.shape = box(.06, .01, .03);
  pad.collisions = {face};
  d.links = {rail, pad};
  JointDescription slide;
  slide.name = "slide", slide.type = JointType::prismatic, slide.parent = "rail", slide.child = "pad";
  slide.axis = {0, -sign, 0}, slide.origin.p = {0, sign * .009, 0};
  slide.lower = {-1}, slide.upper = {1};
  d.joints = {slide};
  return build(d, {});
}

Outcome grip_with(double force, double seconds, const AfterStep& after) {
  constexpr double mass = .045, settling = .3;
  World::Options options;
  options.tolerance = 1e-10;
  TimedWorld run(options, after);
  auto& world = run.world;
  world.set_properties("", "", {.friction = .7});
  Shape capsule = ball(.004);
  capsule.kind = Shape::Kind::capsule, capsule.length = .05;
  auto held = RigidBody::homogeneous("held", capsule, mass);
  held.pose.R = {0, 0, 1, 0, 1, 0, -1, 0, 0};  // along x
  world.add(held);
  const auto left = finger(-1), right = finger(1);
  world.add("left", left, neutral(left));
  world.add("right", right, neutral(right));
  world.tau("left")[0] = world.tau("right")[0] = force;
  for (long k = 0; k < steps_in(settling); ++k) run.step();
  const auto start = world.pose("held").p;
  const long steps = steps_in(seconds);
  for (long k = 0; k < steps; ++k) {
    run.step();
    run.outcome.scale += world.contact_force("held").z / (9.81 * mass) / double(steps);
  }
  const auto displacement = world.pose("held").p - start;
  run.outcome.error = 1e6 * std::sqrt(dot(displacement, displacement)) / seconds;
  return run.outcome;
}

}  // namespace

Outcome grip(double seconds, const AfterStep& after) {
  Outcome all;
  for (const double force : {12., 30., 60.}) {
    const auto one = grip_with(force, seconds, after);
    if (!(one.error <= all.error)) all.error = one.error, all.scale = one.scale;
    all.steps += one.steps, all.unsolved += one.unsolved, all.seconds += one.seconds;
    all.worst_residual = std::max(all.worst_residual, one.worst_residual);
  }
  return all;
}

Outcome stack(double seconds, const AfterStep& after) {
  constexpr int cubes = 10;
  World::Options options;
  options.tolerance = 1e-9;
  TimedWorld run(options, after);
  auto& world = run.world;
  world.add_ground();
  world.set_properties("", "", {.friction = .9});
  double weight = 0;
  const auto place = [](int i) { return Vec3<double>{0, 0, .05 + .1 * i}; };
  const auto name = [](int i) { return "cube" + std::to_string(i); };
  for (int i = 0; i < cubes; ++i) {
    auto cube = RigidBody::homogeneous(name(i), box(.1, .1, .1), i % 2 ? 1000 : 1e-3);
    cube.pose.p = place(i);
    world.add(cube);
    weight += 9.81 * cube.mass;
  }
  for (long k = 0; k < steps_in(seconds); ++k) run.step();
  for (int i = 0; i < cubes; ++i) {
    const auto displacement = world.pose(name(i)).p - place(i);
    const double distance = std::sqrt(dot(displacement, displacement));
    if (!(distance <= run.outcome.error)) run.outcome.error = distance;
  }
  run.outcome.scale = -world.contact_force("ground").z / weight;
  return run.outcome;
}

}  // namespace lissom::benchmarks
