// lissom control FILE: executes a motion with a whole-body controller, on a simulated robot that may be pushed and may
// differ from the controller's model.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lissom/control/run.h"
#include "lissom/recording/header.h"
#include "lissom/recording/recorder.h"
#include "model_arguments.h"
#include "numbers.h"
#include "output.h"
#include "verbs.h"

namespace verb::control {
namespace {

namespace control = lissom::control;
namespace sim = lissom::sim;
namespace recording = lissom::recording;
using lissom::Error;
using lissom::Model;
using nlohmann::json;

struct Options {
  ModelArguments model;
  std::string motion = "stand", simulator = "rigid_contact", old_simulator, formulation = "reduced", record;
  std::vector<std::string> pushes;
  sim::Imperfections imperfections;
  int substeps = 1;
  bool json = false, quiet = false, list = false;
};

std::filesystem::path motions_beside(const std::string& robot) {
  return std::filesystem::path(robot).parent_path() / "motions";
}
std::vector<std::string> motions_of(const std::string& robot) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(motions_beside(robot), none))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

// Returns the motion file: as given, or by its name in the folder `motions` beside the robot's file.
std::string motion_file(const Options& o) {
  if (o.motion.ends_with(".json")) return o.motion;
  const auto file = motions_beside(o.model.file) / (o.motion + ".json");
  if (!std::filesystem::exists(file))
    throw Error(fmt::format("--motion '{}': no file {}; expected {}, or a file (.json)", o.motion, file.string(),
                            fmt::join(motions_of(o.model.file), ", ")));
  return file.string();
}

// Reads "60N@chest" (along the world's x axis) or FX,FY,FZ@FRAME, each with @FROM:UNTIL or else from t = 1 s to 1.2 s.
sim::Push push(const Model& model, const std::string& text) {
  const auto given = push_text(text, "60N@FRAME or FX,FY,FZ@FRAME, optionally with @FROM:UNTIL");
  const auto interval = given.interval.value_or(PushText::Interval{1, 1.2});
  auto force = given.force;
  const bool forward = force.back() == 'N';
  if (forward) force.pop_back();
  const auto f = forward ? lissom::Vec3<double>(numbers_of("--push", force, 1)[0], 0, 0) : vec3_of("--push", force);
  return sim::push_at(model.frame(given.frame), f, interval.from, interval.until);
}

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
                        {"slip", c.slip}});
  for (const auto& m : r.motors)
    motors.push_back(
        {{"joint", m.joint}, {"max_torque", m.max_torque}, {"limit", m.limit}, {"nearest_limit", m.nearest_limit}});
  for (const auto& t : r.transitions) transitions.push_back({{"t", t.time}, {"stage", t.stage}, {"phase", t.phase}});
  for (const auto& c : r.clearances)
    clearances.push_back({{"name", c.name}, {"min_distance", c.min_distance}, {"required", c.required}});
  json result{{"robot", o.model.file},
              {"settings", settings(o)},
              {"succeeded", r.succeeded},
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
                           r.succeeded ? "succeeded" : "failed: " + r.failure);
  print_stages(r);
  std::cout << fmt::format("{:.3f} s, {} ticks; {} of them elastic, {} without a solution\n", r.seconds, r.ticks,
                           r.elastic_ticks, r.failed_ticks);
  std::cout << fmt::format(
      "tick       {:.1f} µs median, {:.1f} p99, {:.1f} max, dynamics included (Bouyarmane and Kheddar 2012: 7000 µs)\n",
      r.tick_median, r.tick_p99, r.tick_max);
  std::cout << fmt::format("balance    center of mass at most {:.1f} mm from its target\n", 1e3 * r.max_com_error);
  for (const auto& c : r.contacts)
    std::cout << fmt::format("contact    {:14} up to {:6.1f} N, {:3.0f} % of its friction cone, slipped {:.3f} mm\n",
                             c.name, c.max_normal, 100 * c.friction_use, 1e3 * c.slip);
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

std::vector<recording::Signal> signals(const Model& model, const control::MotionPlan& motion) {
  auto tau = recording::velocity_columns(model);
  for (auto& column : tau) column.unit = column.unit == "m/s" ? "N" : "N·m";
  auto use = tau;
  for (auto& column : use) column.unit = "of the limit";
  std::vector<recording::Column> forces, friction;
  for (const auto& c : motion.contacts) {
    const auto& name = c.name.empty() ? c.frame : c.name;
    for (const char* axis : {".x", ".y", ".z"}) forces.push_back({name + axis, "N"});
    friction.push_back({name, "1"});
  }
  return {{"q", recording::configuration_columns(model)},
          {"v", recording::velocity_columns(model)},
          {"tau", std::move(tau)},
          {"torque_use", std::move(use)},
          {"com", {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"desired.x", "m"}, {"desired.y", "m"}, {"desired.z", "m"}}},
          {"forces", std::move(forces)},
          {"friction_use", std::move(friction)},
          {"tick", {{"time", "µs"}, {"iterations", "1"}, {"status", "1"}}}};
}

class Record {
 public:
  Record(const Options& o, const Model& model, const control::MotionPlan& motion)
      : recorder_(o.record, recording::describe(model, json_text(settings(o))), signals(model, motion)),
        limits_(model.effort_limit()),
        use_(limits_.size()),
        forces_(3 * motion.contacts.size()),
        friction_(motion.contacts.size()) {}
  void write(const control::MotionReading& r) {
    for (std::size_t k = 0; k < friction_.size(); ++k) {
      const auto& contact = r.robot.contacts()[k];
      forces_[3 * k] = contact.force.x, forces_[3 * k + 1] = contact.force.y, forces_[3 * k + 2] = contact.force.z;
      friction_[k] = contact.friction_use;
    }
    for (std::size_t i = 0; i < use_.size(); ++i)  // 0 without a limit or a motor
      use_[i] = limits_[i] > 0 ? r.tick.unclamped_torques[long(i)] / limits_[i] : 0;
    const auto &com = r.tick.com, desired = r.runner.desired_com();
    const double positions[] = {com.x, com.y, com.z, desired.x, desired.y, desired.z};
    const double tick[] = {r.tick_us, double(r.tick.iterations), double(int(r.tick.status))};
    recorder_.write(r.robot.time(), {r.robot.q(), r.robot.v(), r.tick.torques, use_, std::span(positions), forces_,
                                     friction_, std::span(tick)});
  }
  std::uint64_t close() {
    recorder_.close();
    return recorder_.safe_frames();
  }

 private:
  recording::Recorder recorder_;
  std::vector<double> limits_, use_, forces_, friction_;
};

control::Formulation formulation(const std::string& name) {
  using control::Formulation;
  for (auto f : {Formulation::reduced, Formulation::multiplier, Formulation::projected, Formulation::oblique})
    if (name == to_string(f)) return f;
  throw Error("--formulation '" + name + "': expected reduced, multiplier, projected or oblique");
}

void list_motions(const Options& o) {
  const auto names = motions_of(o.model.file);
  if (o.json) {
    print_json(json(names));
    return;
  }
  const auto model = o.model.load();
  for (const auto& name : names) {
    const auto file = (motions_beside(o.model.file) / (name + ".json")).string();
    std::cout << fmt::format("{:14} {}\n", name, control::read_motion_plan(model, file).description);
  }
}

// Refuses --plant, the former name of the option, whose values were called differently.
sim::Simulator simulator(const Options& o) {
  if (!o.old_simulator.empty())
    throw Error("--plant is now --simulator: 'held' is rigid_contact, 'integrated' is prescribed_acceleration");
  return sim::simulator_of(o.simulator);
}

int run(Options& o) {
  o.model.options.base = lissom::Base::free;
  if (o.list) {
    list_motions(o);
    return 0;
  }
  const Model model = o.model.load();
  const auto motion = control::read_motion_plan(model, motion_file(o));
  control::MotionOptions options;
  options.simulator = simulator(o);
  options.controller.formulation = formulation(o.formulation);
  for (const auto& text : o.pushes) o.imperfections.pushes.push_back(push(model, text));
  options.robot.imperfections = o.imperfections;
  options.robot.substeps = o.substeps;
  std::optional<Record> record;
  if (!o.record.empty()) record.emplace(o, model, motion);
  const bool progress = !o.quiet && !o.json && isatty(STDERR_FILENO);
  options.observer = [&](const control::MotionReading& r) {
    if (record) record->write(r);
    if (progress && std::fmod(r.robot.time(), .1) < 1e-3)
      std::cerr << fmt::format("\rt = {:6.1f} s  {:40}", r.robot.time(),
                               lissom::printable(r.runner.transitions().back().stage));
  };
  const auto report = control::run(model, motion, options);
  if (progress) std::cerr << "\r" << std::string(60, ' ') << "\r";
  const auto frames = record ? record->close() : 0;
  if (o.json)
    print_json(to_json(o, report, frames));
  else
    print(o, report, frames);
  return report.succeeded ? 0 : 1;
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
  verb->add_flag("--list-motions", o->list, "list the motions in that folder");
  verb->add_option("--simulator", o->simulator,
                   "rigid_contact (default): applies the torques and computes its own contact forces; "
                   "prescribed_acceleration: integrates the controller's accelerations");
  verb->add_option("--plant", o->old_simulator)->group("");  // hidden
  verb->add_option(
      "--formulation", o->formulation,
      "form of the quadratic program: reduced (default); multiplier, projected or oblique (as in Bouyarmane and "
      "Kheddar 2012, slow)");
  verb->add_option(
      "--push", o->pushes,
      "external force at a frame's origin: 60N@FRAME (along world x) or FX,FY,FZ@FRAME (N, world axes), optionally "
      "with @FROM:UNTIL in seconds (default: 1:1.2); may be repeated");
  auto& i = o->imperfections;
  verb->add_option("--mass-error", i.mass_error,
                   "random relative error of the masses and inertias of links; 0.1: up to ±10 %")
      ->check(CLI::Range(0., .9));
  verb->add_option("--delay", i.delay, "delay of the torques, in ticks (default: 0)")->check(CLI::NonNegativeNumber);
  verb->add_option("--position-noise", i.position_noise,
                   "standard deviation of measured positions, rad and m (default: 0)")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--velocity-noise", i.velocity_noise,
                   "standard deviation of measured velocities, rad/s and m/s (default: 0)")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--seed", i.seed, "seed of the random masses and noise (default: 0)")->check(whole_number);
  verb->add_option("--substeps", o->substeps, "steps of the simulator per tick (default: 1)")
      ->check(CLI::PositiveNumber);
  verb->add_option("--record", o->record, "write a recording to this file: .mcap, .npz or .csv");
  verb->add_flag("--json", o->json, "print JSON");
  verb->add_flag("--quiet", o->quiet, "show no progress");
  verb->callback([o, &exit_code] { exit_code = run(*o); });
}

}  // namespace verb::control
