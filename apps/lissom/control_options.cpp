#include "control_options.h"

#include "interrupt.h"
#include "lissom/api/state.h"
#include "lissom/io/find_meshes.h"
#include "lissom/scenes/world_model.h"
#include "output.h"
#include "state_arguments.h"

namespace verb::control {

using lissom::Error;
using nlohmann::json;
namespace sim = lissom::sim;

namespace {

// The ground is always there. --friction counts more than what the scene says.
void set_surroundings(const Options& o, sim::RobotOptions& robot) {
  if (o.scene.empty()) return;
  const auto scene = lissom::scenes::read_surroundings(o.scene);
  for (const auto& fixed : scene.fixed)
    robot.surroundings.push_back({fixed.name, fixed.shape, fixed.pose, fixed.rounding});
  if (!o.friction) robot.max_friction = scene.options.default_properties.friction;
}

// What is recorded and shown: the robot, and the shapes around it.
lissom::Model shown(const Options& o, const lissom::Model& robot) {
  if (o.scene.empty()) return robot;
  return lissom::scenes::with_surroundings(robot, lissom::scenes::read_surroundings(o.scene).fixed);
}

}  // namespace

json settings(const Options& o) {
  return {{"motion", o.motion},
          {"simulator", o.simulator},
          {"formulation", o.formulation},
          {"pushes", o.pushes},
          {"mass_error", o.imperfections.mass_error},
          {"mass_scale", o.imperfections.mass_scale},
          {"friction", o.friction ? json(*o.friction) : json()},
          {"sensing", o.sensing},
          {"mode", o.mode},
          {"delay", o.imperfections.delay},
          {"position_noise", o.imperfections.position_noise},
          {"velocity_noise", o.imperfections.velocity_noise},
          {"substeps", o.substeps},
          {"scene", o.scene},
          {"seed", o.imperfections.seed}};
}

lissom::control::Formulation formulation(const std::string& name) {
  using lissom::control::Formulation;
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

sim::RobotOptions robot_options(Options& o, const lissom::Model& model) {
  for (const auto& text : o.pushes) o.imperfections.pushes.push_back(push_of(model, text, {1, 1.2}));
  sim::RobotOptions robot;
  robot.imperfections = o.imperfections;
  robot.substeps = o.substeps;
  set_surroundings(o, robot);
  return robot;
}

ControlOutput::ControlOutput(const Options& o, const lissom::Model& controlled, const RecordedMotion& motion,
                             sim::RobotOptions& robot)
    : model_(shown(o, controlled)), pull_(robot.step) {
  const auto& model = model_;
  auto pushes = o.imperfections.pushes;
  for (auto& push : pushes)
    for (auto* id : {&push.force.on, &push.force.at.frame}) *id = model.frame(controlled.frame_at(*id).name);
  if (!o.record.empty() || o.page.view)
    record_.emplace(o.record, settings(o), model, motion, o.record_frames, pushes, o.page.view ? &pull_ : nullptr,
                    RecordedRos{o.record_ros, o.model.options.package_paths});
  end_on_request();
  if (!o.page.view) return;
  // (Only the page has the meshes: the simulated robot is the same with and without it.)
  live_ =
      std::make_unique<LiveView>(o.page, lissom::io::with_meshes(model, o.model.options.package_paths), neutral(model),
                                 LiveView::Run{o.motion, record_->signals(), record_->settings()}, pull_);
  record_->show([this](double time, auto rows) { live_->write(time, rows); });
  robot.forces = std::ref(pull_);
}

void ControlOutput::write(const lissom::control::MotionFrame& frame) {
  now_ = frame.robot.time();
  if (!record_ || !error_.empty()) return;
  try {
    record_->write(frame);
  } catch (const lissom::Error& error) {
    error_ = error.what();
  }
}

bool ControlOutput::stops() {
  return !error_.empty() || (live_ ? !live_->wait(now_) : interrupted());
}

void ControlOutput::close() {
  try {
    if (record_) record_->close();
  } catch (const lissom::Error& error) {
    if (error_.empty()) error_ = error.what();
  }
}

void ControlOutput::finish(double seconds, const std::string& failure) {
  if (!error_.empty()) complain(error_);
  if (live_) live_->finish(seconds, failure);
}

}  // namespace verb::control
