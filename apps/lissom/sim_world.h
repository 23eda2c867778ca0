#pragma once
// `lissom sim` of worlds: a robot on the ground (--ground), or a scene (a JSON file).
#include "lissom/scenes/scene.h"
#include "sim_options.h"

namespace verb::sim {

// Whether the options ask for a world.
bool is_world(const Options& o);
int run_world(Options& o);

// The scene that the options ask for: that of a file, or the robot on the ground. Sets the step, the duration and the
// reference motion. Throws Error if an option is given that does not apply.
lissom::scenes::Scene scene_of(Options& o);
// What of the options determines the motion, as stored in the recording.
nlohmann::json world_settings(const Options& o, const lissom::scenes::Scene& scene);

}  // namespace verb::sim
