// lissom bridge FILE: runs a controller in generalized coordinates while an engine in maximal coordinates (ODE, Bullet)
// simulates the robot, compares the motion with lissom's own simulation, and audits the energy of both.
#include "lissom/bridge/bridge.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "energy_report.h"
#include "interrupt.h"
#include "lissom/api/state.h"
#include "model_arguments.h"
#include "number_checks.h"
#include "output.h"
#include "progress.h"
#include "verbs.h"

namespace verb::bridge {
namespace {

using nlohmann::json;
namespace bridge = lissom::bridge;

struct Options {
  ModelArguments model;
  std::string engine = "ode", motion = "hold";
  double seconds = 5, step = 1e-3;
  int refinements = 3;
  bool json = false, quiet = false;
};

json to_json(const bridge::BridgeRun& r) {
  json row{{"step", r.step},           {"max_error", r.max_error},
           {"rms_error", r.rms_error}, {"worst_joint", r.worst_joint},
           {"joints_apart", r.drift},  {"wall_time", r.wall_time}};
  add_energy(r, row);
  return row;
}

void print_row(const bridge::BridgeRun& r) {
  std::cout << fmt::format("{:12g}{:16.2e}{:16.2e}{:16.1e}{:12.1f}  {}\n", 1e3 * r.step, r.max_error, r.rms_error,
                           r.drift, r.seconds / r.wall_time, r.worst_joint)
            << std::flush;
}

void print_energies(const std::vector<bridge::BridgeRun>& runs) {
  for (const auto& r : runs) {
    std::cout << fmt::format("\n{}, steps of {:g} ms\n", r.engine, 1e3 * r.step);
    print_energy(r, true);
  }
}

int run(const Options& options) {
  const auto model = options.model.load();
  if (model.nv() == 0)
    throw lissom::Error("'" + model.name() + "' has no degrees of freedom, nothing to control; try --base free");
  bridge::Tracking tracking;
  tracking.posture = neutral(model);
  Eigen::VectorXd q = tracking.posture;
  if (options.motion == "sine") tracking.amplitude = 0.3;
  // The robot starts away from the posture, so that the controller has an error to correct.
  if (options.motion == "hold")
    for (const auto& joint : model.joints())
      if (joint.nv == 1) q[joint.q_index] += 0.1;
  const auto controller = bridge::tracking_controller(model, tracking);

  std::vector<bridge::BridgeRun> runs;
  if (!options.json)
    std::cout << fmt::format(
        "{} in {}, {} for {:g} s: joint positions compared with lissom's own "
        "simulation\n\n{:>12}{:>16}{:>16}{:>16}{:>12}  {}\n",
        model.name(), options.engine, options.motion, options.seconds, "step, ms", "largest error", "rms error",
        "joint drift", "× real time", "worst joint");
  double step = options.step;
  Progress progress(options.quiet);
  end_on_request();
  bool stopped = false;
  for (int k = 0; k < options.refinements && !stopped; ++k, step /= 2) {
    const auto r =
        bridge::run(model, options.engine, *controller, q, Eigen::VectorXd::Zero(model.nv()), options.seconds, step,
                    [&](double done) {
                      progress.show((k + done) / options.refinements, fmt::format("steps of {:g} ms", 1e3 * step));
                      return !interrupted();
                    });
    progress.clear();
    stopped = r.stopped || (interrupted() && k + 1 < options.refinements);
    if (r.stopped) {
      complain(fmt::format("interrupted after {:g} of {:g} s with steps of {:g} ms", r.seconds, options.seconds,
                           1e3 * step));
      break;
    }
    if (!options.json) print_row(r);
    runs.push_back(r);
  }
  if (options.json) {
    json rows = json::array();
    for (const auto& r : runs) rows.push_back(to_json(r));
    print_json(json{{"robot", model.name()},
                    {"engine", options.engine},
                    {"motion", options.motion},
                    {"seconds", options.seconds},
                    {"interrupted", stopped},
                    {"runs", rows}});
  } else {
    print_energies(runs);
  }
  int code = 0;
  for (const auto& r : runs) code = std::max(code, complain_of_energy(r));
  return stopped ? interrupted_code : code;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb =
      app.add_subcommand("bridge",
                         "run a controller of generalized coordinates in an engine of maximal coordinates "
                         "(ODE, Bullet), and compare with lissom's own simulation");
  const auto options = std::make_shared<Options>();
  options->model.add_to(*verb);
  take_one_of(verb->add_option("--engine", options->engine, "the engine (default: ode)"), {"ode", "bullet"});
  take_one_of(
      verb->add_option(
          "--motion", options->motion,
          "the motion: hold (default), from a nearby configuration to the neutral one; sine, all joints follow a sine"),
      {"hold", "sine"});
  verb->add_option("--seconds", options->seconds, "duration of the motion in seconds (default: 5)")
      ->check(number_check::between(1e-3, 1e4));
  verb->add_option("--step", options->step, "time step of the engine in seconds (default: 0.001)")
      ->check(number_check::between(1e-6, 0.1));
  verb->add_option("--refinements", options->refinements,
                   "number of runs, each with half the time step of the one before (default: 3)")
      ->check(number_check::whole(1, 8));
  verb->add_flag("--json", options->json, "print JSON");
  verb->add_flag("--quiet", options->quiet, "show no progress");
  verb->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace verb::bridge
