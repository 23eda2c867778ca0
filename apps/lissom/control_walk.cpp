#include "control_walk.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "control_options.h"
#include "control_report.h"
#include "energy_report.h"
#include "interrupt.h"
#include "lissom/limbs/standing_robot.h"
#include "lissom/walking/run.h"
#include "number_checks.h"
#include "output.h"
#include "progress.h"
#include "state_arguments.h"

namespace verb::control {

namespace {

namespace walking = lissom::walking;
using lissom::Error;
using nlohmann::json;

constexpr double degree = std::numbers::pi / 180;

walking::Gait gait_of(const std::string& motion) {
  return motion == "trot" ? walking::Gait::trot : motion == "walk" ? walking::Gait::walk : walking::Gait::stand;
}

// COUNTxHEIGHT, one step for each stair and one that closes.
void set_stairs(const WalkArguments& a, walking::GaitOptions& gait) {
  int count = 0, read = 0;
  double height = 0;
  if (std::sscanf(a.stairs.c_str(), "%dx%lf%n", &count, &height, &read) != 2 || std::size_t(read) != a.stairs.size() ||
      count < 1 || count > 1000 || !std::isfinite(height))
    throw Error("--stairs '" + a.stairs + "': expected COUNTxHEIGHT, such as 3x0.12, or 3x-0.12 downwards");
  if (gait.gait == walking::Gait::stand) throw Error("--stairs is for the motions walk and trot");
  gait.steps = std::max(gait.steps, count + 1);
  for (int k = 1; k <= count; ++k) gait.heights.push_back(k * height);
  gait.start_height = std::max(0.0, -count * height);
}

walking::GaitOptions gait_options(const Options& o) {
  const auto& a = o.walk;
  auto gait = a.gait;
  gait.gait = gait_of(o.motion);
  gait.direction = a.direction * degree, gait.yaw_per_step = a.yaw_per_step * degree;
  gait.capture_steps = !a.no_capture_steps;
  if (!a.stairs.empty()) set_stairs(a, gait);
  return gait;
}

json to_json(const Options& o, const walking::WalkReport& r, std::uint64_t frames) {
  json feet = json::array();
  for (const auto& f : r.feet)
    feet.push_back({{"name", f.frame}, {"error", f.error}, {"max_normal", f.max_normal}, {"loaded_slip", f.slip}});
  auto all = settings(o);
  all["step_length"] = r.step_length, all["step_time"] = r.step_time;
  json result{{"robot", o.model.file},
              {"settings", all},
              {"succeeded", r.succeeded},
              {"interrupted", r.stopped},
              {"failure", r.failure},
              {"seconds", r.seconds},
              {"planned_steps", r.planned_steps},
              {"steps", r.steps},
              {"adapted_steps", r.adapted_steps},
              {"capture_steps", r.capture_steps},
              {"distance", r.distance},
              {"turned", r.turned},
              {"speed", r.speed},
              {"max_dcm_error", r.max_dcm_error},
              {"max_tilt", r.max_tilt},
              {"max_torque_use", r.max_torque_use},
              {"max_torque_joint", r.max_torque_joint},
              {"ticks", r.ticks},
              {"elastic_ticks", r.elastic_ticks},
              {"failed_ticks", r.failed_ticks},
              {"first_elastic", r.first_elastic},
              {"conflicts", conflicts_json(r.conflicts)},
              {"contacts", contacts_json(r.contacts)},
              {"motors", motors_json(r.motors)},
              {"beyond_limits", r.beyond_limits},
              {"tick_us", {{"median", r.tick_median}, {"p99", r.tick_p99}, {"max", r.tick_max}}},
              {"feet", feet},
              {"remarks", r.remarks}};
  add_energy(r, result, o.simulator == to_string(lissom::sim::Simulator::contact));
  if (!o.record.empty()) result["recording"] = {{"file", o.record}, {"frames", frames}};
  return result;
}

void print(const Options& o, const walking::WalkReport& r, std::uint64_t frames) {
  std::cout << fmt::format("{}, simulated with {}: {}\n", o.motion, o.simulator,
                           r.succeeded ? "succeeded"
                           : r.stopped ? "interrupted, " + r.failure
                                       : "failed: " + r.failure);
  std::cout << fmt::format("{:.3f} s, {} ticks; {} of them elastic, {} without a solution\n", r.seconds, r.ticks,
                           r.elastic_ticks, r.failed_ticks);
  std::cout << fmt::format("tick       {:.1f} µs median, {:.1f} p99, {:.1f} max, dynamics included\n", r.tick_median,
                           r.tick_p99, r.tick_max);
  print_conflicts(r.conflicts);
  if (r.planned_steps > 0)
    std::cout << fmt::format(
        "steps      {} of {} made, of {:.3f} m and {:.3f} s; {:.3f} m and {:.1f}° from the start; {:.3f} m/s\n",
        r.steps, r.planned_steps, r.step_length, r.step_time, r.distance, r.turned / degree, r.speed);
  std::cout << fmt::format("recovery   {} step{} adapted, {} capture step{}; ξ at most {:.1f} mm from its reference\n",
                           r.adapted_steps, r.adapted_steps == 1 ? "" : "s", r.capture_steps,
                           r.capture_steps == 1 ? "" : "s", 1e3 * r.max_dcm_error);
  std::cout << fmt::format("upright    the base tilted by at most {:.1f}°\n", r.max_tilt / degree);
  for (const auto& f : r.feet)
    std::cout << fmt::format(
        "foot       {:18} ended {:.1f} mm from its foothold; up to {:.0f} N, slipped {:.2f} mm under load\n", f.frame,
        1e3 * f.error, f.max_normal, 1e3 * f.slip);
  print_contacts(r.contacts);
  for (const auto& beyond : r.beyond_limits) std::cout << "limits     " << beyond << "\n";
  for (const auto& remark : r.remarks) std::cout << "note: " << remark << "\n";
  print_motors(r.motors);
  print_energy(r, true, o.simulator == to_string(lissom::sim::Simulator::contact));
  if (!o.record.empty()) std::cout << fmt::format("recorded   {} frames in {}\n", frames, o.record);
}

}  // namespace

void WalkArguments::add_to(CLI::App& verb) {
  const auto keep = [&](CLI::Option* option) {
    options.push_back(option->group("Gaits: walk, trot, balance"));
    return option;
  };
  keep(verb.add_option("--steps", gait.steps, "walk, trot: number of steps (default: 6)"))
      ->check(number_check::whole(1, 10000));
  keep(verb.add_option("--speed", gait.speed, "walk, trot: m/s (default: by the size of the robot)"))
      ->check(number_check::positive());
  keep(verb.add_option("--step-length", gait.step_length, "walk, trot: m, from one step to the next"))
      ->check(number_check::positive());
  keep(verb.add_option("--step-time", gait.step_time, "walk, trot: s, from one step to the next"))
      ->check(number_check::positive());
  keep(verb.add_option("--direction", direction,
                       "walk, trot: in which it goes, deg: 0 forward (default), 90 to the left, 180 backward"))
      ->check(number_check::between(-360, 360));
  keep(verb.add_option("--yaw-per-step", yaw_per_step,
                       "walk, trot: deg, by which its heading turns to the left (default: 0)"))
      ->check(number_check::between(-45, 45));
  options.push_back(verb.add_option("--turn", yaw_per_step)  // its former name, hidden
                        ->check(number_check::between(-45, 45))
                        ->group(""));
  keep(verb.add_option("--stairs", stairs,
                       "walk: COUNTxHEIGHT, stairs under the first steps, one each; downwards with a negative height"));
  keep(verb.add_option("--lift", gait.lift, "walk, trot: m, of swinging feet"))->check(number_check::positive());
  keep(verb.add_option("--duration", gait.duration, "balance: s (default: 3)"))->check(number_check::positive());
  keep(verb.add_flag("--no-capture-steps", no_capture_steps,
                     "steps are not adapted to pushes, and a standing robot does not step"));
}

std::vector<NamedGait> gaits_of(std::size_t feet) {
  std::vector<NamedGait> all{{"balance", "Standing; steps where a push would make it fall."},
                             {"walk", "Walking, as fast and far as --speed and --steps say."}};
  if (feet == 4) all.push_back({"trot", "Trotting: diagonal legs swing together."});
  return all;
}

bool is_gait(const std::string& motion) {
  return std::ranges::any_of(gaits_of(4), [&](const NamedGait& gait) { return motion == gait.name; });
}

void expect_no_gait_options(const WalkArguments& arguments, const std::string& motion) {
  for (const auto* option : arguments.options)
    if (option->count() > 0)
      throw Error(option->get_name() + " is for the motions walk, trot and balance, not for '" + motion + "'");
}

int walk(Options& o) {
  const auto robot = lissom::load_standing_robot(o.model.file, {.load = o.model.options});
  const auto feet = lissom::control_contacts(robot.contacts);
  walking::WalkOptions options;
  options.gait = gait_options(o);
  options.simulator = simulator(o);
  options.controller.formulation = formulation(o.formulation);
  options.robot = robot_options(o, robot.model);
  options.ground_friction = o.friction;
  if (o.sensing == "encoders") options.sensing = lissom::control::Sensing::encoders;
  options.mode = lissom::control::joint_mode_of(o.mode);
  if (!o.no_check && o.scene.empty())
    if (const auto why = walking::predicted_failure(robot.model, robot.q, feet, options.gait); !why.empty())
      complain("note: carried out by its accelerations, without disturbances, it fails: " + why);
  RecordedMotion motion{feet, {o.motion}, {}};
  for (int phase = 0; phase <= int(walking::Walker::Phase::done); ++phase)
    motion.phases.emplace_back(to_string(walking::Walker::Phase(phase)));
  ControlOutput output(o, robot.model, motion, options.robot);
  options.stop = [&] { return output.stops(); };
  Progress progress(o.quiet);
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(robot.model.nv());
  options.observer = [&](const walking::WalkReading& r) {
    // A gait has no reference of the center of mass of its own: the divergent component of motion leads it.
    output.write({r.robot, r.tick, r.tick_us, r.tick.com, robot.q, rest, 0, std::size_t(r.walker.phase()), r.figures});
    const int planned = r.walker.plan().steps();
    const double part = planned > 0 ? double(r.walker.steps()) / (planned + 1) : r.robot.time() / options.gait.duration;
    progress.show(std::min(.99, part), fmt::format("t = {:.1f} s, {}", r.robot.time(), to_string(r.walker.phase())));
  };
  auto report = walking::run(robot.model, robot.q, feet, options);
  progress.clear();
  output.close(report);
  const auto frames = output.frames();
  if (o.json)
    print_json(to_json(o, report, frames));
  else
    print(o, report, frames);
  const int code = complain_of_energy(report);
  output.finish(report.seconds, report.failure);
  return report.stopped ? interrupted_code : report.succeeded ? code : 1;
}

}  // namespace verb::control
