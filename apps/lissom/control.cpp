// lissom control FILE: executes a motion with a whole-body controller, on a simulated robot that may be pushed and may
// differ from the controller's model.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "interrupt.h"
#include "lissom/api/state.h"
#include "lissom/control/run.h"
#include "lissom/model/limits.h"
#include "lissom/scenes/scene.h"
#include "live_view.h"
#include "model_arguments.h"
#include "motion_files.h"
#include "motion_recording.h"
#include "number_checks.h"
#include "output.h"
#include "progress.h"
#include "state_arguments.h"
#include "verbs.h"

namespace verb::control {
namespace {

namespace control = lissom::control;
namespace sim = lissom::sim;
using lissom::Error;
using lissom::Model;
using nlohmann::json;

struct Options {
  ModelArguments model;
  ViewArguments page;
  std::string motion = "stand", simulator = "contact", old_simulator, formulation = "reduced", record, record_frames,
              record_ros = "all";
  std::vector<std::string> pushes;
  std::string scene;
  sim::Imperfections imperfections;
  int substeps = 1;
  bool json = false, quiet = false, list = false;
};

json settings(const Options& o) {
  return {{"motion", o.motion},
          {"simulator", o.simulator},
          {"formulation", o.formulation},
          {"pushes", o.pushes},
          {"mass_error", o.imperfections.mass_error},
          {"delay", o.imperfections.delay},
          {"position_noise", o.imperfections.position_noise},
          {"velocity_noise", o.imperfections.velocity_noise},
          {"substeps", o.substeps},
          {"scene", o.scene},
          {"seed", o.imperfections.seed}};
}

json to_json(const Options& o, const control::MotionReport& r, std::uint64_t frames) {
  json contacts = json::array(), motors = json::array(), clearances = json::array(), transitions = json::array();
  for (const auto& c : r.contacts)
    contacts.push_back({{"name", c.name},
                        {"max_normal", c.max_normal},
                        {"friction_use", c.friction_use},
                        {"light_friction_use", c.light_friction_use},
                        {"planned_friction_use", c.planned_friction_use},
                        {"slip", c.slip},
                        {"loaded_slip", c.loaded_slip}});
  for (const auto& m : r.motors)
    motors.push_back(
        {{"joint", m.joint}, {"max_torque", m.max_torque}, {"limit", m.limit}, {"nearest_limit", m.nearest_limit}});
  for (const auto& t : r.transitions) transitions.push_back({{"t", t.time}, {"stage", t.stage}, {"phase", t.phase}});
  for (const auto& c : r.clearances)
    clearances.push_back({{"name", c.name}, {"min_distance", c.min_distance}, {"required", c.required}});
  json result{{"robot", o.model.file},
              {"settings", settings(o)},
              {"succeeded", r.succeeded},
              {"interrupted", r.stopped},
              {"failure", r.failure},
              {"seconds", r.seconds},
              {"ticks", r.ticks},
              {"elastic_ticks", r.elastic_ticks},
              {"failed_ticks", r.failed_ticks},
              {"tick_us", {{"median", r.tick_median}, {"p99", r.tick_p99}, {"max", r.tick_max}}},
              {"max_com_error", r.max_com_error},
              {"contacts", contacts},
              {"motors", motors},
              {"clearances", clearances},
              {"transitions", transitions}};
  if (!o.record.empty()) result["recording"] = {{"file", o.record}, {"frames", frames}};
  return result;
}

void print_stages(const control::MotionReport& r) {
  std::string stage;
  std::string line;
  for (const auto& t : r.transitions) {
    if (t.stage != stage) {
      if (!line.empty()) std::cout << line << "\n";
      line = fmt::format("  {:8.3f} s  {:32}", t.time, t.stage);
      stage = t.stage;
    }
    line += fmt::format(" {}", t.phase);
  }
  if (!line.empty()) std::cout << line << "\n";
}

void print(const Options& o, const control::MotionReport& r, std::uint64_t frames) {
  std::cout << fmt::format("{}, simulated with {}: {}\n", o.motion, o.simulator,
                           r.succeeded ? "succeeded"
                           : r.stopped ? "interrupted, " + r.failure
                                       : "failed: " + r.failure);
  print_stages(r);
  std::cout << fmt::format("{:.3f} s, {} ticks; {} of them elastic, {} without a solution\n", r.seconds, r.ticks,
                           r.elastic_ticks, r.failed_ticks);
  std::cout << fmt::format(
      "tick       {:.1f} µs median, {:.1f} p99, {:.1f} max, dynamics included (Bouyarmane and Kheddar 2012: 7000 µs)\n",
      r.tick_median, r.tick_p99, r.tick_max);
  std::cout << fmt::format("balance    center of mass at most {:.1f} mm from its target\n", 1e3 * r.max_com_error);
  for (const auto& c : r.contacts)
    std::cout << fmt::format(
        "contact    {:14} up to {:6.1f} N, {:3.0f} % of its friction cone, slipped {:.3f} mm under load, "
        "{:.3f} mm in all\n",
        c.name, c.max_normal, 100 * c.friction_use, 1e3 * c.loaded_slip, 1e3 * c.slip);
  for (const auto& c : r.clearances)
    if (std::isfinite(c.min_distance))
      std::cout << fmt::format("clearance  {:22} {:.1f} mm or more, {:.0f} mm required\n", c.name, 1e3 * c.min_distance,
                               1e3 * c.required);
  auto motors = r.motors;
  std::sort(motors.begin(), motors.end(),
            [](const auto& a, const auto& b) { return a.max_torque / a.limit > b.max_torque / b.limit; });
  for (std::size_t k = 0; k < std::min<std::size_t>(5, motors.size()); ++k)
    std::cout << fmt::format("torque     {:22} up to {:6.1f} of {:.0f} N·m ({:.0f} %)\n", motors[k].joint,
                             motors[k].max_torque, motors[k].limit, 100 * motors[k].max_torque / motors[k].limit);
  if (!o.record.empty()) std::cout << fmt::format("recorded   {} frames in {}\n", frames, o.record);
}

control::Formulation formulation(const std::string& name) {
  using control::Formulation;
  for (auto f : {Formulation::reduced, Formulation::multiplier, Formulation::projected, Formulation::oblique})
    if (name == to_string(f)) return f;
  throw Error("--formulation '" + name + "': expected reduced, multiplier, projected or oblique");
}

// Refuses old values of --plant, the former name of the option, which were called differently.
sim::Simulator simulator(Options& o) {
  if (o.old_simulator == "contact")
    o.simulator = o.old_simulator;
  else if (!o.old_simulator.empty())
    throw Error(
        "--plant is now --simulator: contact (which replaces 'held') or prescribed_acceleration ('integrated')");
  return sim::simulator_of(o.simulator);
}

// The ground is always there.
std::vector<sim::FixedShape> surroundings(const std::string& file) {
  std::vector<sim::FixedShape> all;
  if (file.empty()) return all;
  for (const auto& fixed : lissom::scenes::read_surroundings(file).fixed)
    all.push_back({fixed.name, fixed.shape, fixed.pose});
  return all;
}

int run(Options& o) {
  o.model.options.base = lissom::Base::free;
  o.model.options.find_meshes = o.page.view;
  const Model model = o.model.load();
  if (o.list) return list_motions(model, o.model.file, o.json);
  const auto motion = control::read_motion_plan(model, motion_file(model, o.model.file, o.motion));
  control::MotionOptions options;
  options.simulator = simulator(o);
  options.controller.formulation = formulation(o.formulation);
  for (const auto& text : o.pushes) o.imperfections.pushes.push_back(push_of(model, text, {1, 1.2}));
  options.robot.imperfections = o.imperfections;
  options.robot.substeps = o.substeps;
  options.robot.surroundings = surroundings(o.scene);
  std::optional<MotionRecording> record;
  if (!o.record.empty() || o.page.view)
    record.emplace(o.record, settings(o), model, motion, o.record_frames, o.imperfections.pushes,
                   RecordedRos{o.record_ros, o.model.options.package_paths});
  end_on_request();
  options.stop = interrupted;
  double now = 0;
  std::unique_ptr<LiveView> live;
  if (o.page.view) {
    live =
        std::make_unique<LiveView>(o.page, model, neutral(model),
                                   LiveView::Run{o.motion, record->signals(), record->settings(), options.robot.step});
    record->show([&](double time, auto rows) { live->write(time, rows); });
    options.robot.forces = live->pull();
    options.stop = [&] { return !live->wait(now); };
  }
  Progress progress(o.quiet);
  double seconds = 0;  // that the plan says; releasing, landing and settling take longer
  for (const auto& stage : motion.stages) seconds += stage.seconds + stage.hold;
  options.observer = [&](const control::MotionReading& r) {
    now = r.robot.time();
    if (record) record->write(r);
    if (const auto stage = r.runner.stage_index(); stage < motion.stages.size())
      progress.show(std::min(.99, r.robot.time() / seconds),
                    fmt::format("t = {:.1f} s, {}", r.robot.time(), motion.stages[stage].name));
  };
  const auto report = control::run(model, motion, options);
  progress.clear();
  const auto frames = record ? record->close() : 0;
  if (o.json)
    print_json(to_json(o, report, frames));
  else
    print(o, report, frames);
  if (live && live->pulled()) complain(pulled_note);
  if (live) live->finish(report.seconds, report.failure);
  return report.stopped ? interrupted_code : report.succeeded ? 0 : 1;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb =
      app.add_subcommand("control", "execute a motion with a whole-body controller on a simulated robot");
  const auto o = std::make_shared<Options>();
  o->model.add_to(*verb);
  verb->remove_option(verb->get_option("--base"));
  verb->add_option("--motion", o->motion,
                   "a name in the folder motions/ beside the robot's file, or a file (.json) (default: stand)");
  verb->add_option("--scene", o->scene,
                   "a scene whose fixed shapes stand around the robot, such as stairs (simulator contact)");
  verb->add_flag("--list-motions", o->list, "list the motions in that folder");
  take_one_of(verb->add_option(
                  "--simulator", o->simulator,
                  "the simulator: contact (default) applies the torques to a robot in a world of rigid bodies with "
                  "Coulomb friction; "
                  "prescribed_acceleration integrates the controller's accelerations"),
              {"contact", "prescribed_acceleration"});
  verb->add_option("--plant", o->old_simulator)->group("");  // hidden
  take_one_of(
      verb->add_option(
          "--formulation", o->formulation,
          "form of the quadratic program: reduced (default); multiplier, projected or oblique (as in Bouyarmane and "
          "Kheddar 2012, slow)"),
      {"reduced", "multiplier", "projected", "oblique"});
  verb->add_option("--push", o->pushes,
                   "external force at a frame's origin: " + push_syntax + " (default: 1:1.2); may be repeated");
  auto& i = o->imperfections;
  verb->add_option("--mass-error", i.mass_error,
                   "random relative error of the masses and inertias of links; 0.1: up to ±10 %")
      ->check(number_check::between(0, .9));
  verb->add_option("--delay", i.delay, "delay of the torques, in ticks (default: 0)")
      ->check(number_check::whole(0, lissom::limits::delay_ticks));
  verb->add_option("--position-noise", i.position_noise,
                   "standard deviation of measured positions, rad and m (default: 0)")
      ->check(number_check::non_negative());
  verb->add_option("--velocity-noise", i.velocity_noise,
                   "standard deviation of measured velocities, rad/s and m/s (default: 0)")
      ->check(number_check::non_negative());
  verb->add_option("--seed", i.seed, "seed of the random masses and noise (default: 0)")->check(number_check::seed());
  verb->add_option("--substeps", o->substeps, "steps of the simulator per tick (default: 1)")
      ->check(number_check::whole(1, 10000));
  verb->add_option("--record", o->record, "write a recording to this file: .mcap, .npz or .csv");
  verb->add_option("--record-frames", o->record_frames, record_frames_help);
  verb->add_option("--record-ros", o->record_ros, record_ros_help);
  o->page.add_to(*verb);
  verb->add_flag("--json", o->json, "print JSON");
  verb->add_flag("--quiet", o->quiet, "show no progress");
  verb->footer(
      "Ctrl-C and SIGTERM end the run after the current tick, with its report and a closed recording.\n"
      "Exit code: 0 the motion succeeded, 1 it failed, 2 wrong usage or input, 130 interrupted.");
  verb->callback([o, verb, &exit_code] {
    o->page.check(*verb);
    exit_code = run(*o);
  });
}

}  // namespace verb::control
