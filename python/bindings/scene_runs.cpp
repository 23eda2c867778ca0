// Scenes: worlds from files; runs of worlds, as recordings; worlds as one model.
#include "scene_runs.h"

#include <cmath>

#include "calls.h"
#include "lissom/recording/header.h"
#include "lissom/scenes/world_signals.h"
#include "lissom/sim/recorded_extras.h"
#include "run_frames.h"
#include "sim_types.h"
#include "worlds.h"

namespace lissom::python {

using namespace nb::literals;

namespace {

using W = BoundWorld;
using scenes::WorldModel;

W load_scene(nb::handle path) {
  auto scene = scenes::read_scene(path_of("path", path));
  scene.options.audit = true;  // as `lissom sim`
  auto world = std::make_shared<World>(scenes::make_world(scene));
  return {std::move(world), std::make_shared<OneCaller>(), std::make_shared<WorldParts>(std::move(scene))};
}

struct Arguments {
  nb::handle seconds, step;
  int every;
  nb::handle controller, progress, stop, record, record_frames, settings;
  double max_size;
  nb::handle ros;
};

// Nothing else can run this world, or add to it, meanwhile.
class Running {
 public:
  explicit Running(WorldParts& parts) : parts_(parts) {
    if (parts_.running.exchange(true)) throw Error("this World runs already; run() cannot be called inside of run()");
  }
  ~Running() { parts_.running = false; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  WorldParts& parts_;
};

// The settings of `lissom sim`, and those that were given.
std::string settings_of(const scenes::Scene& scene, const sim::RunOptions& o, const std::vector<std::string>& names,
                        nb::handle given) {
  nb::dict all;
  const auto& g = scene.options.gravity;
  all["world"] = true;
  all["scene"] = scene.name;
  all["step"] = o.step, all["seconds"] = o.seconds;
  all["friction"] = scene.options.default_properties.friction;
  all["gravity"] = nb::cast(std::vector{g.x, g.y, g.z});
  all["contact_names"] = nb::cast(names);
  if (!given.is_none()) all.attr("update")(nb::module_::import_("json").attr("loads")(settings_text(given)));
  return settings_text(all);
}

class RunOfWorld {
 public:
  RunOfWorld(nb::handle_t<W> self, const Arguments& a)
      : self_(self), world_(nb::cast<W&>(self)), a_(a), scene_(world_.parts->scene), stop_(a.stop) {
    options_.seconds = a.seconds.is_none() ? scene_.seconds : nb::cast<double>(a.seconds);
    options_.step = a.step.is_none() ? scene_.step : nb::cast<double>(a.step);
    options_.every = a.every;
    check(options_);
    for (const auto& [name, f, expected] : {std::tuple{"controller", a.controller, "a function of the world"},
                                            std::tuple{"progress", a.progress, "a function of (done, time)"}})
      if (!f.is_none()) expect_callable(name, f, expected);
  }

  nb::object operator()() {
    const Running running(*world_.parts);
    const OneCaller::Scope use(*world_.in_use, "World");
    const WorldModel model(scene_);
    scenes::WorldSignals signals(scene_, model);
    sim::RecordedExtras extras(model.model(), frames_to_record(model.model(), a_.record_frames), {}, false);
    auto run = std::make_unique<WorldRun>();
    run->header =
        recording::describe(model.model(), settings_of(scene_, options_, signals.contact_names(), a_.settings));
    run->signals = signals.signals();
    run->signals.insert(run->signals.end(), extras.signals().begin(), extras.signals().end());
    recording::check(run->header, run->signals);
    reserve_frames(*run, std::ceil(options_.seconds / options_.step / options_.every) + 2, a_.max_size);
    const auto simulate = [&](RunFrames& frames, WorldRun& made) {
      scenes::Simulation simulation(scene_, *world_.world);
      if (!a_.controller.is_none()) simulation.before_step([this](World&) { control(); });
      const auto write = [&](const StepReport& step) {
        auto& rows = signals.rows(simulation, step);
        extras.append(world_.world->time(), signals.q(), none_, none_, rows);
        frames.write(world_.world->time(), rows);
      };
      const auto begin = std::chrono::steady_clock::now();
      const auto finish = [&] {
        static_cast<scenes::Report&>(made.report) = simulation.report();
        made.report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        made.report.seconds = world_.world->time() - start_;
      };
      start_ = world_.world->time();
      try {
        made.report.stopped = advance(simulation, write);
      } catch (const Error&) {
        finish();
        throw;
      }
      finish();
    };
    return recorded_run(std::move(run), a_.record, with_topics({}, model.model(), a_.ros), simulate,
                        [](WorldRun& made) {
                          made.report.momentum_at_begin = made.report.momentum_before;
                          made.report.momentum_at_end = made.report.momentum_after;
                        });
  }

 private:
  // Steps until the end of the run. Returns whether it was ended before.
  template <class Write>
  bool advance(scenes::Simulation& simulation, const Write& write) {
    const auto count = long(std::ceil(options_.seconds / options_.step * (1 - 1e-12)));
    write(StepReport{});
    for (long k = 0; k < count; ++k) {
      // The last step may be shorter.
      const auto step = simulation.step(std::min(options_.step, options_.seconds - double(k) * options_.step));
      const bool last = k + 1 == count, ends = asked_to_stop();
      if ((k + 1) % options_.every == 0 || last || ends) write(step);
      tell(double(k + 1) / double(count), last);
      if (ends) return !last;
    }
    return false;
  }

  // Functions of the caller may use the world.
  bool asked_to_stop() {
    std::optional<OneCaller::Pause> pause;
    if (!a_.stop.is_none()) pause.emplace(*world_.in_use);
    return stop_();
  }

  void control() {
    const OneCaller::Pause pause(*world_.in_use);
    const nb::gil_scoped_acquire gil;
    a_.controller(self_);
  }

  void tell(double done, bool last) {
    const auto now = std::chrono::steady_clock::now();
    if (a_.progress.is_none() || (!last && now - told_ < std::chrono::milliseconds(200))) return;
    told_ = now;
    const double time = world_.world->time();
    const OneCaller::Pause pause(*world_.in_use);
    const nb::gil_scoped_acquire gil;
    a_.progress(done, time);
  }

  nb::handle self_;
  W& world_;
  Arguments a_;
  scenes::Scene scene_;
  sim::RunOptions options_;
  Interruption stop_;
  Eigen::VectorXd none_;
  double start_ = 0;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

void bind_run_class(nb::module_& m) {
  bind_world_report(m);
  nb::class_<WorldRun, BoundRecording>(m, "WorldRun", "A recording of a run of a world, with a report.")
      .def_prop_ro(
          "report", [](const WorldRun& self) { return self.report; }, "Energy, momentum, contacts, warnings.")
      .def("__getstate__",
           [](nb::handle self) { return nb::make_tuple(pickled(self), nb::cast<const WorldRun&>(self).report); })
      .def("__setstate__", [](WorldRun& self, const nb::tuple& state) {
        new (&self) WorldRun();
        restore(self, nb::cast<nb::tuple>(state[0]));
        self.report = nb::cast<const WorldReport&>(state[1]);
      });
}

struct BoundWorldModel {
  scenes::Scene scene;
  WorldModel combined;
};

void bind_world_model(nb::module_& m) {
  using M = BoundWorldModel;
  nb::class_<M>(
      m, "WorldModel",
      "A world as one model, so that recordings, plots and the viewer, which know robots, show worlds as well: every "
      "robot and every rigid body hangs on the world by a joint of its own. Links and joints of a robot are called "
      "'robot/link' and 'robot/joint'; a rigid body is a link of its name, moved by a free joint of its name; fixed "
      "shapes are links, too. A robot that is alone with the ground is its own model.\n\n"
      "    combined = lissom.WorldModel(world)\n    page = lissom.view(combined.model, live=True)\n"
      "    while True:\n        world.step(1e-3, 16)\n        page.show(combined.read(world)[0], world.time)")
      .def(
          "__init__", [](M* self, const W& world) { new (self) M{world.parts->scene, WorldModel(world.parts->scene)}; },
          "world"_a)
      .def_prop_ro(
          "model", [](const M& self) { return BoundModel(self.combined.model()); }, "The model of all parts.")
      .def(
          "read",
          [](const M& self, W& world) {
            Eigen::VectorXd q, v, tau;
            const OneCaller::Scope use(*world.in_use, "World");
            self.combined.read(*world.world, q, v, tau);
            return nb::make_tuple(to_numpy(q), to_numpy(v), to_numpy(tau));
          },
          "world"_a,
          nb::sig("def read(self, world: World) -> tuple[NDArray[np.float64], NDArray[np.float64], "
                  "NDArray[np.float64]]"),
          "q, (nq,), and v, (nv,), of the model for the state of the world, or of one made like it, and the torques of "
          "motors in the last step, (nv,); zero where there are none.")
      .def(
          "link", [](const M& self, const std::string& name) { return self.combined.link(name); }, "contact_name"_a,
          "The link of the model that a contact names, such as 'robot/link' or 'body'; '' for the ground.")
      .def("__repr__", [](const M& self) {
        return "WorldModel('" + self.combined.model().name() + "', nq=" + std::to_string(self.combined.model().nq()) +
               ", nv=" + std::to_string(self.combined.model().nv()) + ")";
      });
}

}  // namespace

void bind_scenes(nb::module_& m, nb::class_<BoundWorld>& world) {
  bind_run_class(m);
  bind_world_model(m);
  m.def("load_scene", &load_scene, "path"_a, nb::sig("def load_scene(path: str | os.PathLike[str]) -> World"),
        "The world of a scene file (docs/scenes.md), with servos and forces as at its beginning. World.run() follows "
        "the file's keyframes, as `lissom sim` does.\n\n"
        "    world = lissom.load_scene(lissom.models / 'scenes/stack.json')\n    run = world.run()\n\n"
        "Raises an Error with the file and the path in it, what was found and what was expected.");
  world.def_prop_ro(
      "name", [](const W& self) { return self.parts->scene.name; }, "Of its scene; 'world' for one made in Python.");
  world.def_prop_ro(
      "description", [](const W& self) { return self.parts->scene.description; }, "Of a scene file, one line.");
  world.def(
      "run",
      [](nb::handle_t<W> self, nb::handle seconds, nb::handle step, int every, nb::handle controller,
         nb::handle progress, nb::handle stop, nb::handle record, nb::handle record_frames, nb::handle settings,
         double max_size, nb::handle ros) {
        return RunOfWorld(
            self, {seconds, step, every, controller, progress, stop, record, record_frames, settings, max_size, ros})();
      },
      "seconds"_a = nb::none(), "step"_a = nb::none(), "every"_a = 1, "controller"_a = nb::none(),
      "progress"_a = nb::none(), "stop"_a = nb::none(), "record"_a = nb::none(), "record_frames"_a = nb::none(),
      "settings"_a = nb::none(), "max_size"_a = 4.0, "ros"_a = "all",
      nb::sig("def run(self, seconds: float | None = None, step: float | None = None, every: int = 1, controller: "
              "Callable[[World], Any] | None = None, progress: Callable[[float, float], Any] | None = None, stop: "
              "Callable[[], bool] | None = None, record: str | os.PathLike[str] | None = None, record_frames: "
              "Sequence[str] | None = None, settings: Mapping[str, Any] | str | None = None, max_size: float = 4.0, "
              "ros: Any = 'all') -> WorldRun"),
      "Advances by some seconds, and returns a recording of all frames, with a report; view() shows it.\n\n"
      "seconds, step: None takes those of the scene file (1 and 0.001 s for a world made in Python). every: steps per "
      "frame. controller(world) is called before each step and may set tau, external and servos of the world. Servos "
      "of a scene file follow its keyframes before that; what a program has set otherwise stays. progress(done, time) "
      "is called several times a second, done is 0 … 1. stop() is asked after each step. record: a file (.mcap, .npz, "
      ".csv) that frames are also written to while the run goes on; record_frames: names of frames of "
      "WorldModel(world).model whose paths are recorded, too; settings: for its header; ros: as for "
      "recording.Recorder. max_size: GB of memory that the frames may take.\n\n"
      "Signals are those of `lissom sim --record` (docs/recordings.md): q, v and tau of the world as one model, "
      "energy, "
      "work, momentum, step, forces, contacts. Work is known where WorldOptions(audit=True) asks for it, as in worlds "
      "of scene files. An Error has the frames up to it as its attribute `run`.");
}

}  // namespace lissom::python
