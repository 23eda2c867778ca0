// Runs of many steps: they return a recording of all frames, with a report of energy and momentum.
#include "lissom/api/kinematics.h"
#include "lissom/api/state.h"
#include "lissom/constraints/row_label.h"
#include "lissom/model/text.h"
#include "lissom/recording/header.h"
#include "sim_report.h"

namespace lissom::python {

using namespace nb::literals;
using recording::Column;
using recording::Signal;
using sim::State;

Interruption::Interruption(nb::handle stop) : next_(std::chrono::steady_clock::now()) {
  if (stop.is_none()) return;
  if (!PyCallable_Check(stop.ptr())) {
    PyErr_Format(PyExc_TypeError, "stop is a %s, expected a function without arguments",
                 python::type_name(stop).c_str());
    throw nb::python_error();
  }
  stop_ = std::make_shared<PythonFunction>(stop);
}

bool Interruption::operator()() {
  const auto now = std::chrono::steady_clock::now();
  if (!stop_ && now < next_) return false;
  const nb::gil_scoped_acquire gil;
  if (now >= next_) {
    next_ = now + std::chrono::milliseconds(50);
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  if (!stop_) return false;
  const int end = PyObject_IsTrue((**stop_)().ptr());
  if (end < 0) throw nb::python_error();
  return end == 1;
}

namespace {

// Frames of a run: in memory, and in a file where one was asked for.
class Frames {
 public:
  Frames(Run& run, const std::string& path) : run_(run) {
    run_.values.resize(run_.signals.size());
    if (!path.empty()) recorder_.emplace(path, run_.header, run_.signals);
  }
  void write(double t, std::span<const recording::Row> rows) {
    if (recorder_) recorder_->write(t, rows);
    run_.times.push_back(t);
    for (std::size_t k = 0; k < rows.size(); ++k)
      run_.values[k].insert(run_.values[k].end(), rows[k].values().begin(), rows[k].values().end());
  }
  void close() {
    if (recorder_) recorder_->close();
  }

 private:
  Run& run_;
  std::optional<recording::Recorder> recorder_;
};

struct Arguments {
  double seconds, step;
  int every;
  nb::handle progress, stop, record, settings, record_frames;
  double max_size;
};

// The signals of `lissom sim`: paths of frames, pushes, and what the controller follows are recorded where there is
// something to record.
class Readings {
 public:
  Readings(const Model& model, const std::vector<sim::Push>& pushes, sim::Trajectory reference, nb::handle frames)
      : model_(model), work_(model), pushes_(pushes), reference_(std::move(reference)) {
    desired_ = {neutral(model), Eigen::VectorXd::Zero(model.nv()), Eigen::VectorXd::Zero(model.nv())};
    signals_ = {{"q", recording::configuration_columns(model)},
                {"v", recording::velocity_columns(model)},
                {"tau", known_columns(model, "tau")},
                {"energy", {{"kinetic", "J"}, {"potential", "J"}, {"total", "J"}}},
                {"momentum",
                 {{"linear.x", "kg·m/s"},
                  {"linear.y", "kg·m/s"},
                  {"linear.z", "kg·m/s"},
                  {"angular.x", "kg·m²/s"},
                  {"angular.y", "kg·m²/s"},
                  {"angular.z", "kg·m²/s"}}}};
    add_frames(frames);
  }
  const std::vector<Signal>& signals() const { return signals_; }
  void add(Signal signal) { signals_.push_back(std::move(signal)); }
  // The signals that come last, in the order of last_rows().
  void add_last() {
    if (!frames_.empty()) signals_.push_back({"frames", columns_of(frame_names_, "m")});
    std::vector<std::string> pushed;
    for (const auto& push : pushes_) {
      const auto& name = model_.frame_at(push.force.on).name;
      const auto known = std::ranges::find(pushed, name);
      pushed_.push_back(std::size_t(known - pushed.begin()));
      if (known == pushed.end()) pushed.push_back(name);
    }
    if (!pushed.empty()) signals_.push_back({"pushes", columns_of(pushed, "N")});
    forces_.resize(3 * pushed.size());
    if (!reference_) return;
    signals_.push_back({"desired_q", recording::configuration_columns(model_)});
    signals_.push_back({"desired_v", recording::velocity_columns(model_)});
  }
  std::vector<recording::Row> first_rows(const sim::Reading& r) {
    energies_ = {r.kinetic, r.potential, r.kinetic + r.potential};
    return {r.state.q, r.state.v, r.tau, energies_, r.momentum};
  }
  void last_rows(const sim::Reading& r, std::vector<recording::Row>& rows) {
    if (!frames_.empty()) {
      forward_kinematics(model_, work_, r.state.q);
      for (std::size_t k = 0; k < frames_.size(); ++k) {
        const auto p = placement(model_, work_, frames_[k]).p;
        positions_[3 * k] = p.x, positions_[3 * k + 1] = p.y, positions_[3 * k + 2] = p.z;
      }
      rows.emplace_back(positions_);
    }
    std::ranges::fill(forces_, 0.);
    for (std::size_t k = 0; k < pushes_.size(); ++k) {
      if (r.state.t < pushes_[k].from || r.state.t >= pushes_[k].until) continue;
      const auto& f = pushes_[k].force.force;
      double* const sum = forces_.data() + 3 * pushed_[k];
      sum[0] += f.x, sum[1] += f.y, sum[2] += f.z;
    }
    if (!forces_.empty()) rows.emplace_back(forces_);
    if (!reference_) return;
    desired_.v.setZero();
    desired_.a.setZero();
    reference_(r.state.t, desired_);
    rows.emplace_back(desired_.q);
    rows.emplace_back(desired_.v);
  }

 private:
  void add_frames(nb::handle frames) {
    if (frames.is_none()) return;
    for (const auto name : nb::iter(frames)) {
      frames_.push_back(frame(model_, name, "record_frames"));
      frame_names_.push_back(model_.frame_at(frames_.back()).name);
    }
    positions_.resize(3 * frames_.size());
  }
  static std::vector<Column> columns_of(const std::vector<std::string>& names, const char* unit) {
    std::vector<Column> columns;
    for (const auto& name : names)
      for (const char* axis : {".x", ".y", ".z"}) columns.push_back({name + axis, unit});
    return columns;
  }

  Model model_;
  Workspace work_;
  std::vector<sim::Push> pushes_;
  sim::Trajectory reference_;
  sim::Reference desired_;
  std::vector<FrameId> frames_;
  std::vector<std::string> frame_names_;
  std::vector<std::size_t> pushed_;
  std::vector<double> positions_, forces_;
  std::array<double, 3> energies_{};
  std::vector<Signal> signals_;
};

// "rod, along x" is the column rod.along_x, as `lissom sim` writes it.
Signal loop_signal(const LoopRows& rows) {
  Signal signal{"loops", {}};
  for (int row = 0; row < rows.count(); ++row) {
    std::string name = rows.label(row).name;
    if (const auto comma = name.rfind(", "); comma != std::string::npos) {
      name.replace(comma, 2, ".");
      std::replace(name.begin() + long(comma), name.end(), ' ', '_');
    }
    signal.columns.push_back({name, std::string(force_unit(rows.label(row))) == "N" ? "N" : "N·m"});
  }
  return signal;
}

// Frames are kept in memory: what does not fit there is refused before the run.
void reserve(Run& run, double frames, double max_gigabytes) {
  double columns = 1;
  for (const auto& signal : run.signals) columns += double(signal.columns.size());
  const double gigabytes = 8e-9 * frames * columns;
  if (!(gigabytes <= max_gigabytes))
    throw Error(to_text(frames) + " frames would take " + to_text(gigabytes) +
                " GB of memory, expected at most max_size, " + to_text(max_gigabytes) +
                " GB; record fewer of them with every, or allow it with max_size");
  run.times.reserve(std::size_t(frames));
}

sim::RunOptions options_of(const Arguments& a) {
  sim::RunOptions options;
  options.seconds = a.seconds, options.step = a.step, options.every = a.every;
  check(options);
  options.stop = Interruption(a.stop);
  if (a.progress.is_none()) return options;
  if (!PyCallable_Check(a.progress.ptr())) {
    PyErr_Format(PyExc_TypeError, "progress is a %s, expected a function of (done, state)",
                 python::type_name(a.progress).c_str());
    throw nb::python_error();
  }
  options.progress = [f = std::make_shared<PythonFunction>(a.progress)](double done, const State& x) {
    const nb::gil_scoped_acquire gil;
    (**f)(done, State(x));
  };
  return options;
}

// Runs without the GIL. An Error gets the frames up to it as its attribute `run`; other exceptions pass.
template <class F>
nb::object run_and_report(Run&& made, const std::string& record, const F& simulate) {
  auto run = std::make_unique<Run>(std::move(made));
  std::optional<Error> failure;
  {
    const nb::gil_scoped_release release;
    Frames frames(*run, record);
    try {
      simulate(frames, run->report);
    } catch (const Error& error) {
      failure = error;
    } catch (...) {
      try {
        frames.close();
      } catch (const Error&) {
        // The first exception says more.
      }
      throw;
    }
    try {
      frames.close();
    } catch (const Error& error) {
      if (!failure) failure = error;
    }
  }
  fill(run->report);
  nb::object result = nb::cast(run.release(), nb::rv_policy::take_ownership);
  if (!failure) return result;
  const nb::object type = nb::module_::import_("lissom._core").attr("Error");
  const nb::object error = type(failure->what());
  error.attr("diagnostics") = nb::cast(failure->diagnostics());
  error.attr("run") = result;
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

Run prepared(const Model& model, const Readings& readings, const Arguments& a) {
  Run run;
  run.header = recording::describe(model, settings_text(a.settings));
  run.signals = readings.signals();
  recording::check(run.header, run.signals);
  reserve(run, std::ceil(a.seconds / a.step / a.every) + 2, a.max_size);
  return run;
}

std::string file_of(nb::handle record) {
  return record.is_none() ? "" : path_of("record", record);
}

nb::object run_system(BoundSystem& bound, nb::handle state, nb::handle integrator, const Arguments& a) {
  auto& system = bound.system;
  const auto& model = system.model();
  State& given = nb::cast<State&>(state);
  State x = given;
  expect_state(model, x);
  BoundIntegrator* const chosen = integrator.is_none() ? nullptr : nb::cast<BoundIntegrator*>(integrator);
  auto options = options_of(a);
  const OneCaller::Scope use(bound.in_use, "System");
  std::optional<OneCaller::Scope> use_integrator;
  if (chosen) use_integrator.emplace(chosen->in_use, "Integrator");
  Readings readings(model, bound.pushes, bound.reference, a.record_frames);
  readings.add({"integrator", {{"next_step", "s"}, {"gap", "1"}}});
  if (system.loops()) readings.add(loop_signal(system.loops()->rows()));
  readings.add_last();
  const auto simulate = [&](Frames& frames, sim::Report& report) {
    options.observer = [&](const sim::Reading& r) {
      auto rows = readings.first_rows(r);
      const double of_integrator[] = {r.state.next_step, r.gap};
      rows.emplace_back(std::span(of_integrator));
      if (system.loops()) rows.emplace_back(r.loop_forces);
      readings.last_rows(r, rows);
      frames.write(r.state.t, rows);
    };
    if (chosen)
      sim::run(system, chosen->fit(model), x, options, report);
    else
      sim::run(system, x, options, report);
  };
  const auto write_back = [&] {
    given.t = x.t, given.next_step = x.next_step;
    given.q = x.q;
    given.v = x.v;
  };
  try {
    nb::object result = run_and_report(prepared(model, readings, a), file_of(a.record), simulate);
    write_back();
    return result;
  } catch (...) {
    write_back();  // the last valid state
    throw;
  }
}

nb::object run_robot(BoundRobot& bound, nb::handle controller, const Arguments& a) {
  auto& robot = *bound.robot;
  const auto& model = robot.model();
  sim::Trajectory reference;
  const auto drive = controller_of(model, controller, &reference);
  if (!drive) throw Error("controller is None, expected a Controller or a function of (t, q, v)");
  auto options = options_of(a);
  const OneCaller::Scope use(bound.in_use, "SimulatedRobot");
  Readings readings(model, robot.options().imperfections.pushes, reference, a.record_frames);
  Signal forces{"forces", {}}, friction{"friction_use", {}};
  for (const auto& name : bound.contacts) {
    for (const char* axis : {".x", ".y", ".z"}) forces.columns.push_back({name + axis, "N"});
    friction.columns.push_back({name, "1"});
  }
  readings.add(forces);
  readings.add(friction);
  readings.add_last();
  std::vector<double> wrenches(forces.columns.size()), uses(friction.columns.size());
  return run_and_report(prepared(model, readings, a), file_of(a.record), [&](Frames& frames, sim::Report& report) {
    options.observer = [&](const sim::Reading& r) {
      for (std::size_t k = 0; k < uses.size(); ++k) {
        const auto& contact = robot.contacts()[k];
        wrenches[3 * k] = contact.force.x, wrenches[3 * k + 1] = contact.force.y, wrenches[3 * k + 2] = contact.force.z;
        uses[k] = contact.friction_use;
      }
      auto rows = readings.first_rows(r);
      rows.emplace_back(wrenches);
      rows.emplace_back(uses);
      readings.last_rows(r, rows);
      frames.write(r.state.t, rows);
    };
    sim::run(robot, *drive, options, report);
  });
}

}  // namespace

void bind_run(nb::module_& m) {
  bind_report(m);
  nb::class_<Run, BoundRecording>(m, "Run", "A recording of a simulated motion, with a report.")
      .def_prop_ro(
          "report", [](const Run& self) { return self.report; }, "Energy, momentum, limits, warnings.")
      .def("__getstate__",
           [](nb::handle self) { return nb::make_tuple(pickled(self), nb::cast<const Run&>(self).report); })
      .def("__setstate__", [](Run& self, const nb::tuple& state) {
        new (&self) Run();
        restore(self, nb::cast<nb::tuple>(state[0]));
        self.report = nb::cast<const RunReport&>(state[1]);
      });
  m.def(
      "run",
      [](BoundSystem& system, nb::handle state, nb::handle integrator, double seconds, double step, int every,
         nb::handle progress, nb::handle stop, nb::handle record, nb::handle record_frames, nb::handle settings,
         double max_size) {
        return run_system(system, state, integrator,
                          {seconds, step, every, progress, stop, record, settings, record_frames, max_size});
      },
      "system"_a, "state"_a, "integrator"_a = nb::none(), "seconds"_a = 1.0, "step"_a = 1e-3, "every"_a = 1,
      "progress"_a = nb::none(), "stop"_a = nb::none(), "record"_a = nb::none(), "record_frames"_a = nb::none(),
      "settings"_a = nb::none(), "max_size"_a = 4.0,
      nb::sig("def run(system: System, state: State, integrator: Integrator | None = None, seconds: float = 1.0, step: "
              "float = 0.001, every: int = 1, progress: Callable[[float, State], Any] | None = None, stop: "
              "Callable[[], bool] | None = None, record: Any = None, record_frames: Sequence[str] | None = None, "
              "settings: Mapping[str, Any] | str | None = None, max_size: float = 4.0) -> Run"),
      "Runs a system from a state, which is changed, for some seconds. integrator: None is the one that fits. every: "
      "steps per frame. progress(done, state) is called now and then, done is 0 … 1. stop() is asked after each step. "
      "record: a file that frames are also written to while the run goes on. "
      "An Error has the frames up to it as its attribute `run`. max_size: GB of memory that the frames may take.");
  m.def(
      "run",
      [](BoundRobot& robot, nb::handle controller, double seconds, int every, nb::handle progress, nb::handle stop,
         nb::handle record, nb::handle record_frames, nb::handle settings, double max_size) {
        return run_robot(
            robot, controller,
            {seconds, robot.robot->options().step, every, progress, stop, record, settings, record_frames, max_size});
      },
      "robot"_a, "controller"_a.none(), "seconds"_a = 1.0, "every"_a = 1, "progress"_a = nb::none(),
      "stop"_a = nb::none(), "record"_a = nb::none(), "record_frames"_a = nb::none(), "settings"_a = nb::none(),
      "max_size"_a = 4.0,
      nb::sig("def run(robot: SimulatedRobot, controller: Any, seconds: float = 1.0, every: int = 1, progress: "
              "Callable[[float, State], Any] | None = None, stop: Callable[[], bool] | None = None, record: Any = "
              "None, record_frames: Sequence[str] | None = None, settings: Mapping[str, Any] | str | None = None, "
              "max_size: float = 4.0) -> Run"),
      "The same for a robot in contact, from its present state, with a controller that gets the measured state.");
}

}  // namespace lissom::python
