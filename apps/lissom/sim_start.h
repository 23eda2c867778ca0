#pragma once
// Where a run of `lissom sim` begins, and the motion that its controller follows.
#include <optional>
#include <vector>

#include "lissom/sim/system.h"
#include "sim_options.h"

namespace verb::sim {

// Minimum-jerk trajectory, at rest at both ends; afterwards it stays at the second one.
lissom::sim::Trajectory reach(const lissom::Model& model, const ReferenceMotion& motion);
// Returns the initial state as given; by default a random configuration or neutral, at rest.
lissom::sim::State beginning(const Options& o, lissom::sim::System& system);
// The motion that the controller follows: the recorded one goes on unless another one is asked for.
ReferenceMotion reference_motion(const Options& o, const lissom::Model& model, const lissom::sim::State& x,
                                 const std::optional<Restart>& restart);
std::vector<lissom::sim::Push> pushes_of(const Options& o, const lissom::Model& model);
// Warns of pushes on the command line that never act in a run that begins then.
void tell_pushes_that_never_act(const Options& o, const lissom::Model& model, double begin);

}  // namespace verb::sim
