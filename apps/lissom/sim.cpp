// lissom sim FILE: simulates a robot without contacts, reports energy and momentum, and writes a recording on request.
#include <algorithm>
#include <array>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lissom/api/state.h"
#include "lissom/io/json_place.h"
#include "lissom/math/minimum_jerk.h"
#include "lissom/recording/header.h"
#include "lissom/recording/recorder.h"
#include "lissom/sim/simulation.h"
#include "loop_report.h"
#include "model_arguments.h"
#include "numbers.h"
#include "output.h"
#include "restart.h"
#include "sim_report.h"
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
  std::string q, v, posture, gravity, record, restart;
  double move_seconds = 0;
  std::string integrator, attitude = "exponential", controller = "none";
  std::vector<std::string> pushes;
  std::optional<unsigned long long> random;
  sim::IntegratorOptions method;
  sim::SystemOptions system;
  sim::Gains gains;
  double seconds = 1, step = 1e-3, tolerance = 1e-6;
  int every = 1;
  bool no_passive_forces = false, no_effort_limits = false, json = false, quiet = false, list = false;
  std::set<std::string> given;  // names of the options on the command line
  ReferenceMotion motion;       // of a controller that follows one; otherwise empty vectors
  bool integrator_chosen = false;
};

// The options that determine the motion, as stored in the recording.
json settings(const Options& o) {
  json all{{"integrator", o.integrator},
           {"integrator_chosen", o.integrator_chosen},
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
  if (o.motion.from.size() > 0) all["motion"] = to_json(o.motion);
  return all;
}

// Options that were not given are those of the recorded run. The integrator is chosen anew if it was chosen then, and
// anything that it depends on was given.
void adopt(Options& o, const Restart& restart) {
  const auto& kept = restart.settings();
  const auto missing = [&](const char* option, const char* key) {
    return !o.given.contains(option) && kept.contains(key);
  };
  const auto number = [&](const char* option, const char* key, double& value) {
    if (missing(option, key) && kept[key].is_number()) value = kept[key].get<double>();
  };
  const auto text = [&](const char* option, const char* key, std::string& value) {
    if (missing(option, key) && kept[key].is_string()) value = kept[key].get<std::string>();
  };
  const auto flag = [&](const char* option, const char* key, bool when, bool& value) {
    if (missing(option, key) && kept[key].is_boolean()) value = kept[key].get<bool>() == when;
  };
  const auto is_given = [&](const char* option) { return o.given.contains(option); };
  const bool same = std::ranges::none_of(
      std::array{"--controller", "--stiffness", "--damping", "--step", "--friction-speed", "--no-passive-forces"},
      is_given);
  const bool chosen = kept.value("integrator_chosen", json(false)) == true;
  if (same || !chosen) text("--integrator", "integrator", o.integrator);
  o.integrator_chosen = chosen && !o.given.contains("--integrator");
  number("--step", "step", o.step);
  text("--attitude", "attitude", o.attitude);
  flag("--frozen", "frozen", true, o.method.frozen);
  number("--tolerance", "tolerance", o.tolerance);
  number("--min-step", "min_step", o.method.min_step);
  text("--controller", "controller", o.controller);
  number("--stiffness", "stiffness", o.gains.stiffness);
  number("--damping", "damping", o.gains.damping);
  number("--move-seconds", "move_seconds", o.move_seconds);
  text("--loops", "loops", o.model.options.loops_file);
  text("--gravity", "gravity", o.gravity);
  flag("--no-passive-forces", "passive_forces", false, o.no_passive_forces);
  flag("--no-effort-limits", "effort_limits", false, o.no_effort_limits);
  number("--friction-speed", "friction_speed", o.system.friction_speed);
  if (missing("--push", "pushes") && kept["pushes"].is_array())
    for (const auto& push : kept["pushes"])
      if (push.is_string()) o.pushes.push_back(push.get<std::string>());
  if (!o.given.contains("--base")) o.model.options.base = restart.header().base;
  if (!o.given.contains("--mimic")) o.model.options.mimic = restart.header().mimic;
}

// Reads "FX,FY,FZ@FRAME" or "FX,FY,FZ@FRAME@FROM:UNTIL": a force in N along the world's axes, at the frame's origin.
sim::Push push(const Model& model, const std::string& text) {
  const auto given = push_text(text, "FX,FY,FZ@FRAME or FX,FY,FZ@FRAME@FROM:UNTIL");
  const auto force = vec3_of("--push", given.force);
  const auto frame = model.frame(given.frame);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto interval = given.interval.value_or(PushText::Interval{-infinity, infinity});
  return sim::push_at(frame, force, interval.from, interval.until);
}

// Minimum-jerk trajectory, at rest at both ends; afterwards it stays at the second one.
sim::Trajectory reach(const Model& model, const ReferenceMotion& motion) {
  const Eigen::VectorXd displacement = difference(model, motion.from, motion.to);
  return [=](double t, sim::Reference& reference) {
    const auto rise = lissom::minimum_jerk(t - motion.start, motion.seconds);
    integrate(model, motion.from, displacement, rise.s, reference.q);
    reference.v = rise.rate * displacement;
    reference.a = rise.acceleration * displacement;
  };
}

// Reads a configuration: numbers, or @FILE with the key "q" in JSON, as `lissom ik --json` and `lissom sim --json`
// write.
Eigen::VectorXd configuration(const Model& model, const char* option, const std::string& text) {
  if (text.empty() || text[0] != '@') return normalize(model, vector_of(option, text, model.nq()));
  const auto path = text.substr(1);
  std::vector<double> q;
  try {
    const auto content = lissom::read_json(path);
    q = lissom::JsonPlace{content, path, ""}["q"].numbers();
  } catch (const Error& error) {
    throw Error(
        fmt::format("{} @{}; expected a JSON file with \"q\", a list of {} numbers", option, error.what(), model.nq()));
  }
  if (int(q.size()) != model.nq())
    throw Error(fmt::format("{} {}: \"q\" has {} numbers, expected {}", option, text, q.size(), model.nq()));
  return normalize(model, Eigen::Map<const Eigen::VectorXd>(q.data(), model.nq()));
}

std::unique_ptr<sim::Controller> controller(const Options& o, const Model& model) {
  if (o.controller == "pd") return sim::pd(model, reach(model, o.motion), o.gains, true);
  if (o.controller == "computed_torque") return sim::computed_torque(model, reach(model, o.motion), o.gains);
  if (o.controller == "gravity") return sim::gravity_compensation(model);
  if (o.controller == "none") return nullptr;
  throw Error("--controller '" + o.controller + "': expected none, pd, computed_torque or gravity");
}

// Returns the initial state as given; by default a random configuration or neutral, at rest.
sim::State beginning(const Options& o, sim::System& system) {
  const auto& model = system.model();
  sim::State x{0, neutral(model), Eigen::VectorXd::Zero(model.nv()), 0};
  if (o.random) x.q = random_configuration(model, *o.random);
  if (!o.q.empty()) x.q = configuration(model, "--q", o.q);
  if (!o.v.empty()) x.v = vector_of("--v", o.v, model.nv());
  if (system.loops()) {
    if (system.loops()->assemble(model, system.work(), x.q) > 0)
      std::cerr << "lissom: the loops cannot be closed from the initial q itself (a linkage that is drawn straight has "
                   "no direction in which to bend); they were closed from a random configuration nearby. Give another "
                   "one with --q to choose the branch\n";
    system.loops()->project_velocity(model, system.work(), x.q, x.v);
  }
  return x;
}

// The motion that the controller follows: the recorded one goes on unless another one is asked for.
ReferenceMotion reference_motion(const Options& o, const Model& model, const sim::State& x,
                                 const std::optional<Restart>& restart) {
  if (o.controller != "pd" && o.controller != "computed_torque") return {};
  const auto kept = restart ? restart->motion(model) : ReferenceMotion{};
  const Eigen::VectorXd to = !o.posture.empty()   ? configuration(model, "--posture", o.posture)
                             : kept.to.size() > 0 ? kept.to
                                                  : x.q;
  if (kept.to.size() > 0 && kept.to == to && (!o.given.contains("--move-seconds") || kept.seconds == o.move_seconds))
    return kept;
  return {x.q, to, x.t, o.move_seconds};
}

std::vector<recording::Signal> signals(sim::System& system) {
  const auto& model = system.model();
  auto tau = recording::velocity_columns(model);
  for (auto& column : tau) column.unit = column.unit == "m/s" ? "N" : "N·m";
  std::vector<recording::Signal> all{{"q", recording::configuration_columns(model)},
                                     {"v", recording::velocity_columns(model)},
                                     {"tau", std::move(tau)},
                                     {"energy", {{"kinetic", "J"}, {"potential", "J"}, {"total", "J"}}},
                                     {"momentum",
                                      {{"linear.x", "kg·m/s"},
                                       {"linear.y", "kg·m/s"},
                                       {"linear.z", "kg·m/s"},
                                       {"angular.x", "kg·m²/s"},
                                       {"angular.y", "kg·m²/s"},
                                       {"angular.z", "kg·m²/s"}}},
                                     {"integrator", {{"next_step", "s"}, {"gap", "1"}}}};
  if (system.loops()) all.push_back(loop_signal(system.loops()->rows()));
  return all;
}

// The robot of a recording is taken from there: its file may have changed since, or be gone.
recording::Header header(const Options& o, const Model& model, const std::optional<Restart>& restart) {
  if (!restart || !o.model.file.empty()) return recording::describe(model, settings(o).dump());
  auto kept = restart->header();
  kept.settings = settings(o).dump();
  kept.gravity = {model.gravity().x, model.gravity().y, model.gravity().z};
  kept.lissom_version = recording::Header::version();
  return kept;
}

void list_integrators(bool as_json) {
  if (as_json) {
    json all = json::array();
    for (const auto& info : sim::integrators())
      all.push_back({{"name", info.name}, {"order", info.order}, {"description", info.description}});
    print_json(all);
    return;
  }
  for (const auto& info : sim::integrators())
    std::cout << fmt::format("{:20} order {}   {}\n", info.name, info.order, info.description);
}

void show_progress(double done, const sim::State& x) {
  const int width = 30, filled = int(done * width);
  std::cerr << fmt::format("\r[{}{}] {:3.0f} %  t = {:.3f} s ", std::string(std::size_t(filled), '#'),
                           std::string(std::size_t(width - filled), '.'), 100 * done, x.t);
  if (done >= 1) std::cerr << "\r" << std::string(60, ' ') << "\r";
  std::cerr.flush();
}

sim::System make_system(Options& o, Model& model) {
  if (!o.gravity.empty()) model = model.with_gravity(vec3_of("--gravity", o.gravity));
  o.system.passive_forces = !o.no_passive_forces;
  o.system.effort_limits = !o.no_effort_limits;
  sim::System system(model, o.system);
  for (const auto& text : o.pushes) system.add(push(model, text));
  return system;
}

// The integrator that was asked for, or the one that fits.
std::unique_ptr<sim::Integrator> integrator(Options& o, sim::System& system, const sim::State& x) {
  o.method.attitude = o.attitude == "exponential"  ? sim::Attitude::exponential
                      : o.attitude == "quaternion" ? sim::Attitude::quaternion
                                                   : sim::Attitude::chart;
  o.method.chart = o.attitude;
  o.method.relative_tolerance = o.tolerance;
  o.method.absolute_tolerance = o.tolerance * 1e-3;
  auto method = o.integrator.empty() ? sim::fitting_integrator(system, x, o.step, o.method)
                                     : sim::integrator(system.model(), o.integrator, o.method);
  o.integrator_chosen = o.integrator_chosen || o.integrator.empty();
  o.integrator = method->info().name;
  return method;
}

int run(Options& o) {
  if (o.list) {
    list_integrators(o.json);
    return 0;
  }
  std::optional<Restart> restart;
  if (!o.restart.empty()) restart.emplace(o.restart);
  if (restart) adopt(o, *restart);
  sim::RunOptions options;
  options.seconds = o.seconds, options.step = o.step, options.every = o.every;
  sim::check(options);
  Model model = o.model.file.empty() && restart ? restart->model(o.model.options.loops_file) : o.model.load();
  auto system = make_system(o, model);
  sim::State x = restart ? restart->state(model) : beginning(o, system);
  o.motion = reference_motion(o, model, x, restart);
  if (o.motion.from.size() > 0) o.move_seconds = o.motion.seconds;
  if (auto c = controller(o, model)) system.control(std::move(c));
  const auto method = integrator(o, system, x);

  std::optional<recording::Recorder> recorder;
  if (!o.record.empty()) recorder.emplace(o.record, header(o, model, restart), signals(system));
  if (recorder)
    options.observer = [&](const sim::Reading& r) {
      const double energies[] = {r.kinetic, r.potential, r.kinetic + r.potential};
      const double integrator[] = {r.state.next_step, r.gap};
      const recording::Row rows[] = {
          r.state.q, r.state.v, r.tau, std::span(energies), r.momentum, std::span(integrator), r.loop_forces};
      recorder->write(r.state.t, std::span(rows).first(system.loops() ? 7 : 6));
    };
  if (!o.quiet && !o.json && isatty(STDERR_FILENO)) options.progress = show_progress;
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
  const ReportContext context{.robot = o.model.file.empty() ? restart->header().robot_file : o.model.file,
                              .settings = settings(o),
                              .recording = o.record,
                              .frames = recorder ? recorder->safe_frames() : 0,
                              .error = error};
  if (o.json)
    print_json(to_json(context, x, report));
  else
    print(context, x, report);
  for (const auto& warning : report.warnings) complain("warning: " + warning);
  if (!error.empty()) complain(error);
  return error.empty() ? 0 : 1;
}

// The names of the options on the command line.
std::set<std::string> given(const CLI::App& verb) {
  std::set<std::string> names;
  for (const auto* option : verb.get_options())
    if (option->count() > 0) names.insert(option->get_name());
  if (names.contains("--no-joint-forces")) names.insert("--no-passive-forces");
  return names;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb = app.add_subcommand("sim", "simulate a robot without contacts");
  const auto o = std::make_shared<Options>();
  o->model.add_to(*verb);
  verb->get_option("FILE")->required(false);
  verb->add_option("--seconds", o->seconds, "duration in seconds (default: 1)");
  verb->add_option("--step", o->step, "time step in seconds (default: 1e-3)");
  verb->add_option(
      "--integrator", o->integrator,
      "default: the one that fits, rk4, or implicit_joints for stiff gains and dampers; --list-integrators lists all");
  verb->add_option(
      "--attitude", o->attitude,
      "how orientations are integrated: exponential (map, default), quaternion (derivative), or in a chart, e.g. "
      "euler-zyx");
  verb->add_option("--tolerance", o->tolerance,
                   "relative tolerance of dopri5 (default: 1e-6); the absolute one is 1e-3 times this");
  verb->add_option("--min-step", o->method.min_step,
                   "smallest step of dopri5 in seconds, accepted whatever its error (default: 0)")
      ->check(CLI::NonNegativeNumber);
  verb->add_flag("--frozen", o->method.frozen, "evaluate controller and forces once per step, not at every stage");
  verb->add_option("--controller", o->controller, "none (default), pd, computed_torque, gravity");
  verb->add_option("--stiffness", o->gains.stiffness, "stiffness of the controller (default: 100)");
  verb->add_option("--damping", o->gains.damping, "damping of the controller (default: 10)");
  verb->add_option(
      "--posture", o->posture,
      "configuration that the controller moves to and holds: numbers, or @FILE with q in JSON (default: the initial "
      "one)");
  verb->add_option("--move-seconds", o->move_seconds,
                   "duration of the motion to --posture in seconds (default: 0, at once)")
      ->check(CLI::NonNegativeNumber);
  verb->add_option(
      "--q", o->q,
      "initial configuration: numbers or @FILE (default: neutral, zero or the nearest value within limits)");
  verb->add_option("--v", o->v, "initial velocity (default: zero)");
  verb->add_option("--random", o->random, "start at a random configuration with this seed")->check(whole_number);
  verb->add_option("--loops", o->model.options.loops_file, "file (JSON) with closed loops, couplings and springs");
  verb->add_option("--gravity", o->gravity, "x,y,z in m/s² (default: 0,0,-9.81, or as in the --loops file)");
  verb->add_option(
      "--push", o->pushes,
      "FX,FY,FZ@FRAME[@FROM:UNTIL]: external force in N, world axes, at a frame's origin; may be repeated");
  verb->add_flag("--no-passive-forces", o->no_passive_forces, "without springs, damping and friction of joints");
  verb->add_flag("--no-joint-forces", o->no_passive_forces)->group("");  // its former name, hidden
  verb->add_flag("--no-effort-limits", o->no_effort_limits, "without limits of motor torques and forces");
  verb->add_option("--friction-speed", o->system.friction_speed,
                   "speed below which dry friction sticks, rad/s or m/s (default: 1e-3)");
  verb->add_option("--record", o->record, "write a recording to this file: .mcap, .npz or .csv");
  verb->add_option("--every", o->every, "steps per frame of the recording (default: 1)");
  verb->add_option("--restart", o->restart,
                   "go on from the last frame of a recording, FILE, or from FILE:FRAME, with its robot and all options "
                   "that are not given, except --seconds");
  verb->add_flag("--json", o->json, "print JSON");
  verb->add_flag("--quiet", o->quiet, "show no progress bar");
  verb->add_flag("--list-integrators", o->list, "list the integrators with their orders");
  verb->callback([o, verb, &exit_code] {
    if (!o->list && o->model.file.empty() && o->restart.empty()) throw CLI::RequiredError("FILE");
    o->given = given(*verb);
    exit_code = run(*o);
  });
}

}  // namespace verb::sim
