// The quadruped that is hit by a ball, and the one that is thrown.
#include "lissom/api/dynamics.h"
#include "lissom/api/kinematics.h"
#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/benchmarks/timed_world.h"

namespace lissom::benchmarks {

extern const char* const quadruped_text;  // written by CMake

Model quadruped() {
  return load_text(quadruped_text, "quadruped.urdf", {.base = Base::free});
}

namespace {

// With straight legs, symmetry would leave little more than a falling point.
Eigen::VectorXd with_bent_legs(const Model& robot) {
  auto q = neutral(robot);
  double abduction = 0;
  for (const std::string leg : {"front_left", "front_right", "rear_left", "rear_right"}) {
    q[robot.joint(leg + "_abduction").q_index] = abduction;
    q[robot.joint(leg + "_flexion").q_index] = .7;
    q[robot.joint(leg + "_knee").q_index] = -1.4;
    abduction += .1;
  }
  return q;
}

}  // namespace

Outcome momentum(double seconds, const AfterStep& after) {
  World::Options options;
  options.gravity = {0, 0, 0};
  TimedWorld run(options, after);
  auto& world = run.world;
  const auto robot = quadruped();
  world.add("robot", robot, with_bent_legs(robot));
  auto b = RigidBody::homogeneous("ball", ball(.1), 10);
  b.pose.p = {.12, -1, .03};
  b.velocity = {0, 5, 0};
  world.add(b);
  const auto linear = [&]() -> Eigen::Vector3d { return world.momentum().head<3>(); };
  const Eigen::Vector3d before = linear(), given = world.v("ball").head<3>();
  const long steps = steps_in(seconds);
  for (long k = 0; k < steps; ++k) {
    run.outcome.error += (linear() - before).squaredNorm() / double(steps);
    run.step();
  }
  run.outcome.scale = b.mass * (world.v("ball").head<3>() - given).norm();
  return run.outcome;
}

Outcome quadruped_energy(double seconds, const AfterStep& after) {
  TimedWorld run({}, after);
  auto& world = run.world;
  const auto robot = quadruped();
  world.add("robot", robot, with_bent_legs(robot),
            {.joint_limits = false,
             .dry_friction = false,
             .damping = false,
             .springs = false,
             .effort_limits = false,
             .loops = false,
             .self_collision = false});
  world.exclude("robot", "robot");
  Workspace work(robot);
  const FrameId trunk = robot.frame(robot.links().front().name);
  const double thrust = 2 * 9.81 * robot.mass();
  const long steps = steps_in(seconds), thrown = steps / 3;
  for (long k = 0; k < thrown; ++k) {
    const auto& J = jacobian(robot, work, world.q("robot"), trunk, {trunk, {.01, .005, 0}});
    world.tau("robot") = thrust * J.row(2).transpose();
    run.step();
  }
  world.tau("robot").setZero();
  const double before = run.energy();
  const Eigen::Vector3d p = world.momentum().head<3>();
  run.outcome.scale = world.kinetic_energy() - p.squaredNorm() / (2 * robot.mass());
  for (long k = thrown; k < steps; ++k) {
    run.step();
    run.outcome.error += std::pow(run.energy() - before, 2) / double(steps - thrown);
  }
  return run.outcome;
}

}  // namespace lissom::benchmarks
