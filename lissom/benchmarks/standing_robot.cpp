// A humanoid on its feet, and the derivatives of its steps.
#include "lissom/api/load.h"
#include "lissom/api/state.h"
#include "lissom/benchmarks/step_differences.h"
#include "lissom/benchmarks/timed_world.h"

namespace lissom::benchmarks {

extern const char* const humanoid_text;  // written by CMake

World standing_humanoid(const World::Options& options, double seconds) {
  World world(options);
  world.add_ground();
  const auto model = load_text(humanoid_text, "humanoid.urdf", {.base = Base::free});
  auto q = neutral(model);
  q[2] = 1.2;  // above the ground
  world.add("humanoid", model, q, {.self_collision = false});
  Servos servos{Eigen::VectorXd::Zero(model.nv()), Eigen::VectorXd::Zero(model.nv()), q,
                Eigen::VectorXd::Zero(model.nv())};
  servos.stiffness.tail(model.nv() - 6).setConstant(3000), servos.damping.tail(model.nv() - 6).setConstant(100);
  world.set_servos("humanoid", servos);
  // Down to the ground, until something would touch it within a moment.
  auto state = world.state();
  for (bool near = false; !near; state.q[0][2] -= .001) {
    world.restore(state);
    world.step(1e-6);
    near = !world.contacts().empty();
  }
  state.q[0][2] += .002;
  world.restore(state);
  for (long k = 0; k < steps_in(seconds); ++k) world.step(TimedWorld::h);
  return world;
}

Outcome step_derivatives(double seconds, const AfterStep& after) {
  using Clock = std::chrono::steady_clock;
  World::Options options;
  options.tolerance = 1e-12;
  options.conserve = false;  // what it corrects is not differentiated
  auto world = standing_humanoid(options, .5);
  StepDerivatives derivatives;
  Outcome outcome;
  auto before = world.state();
  for (long k = 0; k < steps_in(seconds); ++k) {
    before = world.state();
    const auto begin = Clock::now();
    const auto report = world.step(TimedWorld::h, derivatives);
    outcome.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    ++outcome.steps;
    outcome.unsolved += !report.converged;
    outcome.worst_residual = std::max(outcome.worst_residual, report.residual);
    outcome.scale = double(derivatives.modes.size());
    if (after) after();
  }
  // A little above the ground, where the feet do not change from gap to overlap by the differences.
  before.q[0][2] += 2e-6;
  world.restore(before);
  StepDifferences differences(world, TimedWorld::h, 1e-8);
  world.step(TimedWorld::h, derivatives);
  outcome.error = differences.error(derivatives);
  return outcome;
}

}  // namespace lissom::benchmarks
