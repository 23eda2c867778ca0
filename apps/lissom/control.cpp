// lissom control FILE: executes a motion with a whole-body controller, on a simulated robot that may be pushed and may
// differ from the controller's model.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "control_options.h"
#include "control_report.h"
#include "energy_report.h"
#include "interrupt.h"
#include "lissom/control/generated_motions.h"
#include "lissom/control/motion_check.h"
#include "lissom/control/run.h"
#include "lissom/model/limits.h"
#include "model_arguments.h"
#include "motion_files.h"
#include "number_checks.h"
#include "output.h"
#include "progress.h"
#include "state_arguments.h"
#include "verbs.h"

namespace verb::control {
namespace {

namespace control = lissom::control;
using lissom::Error;
using lissom::Model;
using nlohmann::json;

// The motion cannot work, and is not run.
void refuse(const Options& o, const std::vector<std::string>& reasons) {
  if (o.json)
    return print_json(
        json{{"robot", o.model.file}, {"settings", settings(o)}, {"succeeded", false}, {"impossible", reasons}});
  std::cout << o.motion << ": not run, because it cannot work (--no-check runs it all the same)\n";
  for (const auto& reason : reasons) std::cout << "  " << reason << "\n";
}

// What is known about the motion before it runs. Returns whether it can work; throws an Error if it contradicts itself.
// A generated motion is also carried out without disturbances, in a few percent of its time: nobody has tried it yet.
bool works(const Options& o, const ChosenMotion& chosen) {
  const auto& model = chosen.model;
  const auto& motion = chosen.plan;
  std::vector<std::string> reasons;
  for (const auto& f : control::check_motion(model, motion)) {
    const auto text = fmt::format("stage {}: {}", lissom::in_quotes(f.stage), f.what);
    if (f.wrong) throw Error(fmt::format("--motion {}: {}", lissom::in_quotes(o.motion), text));
    if (f.serious)
      reasons.push_back(text);
    else
      complain("note: " + text);
  }
  if (reasons.empty() && chosen.source == "generated" && o.scene.empty())
    if (const auto why = control::predicted_failure(model, motion); !why.empty())
      reasons.push_back("carried out by its accelerations, without disturbances: " + why);
  if (!reasons.empty()) refuse(o, reasons);
  return reasons.empty();
}

RecordedMotion recorded(const control::MotionPlan& motion) {
  RecordedMotion all{motion.contacts, {}, {}};
  for (const auto& stage : motion.stages) all.stages.push_back(stage.name);
  all.stages.emplace_back("end");
  for (int phase = 0; phase <= int(control::MotionRunner::Phase::failed); ++phase)
    all.phases.emplace_back(to_string(control::MotionRunner::Phase(phase)));
  return all;
}

int carry_out(Options& o, const Model& model, const control::MotionPlan& motion) {
  control::MotionOptions options;
  options.simulator = simulator(o);
  options.controller.formulation = formulation(o.formulation);
  options.robot = robot_options(o, model);
  options.ground_friction = o.friction;
  if (o.sensing == "encoders") options.sensing = control::Sensing::encoders;
  options.mode = control::joint_mode_of(o.mode);
  ControlOutput output(o, model, recorded(motion), options.robot);
  options.stop = [&] { return output.stops(); };
  Progress progress(o.quiet);
  double seconds = 0;  // that the plan says; releasing, landing and settling take longer
  for (const auto& stage : motion.stages) seconds += stage.seconds + stage.hold;
  options.observer = [&](const control::MotionReading& r) {
    output.write({r.robot, r.tick, r.tick_us, r.runner.desired_com(), r.runner.desired_q(), r.runner.desired_v(),
                  r.runner.stage_index(), std::size_t(r.runner.phase()), r.figures});
    if (const auto stage = r.runner.stage_index(); stage < motion.stages.size())
      progress.show(std::min(.99, r.robot.time() / seconds),
                    fmt::format("t = {:.1f} s, {}", r.robot.time(), motion.stages[stage].name));
  };
  auto report = control::run(model, motion, options);
  progress.clear();
  output.close(report);
  const ControlRun done{o.model.file,
                        o.motion,
                        o.simulator,
                        settings(o),
                        o.record,
                        output.frames(),
                        options.simulator == lissom::sim::Simulator::contact};
  if (o.json)
    print_json(control_json(done, report));
  else
    print_control(done, report);
  const int code = complain_of_energy(report);
  output.finish(report.seconds, report.failure);
  return report.stopped ? interrupted_code : report.succeeded ? code : 1;
}

int run(Options& o) {
  if (is_gait(o.motion) && !o.list) return walk(o);
  expect_no_gait_options(o.walk, o.motion);
  o.model.options.base = lissom::Base::free;
  if (o.list) return list_motions(o.model, o.json);
  std::optional<ChosenMotion> chosen;
  try {
    chosen = choose_motion(o.model, o.motion);
  } catch (const control::ImpossibleMotion& error) {
    refuse(o, {error.what()});
    return 1;
  }
  if (!o.no_check && !works(o, *chosen)) return 1;
  return carry_out(o, chosen->model, chosen->plan);
}

// What the controller does not know about the simulated robot.
void add_disturbances(CLI::App& verb, Options& o) {
  auto& i = o.imperfections;
  verb.add_option("--mass-error", i.mass_error,
                  "random relative error of the masses and inertias of links; 0.1: up to ±10 %")
      ->check(number_check::between(0, .9));
  verb.add_option("--mass-scale", i.mass_scale,
                  "factor of all masses and inertias of the simulated robot, which the controller does not know "
                  "(default: 1)")
      ->check(number_check::positive());
  verb.add_option("--friction", o.friction,
                  "friction coefficient of the simulated ground, which the controller does not know (default: that of "
                  "the motion's contacts)")
      ->check(number_check::non_negative());
  take_one_of(
      verb.add_option("--sensing", o.sensing,
                      "what the controller knows: full (default), the whole state; encoders, the joints alone and "
                      "a gyroscope and an accelerometer in the base, from which it estimates the rest"),
      {"full", "encoders"});
  verb.add_option("--delay", i.delay, "delay of the torques, in ticks (default: 0)")
      ->check(number_check::whole(0, lissom::limits::delay_ticks));
  verb.add_option("--position-noise", i.position_noise,
                  "standard deviation of measured positions, rad and m (default: 0)")
      ->check(number_check::non_negative());
  verb.add_option("--velocity-noise", i.velocity_noise,
                  "standard deviation of measured velocities, rad/s and m/s (default: 0)")
      ->check(number_check::non_negative());
  verb.add_option("--seed", i.seed, "seed of the random masses and noise (default: 0)")->check(number_check::seed());
  verb.add_option("--substeps", o.substeps, "steps of the simulator per tick (default: 1)")
      ->check(number_check::whole(1, 10000));
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb =
      app.add_subcommand("control", "execute a motion with a whole-body controller on a simulated robot");
  const auto o = std::make_shared<Options>();
  o->model.add_to(*verb);
  verb->remove_option(verb->get_option("--base"));
  verb->add_option("--motion", o->motion,
                   "a name in the folder motions/ beside the robot's file, or one that is generated for any robot with "
                   "feet: stand, squat, sway, lift, steps; walk, trot and balance (stands, and steps if it has to); or "
                   "a file (.json) "
                   "(default: stand)");
  verb->add_option("--scene", o->scene,
                   "a scene whose fixed shapes stand around the robot, such as stairs (simulator contact)");
  verb->add_flag("--list-motions", o->list, "list the motions of this robot");
  verb->add_flag("--no-check", o->no_check, "run the motion even if it is known beforehand that it cannot work");
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
  take_one_of(
      verb->add_option("--mode", o->mode,
                       "what the joints take: torque (default); position or velocity, for servos in the joints, "
                       "which get the integrated accelerations of the controller"),
      {"torque", "position", "velocity"});
  verb->add_option("--push", o->pushes,
                   "external force at a frame's origin: " + push_syntax + " (default: 1:1.2); may be repeated");
  add_disturbances(*verb, *o);
  verb->add_option("--record", o->record, "write a recording to this file: .mcap, .npz or .csv");
  verb->add_option("--record-frames", o->record_frames, record_frames_help);
  verb->add_option("--record-ros", o->record_ros, record_ros_help);
  o->walk.add_to(*verb);
  o->page.add_to(*verb);
  verb->add_flag("--json", o->json, "print JSON");
  verb->add_flag("--quiet", o->quiet, "show no progress");
  verb->footer(
      "Ctrl-C and SIGTERM end the run after the current tick, with its report and a closed recording.\n"
      "Exit code: 0 the motion succeeded, 1 it failed, or energy appeared from nowhere, 2 wrong usage or input, 130 "
      "interrupted.");
  verb->callback([o, verb, &exit_code] {
    o->page.check(*verb);
    exit_code = run(*o);
  });
}

}  // namespace verb::control
