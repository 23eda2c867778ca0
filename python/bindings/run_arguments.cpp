#include "run_arguments.h"

#include "lissom/recording/header.h"
#include "lissom/scenes/scene.h"

namespace lissom::python {

control::WholeBodyOptions controller_options(const RunArguments& a) {
  auto options = a.controller.value_or(control::WholeBodyOptions());
  options.step = a.step.value_or(options.step);
  return options;
}

sim::RobotOptions robot_options(const Model& model, const RunArguments& a, double step) {
  sim::RobotOptions robot;
  robot.step = step, robot.substeps = a.substeps;
  auto& i = robot.imperfections;
  i.mass_error = a.mass_error, i.mass_scale = a.mass_scale, i.delay = a.delay, i.seed = a.seed;
  i.position_noise = a.position_noise, i.velocity_noise = a.velocity_noise;
  for (const auto push : nb::iter(a.pushes)) i.pushes.push_back(push_of(model, push));
  if (a.scene.is_none()) return robot;
  const auto scene = scenes::read_surroundings(path_of("scene", a.scene));
  for (const auto& fixed : scene.fixed) robot.surroundings.push_back({fixed.name, fixed.shape, fixed.pose});
  if (!a.ground_friction) robot.max_friction = scene.options.default_properties.friction;
  return robot;
}

void expect_functions(const RunArguments& a) {
  const std::pair<const char*, nb::handle> functions[] = {
      {"observer", a.observer}, {"stop", a.stop}, {"progress", a.progress}};
  for (const auto& [name, f] : functions) {
    if (f.is_none() || PyCallable_Check(f.ptr())) continue;
    PyErr_Format(PyExc_TypeError, "%s is %R, expected a function or None", name, f.ptr());
    throw nb::python_error();
  }
}

namespace {

nb::list names_of(const std::vector<std::string>& names) {
  nb::list all;
  for (const auto& name : names) all.append(name);
  return all;
}

// The settings of a recording, with the keys of `lissom control`.
nb::dict settings_of(const Model& model, const RunArguments& a, const std::vector<Contact>& contacts,
                     const std::string& motion) {
  nb::dict s;
  s["motion"] = motion, s["simulator"] = a.simulator;
  s["formulation"] = control::to_string(a.controller.value_or(control::WholeBodyOptions()).formulation);
  s["pushes"] = nb::list();
  for (const auto push : nb::iter(a.pushes)) s["pushes"].attr("append")(nb::repr(push));
  s["mass_error"] = a.mass_error, s["mass_scale"] = a.mass_scale, s["friction"] = nb::cast(a.ground_friction);
  s["delay"] = a.delay, s["position_noise"] = a.position_noise, s["velocity_noise"] = a.velocity_noise;
  s["substeps"] = a.substeps, s["seed"] = a.seed;
  s["scene"] = a.scene.is_none() ? "" : path_of("scene", a.scene);
  nb::list all;
  for (const auto& c : contacts) {
    nb::dict one;
    one["name"] = c.name.empty() ? c.frame : c.name, one["frame"] = c.frame, one["friction"] = c.friction;
    one["points"] = to_numpy(control::corners(model, c));
    all.append(one);
  }
  s["contacts"] = all;
  return s;
}

}  // namespace

RunRecorder::RunRecorder(const Model& model, const RunArguments& a, const std::vector<Contact>& contacts,
                         const std::vector<sim::Push>& pushes, const std::string& motion,
                         const std::vector<std::string>& stages, const std::vector<std::string>& phases) {
  if (a.record.is_none()) return;
  const auto path = path_of("record", a.record);
  auto settings = settings_of(model, a, contacts, motion);
  settings["stages"] = names_of(stages), settings["phases"] = names_of(phases);
  const auto header = recording::describe(model, settings_text(settings));
  signals_.emplace(model, contacts, frames_to_record(model, a.record_frames), pushes);
  recorder_.emplace(path, header, signals_->signals(), with_topics({}, model, a.ros));
  warn_of_notes(*recorder_);
}

bool RunWatch::stop() {
  signals_.check();
  if (stop_.is_none()) return false;
  const nb::gil_scoped_acquire acquire;
  return truth("stop", stop_());
}

}  // namespace lissom::python
