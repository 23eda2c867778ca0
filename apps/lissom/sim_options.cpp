#include "sim_options.h"

#include <algorithm>
#include <array>

#include <CLI/CLI.hpp>

#include "number_checks.h"
#include "output.h"
#include "recording_options.h"
#include "state_arguments.h"

namespace verb::sim {

using nlohmann::json;

json settings(const Options& o) {
  json all{{"integrator", o.integrator},
           {"integrator_chosen", o.integrator_chosen},
           {"step", o.step},
           {"seconds", o.seconds},
           {"attitude", o.attitude},
           {"zero_order_hold", o.method.zero_order_hold},
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
  flag("--zero-order-hold", "zero_order_hold", true, o.method.zero_order_hold);
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
  if (const auto others = kept.value("other_forces", json(0)); others.is_number_integer() && others > 0)
    complain("--restart: the run had " + others.dump() +
             " forces of a program (springs, functions, torques) besides, which are not repeated");
  if (!o.given.contains("--base")) o.model.options.base = restart.header().base;
  if (!o.given.contains("--mimic")) o.model.options.mimic = restart.header().mimic;
}

std::set<std::string> given(const CLI::App& verb) {
  std::set<std::string> names;
  for (const auto* option : verb.get_options())
    if (option->count() > 0) names.insert(option->get_name());
  if (names.contains("--no-joint-forces")) names.insert("--no-passive-forces");
  return names;
}

void refuse(const Options& o, std::initializer_list<const char*> names, const std::string& why) {
  for (const char* name : names)
    if (o.given.contains(name)) throw lissom::Error(std::string(name) + " " + why);
}

void refuse_without_effect(const Options& o) {
  if (o.controller == "none" || o.controller == "gravity")
    refuse(o, {"--posture", "--move-seconds", "--stiffness", "--damping"},
           "has no effect with --controller " + o.controller +
               "; add --controller pd or computed_torque, or leave it out");
  if (o.integrator != "dopri5")
    refuse(o, {"--tolerance", "--min-step"},
           "is that of dopri5, which chooses its steps; add --integrator dopri5, or leave it out");
}

namespace {

void add_integration(CLI::App& verb, Options& o) {
  verb.add_option("--seconds", o.seconds, "duration in seconds (default: 1, or as in the scene)")
      ->check(number_check::non_negative());
  verb.add_option("--step", o.step, "time step in seconds (default: 1e-3, or as in the scene)")
      ->check(number_check::positive());
  verb.add_option("--integrator", o.integrator,
                  "the integrator (default: the one that fits, rk4, or implicit_joints for stiff gains and dampers); "
                  "--list-integrators lists all; of worlds: trapezoid (default) or semi_implicit_euler");
  verb.add_option(
      "--attitude", o.attitude,
      "how orientations are integrated: exponential (map, default), quaternion (derivative), or in a chart, e.g. "
      "euler-zyx");
  verb.add_option("--tolerance", o.tolerance,
                  "relative tolerance of dopri5 (default: 1e-6); the absolute one is 1e-3 times this")
      ->check(number_check::positive());
  verb.add_option("--min-step", o.method.min_step,
                  "smallest step of dopri5 in seconds, accepted whatever its error (default: 0)")
      ->check(number_check::non_negative());
  verb.add_flag("--zero-order-hold", o.method.zero_order_hold,
                "evaluate controller and forces once per step, not at every stage");
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

void add_state_and_forces(CLI::App& verb, Options& o) {
  verb.add_option(
      "--q", o.q,
      "initial configuration (default: that of the file, else neutral, zero or the nearest value within limits): " +
          configuration_syntax);
  verb.add_option("--v", o.v, "initial velocity (default: zero): all elements of v, JOINT=VALUE,… or @FILE (JSON)");
  verb.add_option("--random", o.random, "start at a random configuration with this seed")->check(number_check::seed());
  verb.add_option("--loops", o.model.options.loops_file, "file (JSON) with closed loops, couplings and springs");
  verb.add_option("--gravity", o.gravity, "x,y,z in m/s² (default: 0,0,-9.81, or as in the --loops file)");
  verb.add_option("--push", o.pushes,
                  "external force at a frame's origin: " + push_syntax + " (default: the whole time); may be repeated");
  verb.add_flag("--no-passive-forces", o.no_passive_forces, "without springs, damping and friction of joints");
  verb.add_flag("--no-joint-forces", o.no_passive_forces)->group("");  // its former name, hidden
  verb.add_flag("--no-effort-limits", o.no_effort_limits, "without limits of motor torques and forces");
  verb.add_option("--friction-speed", o.system.friction_speed,
                  "speed below which dry friction sticks, rad/s or m/s (default: 1e-3)")
      ->check(number_check::positive());
}

void add_world(CLI::App& verb, Options& o) {
  verb.add_flag("--ground", o.ground,
                "the robot touches the ground z = 0 and itself; a free base that is not placed by --q starts such that "
                "the lowest point is on the ground");
  verb.add_option("--friction", o.friction,
                  "Coulomb's coefficient of the robot on the ground (default: that of its file, or 0.8)")
      ->check(number_check::non_negative());
}

void add_recording(CLI::App& verb, Options& o) {
  verb.add_option("--record", o.record, "write a recording to this file: .mcap, .npz or .csv");
  verb.add_option("--every", o.every, "steps per frame of the recording (default: 1)")
      ->check(number_check::whole(1, 1000000000));
  verb.add_option("--record-frames", o.record_frames, record_frames_help);
  verb.add_option("--record-ros", o.record_ros, record_ros_help);
  verb.add_option("--max-size", o.max_size,
                  "GB that the recording may take (default: 4, or what the disk has left if that is less)")
      ->check(number_check::positive());
  verb.add_option("--restart", o.restart,
                  "go on from the last frame of a recording, FILE, or from FILE:FRAME, with its robot and all options "
                  "that are not given, except --seconds");
}

}  // namespace

void add_options(CLI::App& verb, Options& o) {
  o.model.add_to(verb);
  verb.get_option("FILE")->required(false)->description(
      "robot (URDF, xacro, MJCF, SDF), or scene (JSON) of robots and bodies that touch each other; - reads a robot "
      "from "
      "standard input");
  add_integration(verb, o);
  add_controller(verb, o);
  add_state_and_forces(verb, o);
  add_world(verb, o);
  add_recording(verb, o);
  o.page.add_to(verb);
  verb.add_flag("--json", o.json, "print JSON");
  verb.add_flag("--quiet", o.quiet, "show no progress");
  verb.add_flag("--list-integrators", o.list, "list the integrators with their orders");
  verb.footer(
      "With --ground, and of a scene, joint limits hold, and --integrator and the options of integrators do not "
      "apply.\n"
      "Ctrl-C and SIGTERM end the run after the current step, with its report and a closed recording.\n"
      "Exit code: 0 success, 1 the motion could not be computed to its end, or energy appeared from nowhere, 2 wrong "
      "usage or input, 130 interrupted.");
}

}  // namespace verb::sim
