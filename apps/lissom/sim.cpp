// lissom sim FILE: simulates a robot without contacts, reports energy and momentum, and writes a recording on request.
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "interrupt.h"
#include "lissom/api/state.h"
#include "lissom/math/minimum_jerk.h"
#include "lissom/recording/read.h"
#include "lissom/sim/simulation.h"
#include "model_arguments.h"
#include "number_checks.h"
#include "numbers.h"
#include "progress.h"
#include "recorded_extras.h"
#include "sim_recording.h"
#include "state_arguments.h"
#include "verbs.h"

namespace verb::sim {
namespace {

namespace sim = lissom::sim;
namespace recording = lissom::recording;
using lissom::Error;
using lissom::Model;
using nlohmann::json;

struct Options {
  ModelArguments model;
  std::string q, v, posture, gravity, record, record_frames, restart;
  double move_seconds = 0;
  std::string integrator = "rk4", attitude = "exponential", controller = "none";
  std::vector<std::string> pushes;
  std::optional<unsigned long long> random;
  std::optional<double> max_size;
  sim::IntegratorOptions method;
  sim::SystemOptions system;
  sim::Gains gains;
  double seconds = 1, step = 1e-3, tolerance = 1e-6;
  int every = 1;
  bool no_passive_forces = false, no_effort_limits = false, json = false, quiet = false, list = false;
};

// The options that determine the motion, as stored in the recording.
json settings(const Options& o) {
  return {{"integrator", o.integrator},
          {"step", o.step},
          {"seconds", o.seconds},
          {"attitude", o.attitude},
          {"frozen", o.method.frozen},
          {"tolerance", o.tolerance},
          {"min_step", o.method.min_step},
          {"controller", o.controller},
          {"stiffness", o.gains.stiffness},
          {"damping", o.gains.damping},
          {"posture", o.posture},
          {"move_seconds", o.move_seconds},
          {"loops", o.model.options.loops_file},
          {"gravity", o.gravity},
          {"pushes", o.pushes},
          {"passive_forces", !o.no_passive_forces},
          {"effort_limits", !o.no_effort_limits},
          {"friction_speed", o.system.friction_speed},
          {"every", o.every}};
}

// Minimum-jerk trajectory from `begin` to `end` in `seconds`, at rest at both ends; afterwards it stays at `end`.
sim::Trajectory reach(const Model& model, const Eigen::VectorXd& begin, const Eigen::VectorXd& end, double start,
                      double seconds) {
  const Eigen::VectorXd displacement = difference(model, begin, end);
  return [=](double t, sim::Reference& reference) {
    const auto rise = lissom::minimum_jerk(t - start, seconds);
    integrate(model, begin, displacement, rise.s, reference.q);
    reference.v = rise.rate * displacement;
    reference.a = rise.acceleration * displacement;
  };
}

std::unique_ptr<sim::Controller> controller(const Options& o, const Model& model, const sim::Trajectory& trajectory) {
  if (o.controller == "pd") return sim::pd(model, trajectory, o.gains, true);
  if (o.controller == "computed_torque") return sim::computed_torque(model, trajectory, o.gains);
  if (o.controller == "gravity") return sim::gravity_compensation(model);
  return nullptr;
}

// Returns the initial state: from a recording, or as given; by default a random configuration or neutral, at rest.
sim::State beginning(const Options& o, const Model& model) {
  sim::State x{0, neutral(model), Eigen::VectorXd::Zero(model.nv()), 0};
  if (!o.restart.empty()) {
    // FILE or FILE:FRAME; without FRAME, the last one.
    std::string file = o.restart;
    std::optional<long> frame;
    if (const auto colon = file.rfind(':'); colon != std::string::npos && colon + 1 < file.size() &&
                                            file.find_first_not_of("0123456789", colon + 1) == std::string::npos) {
      frame = std::stol(file.substr(colon + 1));
      file.resize(colon);
    }
    const auto recorded = recording::read_recording(file);
    if (recorded.frames() == 0) throw Error("--restart '" + file + "': the recording has no frames");
    const auto i = frame ? std::size_t(*frame) : recorded.frames() - 1;
    if (i >= recorded.frames())
      throw Error(fmt::format("--restart '{}': no frame {}; frames: 0 … {}", file, i, recorded.frames() - 1));
    const auto take = [&](const char* name, Eigen::VectorXd& to) {
      const auto row = recorded.row(recorded.signal(name), i);
      if (long(row.size()) != to.size())
        throw Error(fmt::format("--restart '{}': {} has {} elements, expected {} for this model", file, name,
                                row.size(), to.size()));
      to = Eigen::Map<const Eigen::VectorXd>(row.data(), long(row.size()));
    };
    take("q", x.q);
    take("v", x.v);
    x.t = recorded.times[i];
    x.next_step = recorded.row(recorded.signal("integrator"), i)[0];
    return x;
  }
  if (o.random) x.q = random_configuration(model, *o.random);
  if (!o.q.empty()) x.q = configuration_of(model, "--q", o.q);
  if (!o.v.empty()) x.v = velocity_of(model, "--v", o.v);
  return x;
}

json to_json(const Options& o, const sim::State& x, const sim::Report& r, std::uint64_t frames,
             const std::string& error) {
  const auto list = [](const auto& v) { return std::vector<double>(v.begin(), v.end()); };
  json result{
      {"robot", o.model.file},
      {"settings", settings(o)},
      {"seconds", r.seconds},
      {"steps", r.steps},
      {"wall_seconds", r.wall_seconds},
      {"energy",
       {{"before", r.energy_before}, {"after", r.energy_after}, {"lowest", r.min_energy}, {"highest", r.max_energy}}},
      {"motor_work", r.motor_work},
      {"momentum", {{"before", list(r.momentum_before)}, {"after", list(r.momentum_after)}}},
      {"max_gap", r.max_gap},
      {"max_speed", r.max_speed},
      {"largest_speed", r.max_speed},  // the former name, for existing scripts
      {"beyond_limits", r.beyond_limits},
      {"t", x.t},
      {"q", list(x.q)},
      {"v", list(x.v)}};
  if (!o.record.empty()) result["recording"] = {{"file", o.record}, {"frames", frames}};
  result["interrupted"] = r.stopped;
  if (!error.empty()) result["error"] = error;
  return result;
}

void print(const Options& o, const sim::State& x, const sim::Report& r, std::uint64_t frames) {
  std::cout << fmt::format("{:g} s of motion in {} steps of {} ({:.3g} s to compute, {:.3g} times real time)\n",
                           r.seconds, r.steps, o.integrator, r.wall_seconds,
                           r.wall_seconds > 0 ? r.seconds / r.wall_seconds : 0);
  std::cout << fmt::format("energy     {:.9g} J → {:.9g} J ({:+.3g}), between {:.9g} and {:.9g}\n", r.energy_before,
                           r.energy_after, r.energy_after - r.energy_before, r.min_energy, r.max_energy);
  if (o.controller != "none") std::cout << fmt::format("motors     {:+.6g} J of work\n", r.motor_work);
  const auto momentum = [&](const char* name, int at, const char* unit) {
    std::cout << fmt::format("{:10} ({:.6g}, {:.6g}, {:.6g}) → ({:.6g}, {:.6g}, {:.6g}) {}\n", name,
                             r.momentum_before[at], r.momentum_before[at + 1], r.momentum_before[at + 2],
                             r.momentum_after[at], r.momentum_after[at + 1], r.momentum_after[at + 2], unit);
  };
  momentum("momentum", 0, "kg·m/s");
  momentum("angular", 3, "kg·m²/s, about the center of mass");
  if (!o.model.options.loops_file.empty())
    std::cout << fmt::format("loops      error at most {:.1e} (m, or 1 for directions)\n", r.max_gap);
  if (!r.beyond_limits.empty())
    std::cout << fmt::format(
        "limits     {} outside at some time (the simulation does not enforce joint limits): {}\n",
        r.beyond_limits.size() == 1 ? "1 joint" : std::to_string(r.beyond_limits.size()) + " joints",
        fmt::join(r.beyond_limits, ", "));
  std::cout << fmt::format("ends at    t = {:g} s{}\n", x.t, r.stopped ? ", interrupted" : "");
  if (!o.record.empty()) std::cout << fmt::format("recorded   {} frames in {}\n", frames, o.record);
}

void list_integrators(bool as_json) {
  if (as_json) {
    json all = json::array();
    for (const auto& info : sim::integrators())
      all.push_back({{"name", info.name}, {"order", info.order}, {"description", info.description}});
    std::cout << all.dump(2) << "\n";
    return;
  }
  for (const auto& info : sim::integrators())
    std::cout << fmt::format("{:20} order {}   {}\n", info.name, info.order, info.description);
}

std::vector<sim::Push> pushes_of(const Options& o, const Model& model) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<sim::Push> pushes;
  for (const auto& text : o.pushes) pushes.push_back(push_of(model, text, {-infinity, infinity}));
  return pushes;
}

SimRecordingOptions recorded(const Options& o, const Model& model, const sim::Trajectory& trajectory) {
  const bool follows = o.controller == "pd" || o.controller == "computed_torque";
  return {.path = o.record,
          .settings = settings(o).dump(),
          .frames = o.record_frames,
          .pushes = pushes_of(o, model),
          .reference = follows ? trajectory : sim::Trajectory(),
          .frame_count = o.seconds / o.step / o.every + 1,
          .max_gigabytes = o.max_size};
}

sim::System make_system(Options& o, Model& model) {
  if (!o.gravity.empty()) model = model.with_gravity(vec3_of("--gravity", o.gravity));
  o.system.passive_forces = !o.no_passive_forces;
  o.system.effort_limits = !o.no_effort_limits;
  sim::System system(model, o.system);
  for (const auto& push : pushes_of(o, model)) system.add(push);
  return system;
}

void close_loops(const Model& model, sim::System& system, sim::State& x) {
  try {
    system.loops()->assemble(model, system.work(), x.q);
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + "; --random 1 or --q starts elsewhere");
  }
  system.loops()->project_velocity(model, system.work(), x.q, x.v);
}

int run(Options& o) {
  if (o.list) {
    list_integrators(o.json);
    return 0;
  }
  o.method.attitude = o.attitude == "exponential"  ? sim::Attitude::exponential
                      : o.attitude == "quaternion" ? sim::Attitude::quaternion
                                                   : sim::Attitude::chart;
  o.method.chart = o.attitude;
  o.method.relative_tolerance = o.tolerance;
  o.method.absolute_tolerance = o.tolerance * 1e-3;
  o.model.check_recording(o.record);
  Model model = o.model.load();
  auto system = make_system(o, model);
  sim::State x = beginning(o, model);
  const Eigen::VectorXd posture = o.posture.empty() ? x.q : configuration_of(model, "--posture", o.posture);
  const auto trajectory = reach(model, x.q, posture, x.t, o.move_seconds);
  if (auto c = controller(o, model, trajectory)) system.control(std::move(c));
  if (system.loops() && o.restart.empty()) close_loops(model, system, x);
  const auto method = sim::integrator(model, o.integrator, o.method);

  std::optional<SimRecording> recorder;
  if (!o.record.empty()) recorder.emplace(recorded(o, model, trajectory), model);
  sim::RunOptions options;
  options.seconds = o.seconds, options.step = o.step, options.every = o.every;
  if (recorder) options.observer = [&](const sim::Reading& r) { recorder->write(r); };
  end_on_request();
  options.stop = interrupted;
  Progress progress(o.quiet);
  options.progress = [&](double done, const sim::State& at) { progress.show(done, fmt::format("t = {:.3f} s", at.t)); };
  sim::Report report;
  std::string error;
  try {
    sim::run(system, *method, x, options, report);
  } catch (const Error& e) {
    error = e.what();
  }
  try {
    if (recorder) recorder->close();
  } catch (const Error& e) {
    if (error.empty()) error = e.what();
  }
  progress.clear();
  const auto frames = recorder ? recorder->frames() : 0;
  if (o.json)
    std::cout << to_json(o, x, report, frames, error).dump(2) << "\n";
  else
    print(o, x, report, frames);
  if (!error.empty()) std::cerr << "lissom: " << error << "\n";
  return !error.empty() ? 1 : report.stopped ? interrupted_code : 0;
}

void add_controller(CLI::App& verb, Options& o) {
  take_one_of(
      verb.add_option(
          "--controller", o.controller,
          "the controller: none (default); pd (with gravity compensation); computed_torque; gravity (compensation "
          "only)"),
      {"none", "pd", "computed_torque", "gravity"});
  verb.add_option("--stiffness", o.gains.stiffness,
                  "stiffness of the controller: N m/rad and N/m for pd, 1/s² for computed_torque (default: 100)")
      ->check(number_check::non_negative());
  verb.add_option("--damping", o.gains.damping,
                  "damping of the controller: N m s/rad and N s/m for pd, 1/s for computed_torque (default: 10)")
      ->check(number_check::non_negative());
  verb.add_option("--posture", o.posture,
                  "configuration that the controller moves to and holds (default: the initial one), written as --q");
  verb.add_option("--move-seconds", o.move_seconds,
                  "duration of the motion to --posture in seconds (default: 0, at once)")
      ->check(number_check::non_negative());
}

void add_recording(CLI::App& verb, Options& o) {
  verb.add_option("--record", o.record, "write a recording to this file: .mcap, .npz or .csv");
  verb.add_option("--every", o.every, "steps per frame of the recording (default: 1)")
      ->check(number_check::whole(1, 1000000000));
  verb.add_option("--record-frames", o.record_frames, record_frames_help);
  verb.add_option("--max-size", o.max_size,
                  "GB that the recording may take (default: 4, or what the disk has left if that is less)")
      ->check(number_check::positive());
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb = app.add_subcommand("sim", "simulate a robot without contacts");
  const auto o = std::make_shared<Options>();
  o->model.add_to(*verb);
  verb->get_option("FILE")->required(false);
  verb->add_option("--seconds", o->seconds, "duration in seconds (default: 1)")->check(number_check::non_negative());
  verb->add_option("--step", o->step, "time step in seconds (default: 1e-3)")->check(number_check::positive());
  verb->add_option("--integrator", o->integrator, "rk4 (default); --list-integrators lists all");
  verb->add_option(
      "--attitude", o->attitude,
      "how orientations are integrated: exponential (map, default), quaternion (derivative), or in a chart, e.g. "
      "euler-zyx");
  verb->add_option("--tolerance", o->tolerance,
                   "relative tolerance of dopri5 (default: 1e-6); the absolute one is 1e-3 times this")
      ->check(number_check::positive());
  verb->add_option("--min-step", o->method.min_step,
                   "smallest step of dopri5 in seconds, accepted whatever its error (default: 0)")
      ->check(number_check::non_negative());
  verb->add_flag("--frozen", o->method.frozen, "evaluate controller and forces once per step, not at every stage");
  add_controller(*verb, *o);
  verb->add_option(
      "--q", o->q,
      "initial configuration (default: neutral, zero or the nearest value within limits): " + configuration_syntax);
  verb->add_option("--v", o->v, "initial velocity (default: zero): all elements of v, JOINT=VALUE,… or @FILE (JSON)");
  verb->add_option("--random", o->random, "start at a random configuration with this seed")
      ->check(number_check::seed());
  verb->add_option("--loops", o->model.options.loops_file, "file (JSON) with closed loops, couplings and springs");
  verb->add_option("--gravity", o->gravity, "x,y,z in m/s² (default: 0,0,-9.81, or as in the --loops file)");
  verb->add_option(
      "--push", o->pushes,
      "external force at a frame's origin: " + push_syntax + " (default: the whole time); may be repeated");
  verb->add_flag("--no-passive-forces", o->no_passive_forces, "without springs, damping and friction of joints");
  verb->add_flag("--no-joint-forces", o->no_passive_forces)->group("");  // its former name, hidden
  verb->add_flag("--no-effort-limits", o->no_effort_limits, "without limits of motor torques and forces");
  verb->add_option("--friction-speed", o->system.friction_speed,
                   "speed below which dry friction sticks, rad/s or m/s (default: 1e-3)")
      ->check(number_check::positive());
  add_recording(*verb, *o);
  verb->add_option("--restart", o->restart, "start from the last frame of a recording, FILE, or from FILE:FRAME");
  verb->add_flag("--json", o->json, "print JSON");
  verb->add_flag("--quiet", o->quiet, "show no progress");
  verb->add_flag("--list-integrators", o->list, "list the integrators with their orders");
  verb->footer(
      "Ctrl-C and SIGTERM end the run after the current step, with its report and a closed recording.\n"
      "Exit code: 0 success, 1 the motion could not be computed to its end, 2 wrong usage or input, 130 interrupted.");
  verb->callback([o, &exit_code] {
    if (!o->list && o->model.file.empty()) throw CLI::RequiredError("FILE");
    exit_code = run(*o);
  });
}

}  // namespace verb::sim
