#pragma once
// The options of `lissom sim`.
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lissom/sim/controller.h"
#include "lissom/sim/integrator.h"
#include "lissom/sim/system.h"
#include "model_arguments.h"
#include "restart.h"
#include "view_arguments.h"

namespace verb::sim {

struct Options {
  ModelArguments model;
  ViewArguments page;
  std::string q, v, posture, gravity, record, record_frames, record_ros = "all", restart;
  double move_seconds = 0;
  std::string integrator, attitude = "exponential", controller = "none";
  std::vector<std::string> pushes;
  std::optional<unsigned long long> random;
  std::optional<double> max_size;
  lissom::sim::IntegratorOptions method;
  lissom::sim::SystemOptions system;
  lissom::sim::Gains gains;
  double seconds = 1, step = 1e-3, tolerance = 1e-6;
  int every = 1;
  bool ground = false;   // --ground: in a world, on the ground
  double friction = .8;  // of the ground
  bool no_passive_forces = false, no_effort_limits = false, json = false, quiet = false, list = false;
  std::set<std::string> given;  // names of the options on the command line
  ReferenceMotion motion;       // of a controller that follows one; otherwise empty vectors
  bool integrator_chosen = false;
};

void add_options(CLI::App& verb, Options& options);
// The names of the options on the command line.
std::set<std::string> given(const CLI::App& verb);
// Throws an Error, "NAME why", if one of these options was given.
void refuse(const Options& options, std::initializer_list<const char*> names, const std::string& why);
// Refuses options that would change nothing, because what they belong to was not asked for.
void refuse_without_effect(const Options& options);
// The options that determine the motion, as stored in the recording.
nlohmann::json settings(const Options& options);
// Options that were not given are those of the recorded run. The integrator is chosen anew if it was chosen then, and
// anything that it depends on was given.
void adopt(Options& options, const Restart& restart);

}  // namespace verb::sim
