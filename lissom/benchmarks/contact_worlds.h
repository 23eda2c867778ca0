#pragma once
// Worlds whose motion is known: SimBenchmark's problems with the metrics of its sources, a grip, a stack
// (docs/contact.md). Steps are 1 ms, and states are sampled before each of them. Not installed.
#include <functional>

#include "lissom/world/world.h"

namespace lissom::benchmarks {

/// Called after each step, if it is given; what it throws ends the run.
using AfterStep = std::function<void()>;

struct Outcome {
  double error = 0;
  double scale = 0;  ///< of the motion, so that a test can see that there was one: each function says what it is
  long steps = 0;
  long unsolved = 0;          ///< steps whose residual is above the tolerance
  double worst_residual = 0;  ///< m/s
  double seconds = 0;         ///< that World::step took
  double us_per_step() const { return steps > 0 ? 1e6 * seconds / double(steps) : 0; }
};

/// A plate with 25 balls on it is pushed and slides on the ground. Error: mean over time of the squared errors of the
/// velocities of the plate and, on average, of a ball. Scale: the speed of the plate in the end.
Outcome rolling(double seconds = 4, const AfterStep& after = {});
/// 49 balls fall from 5 m and bounce without loss. Error: mean of (E - E at the start)². Scale: E at the start.
Outcome bouncing(double seconds = 20, const AfterStep& after = {});
/// 216 balls fall on each other and come apart, without friction. Error: mean over time of the sum of the squared
/// overlaps. Scale: the kinetic energy in the end.
Outcome heap(double seconds = 10, const AfterStep& after = {});
/// The same from 1.1 m and without loss. Error: mean of (E - E at the start)². Scale: E at the start.
Outcome elastic_heap(double seconds = 10, const AfterStep& after = {});

/// The robot of models/quadruped.urdf, on a free base.
Model quadruped();
/// Without gravity, a ball of 10 kg with 5 m/s meets the quadruped. Error: mean of |Δp|², p being the linear momentum
/// of both. Scale: the momentum that the quadruped got.
Outcome momentum(double seconds = 10, const AfterStep& after = {});
/// The quadruped with bent legs is thrown by twice its weight, beside its center, for a third of the time, and flies
/// for the rest. Error: mean over the flight of (E - E at its start)². Scale: the kinetic energy about the center of
/// mass at its start.
Outcome quadruped_energy(double seconds = 3, const AfterStep& after = {});

/// The robot of models/humanoid.urdf, on a free base, with servos in all joints, after some seconds of standing on its
/// feet: eight contacts.
World standing_humanoid(const World::Options& options, double seconds);
/// The same, whose steps are differentiated. Error: the largest one of the derivatives of the last step against central
/// differences, relative to the largest element of their column. Scale: contacts. Times are those of steps with their
/// derivatives.
Outcome step_derivatives(double seconds = 1, const AfterStep& after = {});

/// Two fingers hold a capsule of 45 g with 12, 30 and 60 N each. Error: the largest speed with which it creeps, in
/// µm/s. Scale: the mean over time of the vertical force of the fingers on the capsule, divided by its weight.
Outcome grip(double seconds = 10, const AfterStep& after = {});
/// Ten cubes of 1 g and 1000 kg in turn stand on each other. Error: the largest distance of a cube, in m, from where
/// it was put. Scale: the force on the ground, divided by their weight.
Outcome stack(double seconds = 10, const AfterStep& after = {});

}  // namespace lissom::benchmarks
