// lissom sim FILE: simulates a robot, or a scene (sim_world.h), reports energy and momentum, and writes a recording on
// request.
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "energy_report.h"
#include "interrupt.h"
#include "lissom/model/text.h"
#include "lissom/recording/header.h"
#include "lissom/sim/simulation.h"
#include "live_view.h"
#include "numbers.h"
#include "output.h"
#include "progress.h"
#include "restart.h"
#include "sim_options.h"
#include "sim_recording.h"
#include "sim_report.h"
#include "sim_start.h"
#include "sim_world.h"
#include "verbs.h"

namespace verb::sim {
namespace {

namespace sim = lissom::sim;
namespace recording = lissom::recording;
using lissom::Error;
using lissom::Model;
using nlohmann::json;

std::unique_ptr<sim::Controller> controller(const Options& o, const Model& model) {
  if (o.controller == "pd") return sim::pd(model, reach(model, o.motion), o.gains, true);
  if (o.controller == "computed_torque") return sim::computed_torque(model, reach(model, o.motion), o.gains);
  if (o.controller == "gravity") return sim::gravity_compensation(model);
  if (o.controller == "none") return nullptr;
  throw Error("--controller '" + o.controller + "': expected none, pd, computed_torque or gravity");
}

// The robot of a recording is taken from there: its file may have changed since, or be gone.
recording::Header header(const Options& o, const Model& model, const std::optional<Restart>& restart) {
  if (!restart || !o.model.file.empty()) return recording::describe(model, json_text(settings(o)));
  auto kept = restart->header();
  kept.settings = json_text(settings(o));
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

SimRecordingOptions recorded(const Options& o, const Model& model, const std::optional<Restart>& restart,
                             const sim::PullLaw* pull) {
  return {.path = o.record,
          .header = header(o, model, restart),
          .frames = o.record_frames,
          .pushes = pushes_of(o, model),
          .pull = pull,
          .reference = o.motion.from.size() > 0 ? reach(model, o.motion) : sim::Trajectory(),
          .frame_count = o.seconds / o.step / o.every + 1,
          .seconds = o.seconds,
          .max_gigabytes = o.max_size,
          .ros = {o.record_ros, o.model.options.package_paths}};
}

sim::System make_system(Options& o, Model& model) {
  if (!o.gravity.empty()) model = model.with_gravity(vec3_of("--gravity", o.gravity));
  o.system.passive_forces = !o.no_passive_forces;
  o.system.effort_limits = !o.no_effort_limits;
  sim::System system(model, o.system);
  for (const auto& push : pushes_of(o, model)) system.add(push);
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

// Shows the run in the browser, and lets it pause and pull.
std::unique_ptr<LiveView> show(const Options& o, sim::System& system, const sim::State& x, SimRecording& frames,
                               sim::RunOptions& options, sim::PullLaw& pull) {
  auto live = std::make_unique<LiveView>(o.page, system.model(), x.q,
                                         LiveView::Run{"sim", frames.signals(), json_text(settings(o))}, pull);
  auto* const page = live.get();
  frames.show([page](double time, auto rows) { page->write(time, rows); });
  system.add(std::ref(pull));
  options.stop = [page, &x] { return !page->wait(x.t); };
  return live;
}

// The run that goes on, whose options are taken.
std::optional<Restart> restart_of(Options& o) {
  if (o.restart.empty()) return {};
  std::optional<Restart> restart(o.restart);
  const auto& kept = restart->settings();
  if (kept.contains("world") && kept["world"] == true)
    throw Error("--restart: " + o.restart + " is the recording of a world, which also depends on the impulses of its " +
                "last step; run the scene again, for a longer time");
  if (std::error_code none; !o.record.empty() && std::filesystem::equivalent(restart->file(), o.record, none))
    throw Error("--record " + lissom::in_quotes(o.record) + " is the recording that is restarted; choose another name");
  adopt(o, *restart);
  return restart;
}

int run(Options& o) {
  if (o.list) {
    list_integrators(o.json);
    return 0;
  }
  if (is_world(o)) return run_world(o);
  if (o.given.contains("--friction"))
    throw Error("--friction is that of the ground, which there is with --ground only; give --ground, or leave it out");
  const auto restart = restart_of(o);
  refuse_without_effect(o);
  sim::RunOptions options{.seconds = o.seconds, .step = o.step, .every = o.every};
  sim::check(options);
  o.model.options.find_meshes = o.page.view;
  Model model = o.model.file.empty() && restart ? restart->model(o.model.options.loops_file) : o.model.load();
  auto system = make_system(o, model);
  sim::State x = restart ? restart->state(model) : beginning(o, system);
  tell_pushes_that_never_act(o, model, x.t);
  o.motion = reference_motion(o, model, x, restart);
  if (o.motion.from.size() > 0) o.move_seconds = o.motion.seconds;
  if (auto c = controller(o, model)) system.control(std::move(c));
  const auto method = integrator(o, system, x);

  sim::PullLaw pull(o.step);
  std::optional<SimRecording> recorder;
  if (!o.record.empty() || o.page.view)
    recorder.emplace(recorded(o, model, restart, o.page.view ? &pull : nullptr), system);
  if (restart) options.earlier = restart->energy();
  if (recorder) options.observer = [&](const sim::Reading& r) { recorder->write(r); };
  end_on_request();
  options.stop = interrupted;
  const auto live = o.page.view ? show(o, system, x, *recorder, options, pull) : nullptr;
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
  const ReportContext context{.robot = o.model.file.empty() ? restart->header().robot_file : o.model.file,
                              .settings = settings(o),
                              .recording = o.record,
                              .frames = recorder ? recorder->frames() : 0,
                              .error = error};
  if (o.json)
    print_json(to_json(context, x, report));
  else
    print(context, x, report);
  const int code = complain_of_energy(report);
  if (!error.empty()) complain(error);
  if (live) live->finish(x.t, error);
  return !error.empty() ? 1 : report.stopped ? interrupted_code : code;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto* const verb =
      app.add_subcommand("sim", "simulate a robot, or a scene of robots and bodies that touch each other");
  const auto o = std::make_shared<Options>();
  add_options(*verb, *o);
  verb->callback([o, verb, &exit_code] {
    if (!o->list && o->model.file.empty() && o->restart.empty()) throw CLI::RequiredError("FILE");
    o->given = given(*verb);
    o->page.check(*verb);
    exit_code = run(*o);
  });
}

}  // namespace verb::sim
