// Runs of many steps: they return a recording of all frames, with a report of energy and momentum.
#include "lissom/api/state.h"
#include "lissom/constraints/row_label.h"
#include "lissom/model/text.h"
#include "lissom/recording/header.h"
#include "lissom/sim/recorded_energy.h"
#include "lissom/sim/recorded_extras.h"
#include "run_frames.h"
#include "sim_report.h"

namespace lissom::python {

using namespace nb::literals;
using recording::Column;
using recording::Signal;
using sim::State;

Interruption::Interruption(nb::handle stop, bool tells) : next_(std::chrono::steady_clock::now()) {
  if (tells)
    told_ = std::shared_ptr<PieceProgress>(new PieceProgress(0), [](PieceProgress* told) {
      const nb::gil_scoped_acquire gil;
      delete told;
    });
  if (stop.is_none()) return;
  if (!PyCallable_Check(stop.ptr())) {
    PyErr_Format(PyExc_TypeError, "stop is a %s, expected a function without arguments",
                 python::type_name(stop).c_str());
    throw nb::python_error();
  }
  stop_ = std::make_shared<PythonFunction>(stop);
}

bool Interruption::operator()() {
  ++asked_;
  const auto now = std::chrono::steady_clock::now();
  if (!stop_ && now < next_) return false;
  const nb::gil_scoped_acquire gil;
  if (now >= next_) {
    next_ = now + std::chrono::milliseconds(50);
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (told_) told_->tell(asked_);
  }
  if (!stop_) return false;
  const int end = PyObject_IsTrue((**stop_)().ptr());
  if (end < 0) throw nb::python_error();
  return end == 1;
}

namespace {

struct Arguments {
  double seconds, step;
  int every;
  nb::handle progress, stop, record, settings, record_frames, ros;
  double max_size;
};

// The signals of `lissom sim`: paths of frames, pushes, and what the controller follows are recorded where there is
// something to record.
class Readings {
 public:
  Readings(const Model& model, const std::vector<sim::Push>& pushes, sim::Trajectory reference, nb::handle frames)
      : extras_(model, frames_to_record(model, frames), pushes, bool(reference)), reference_(std::move(reference)) {
    desired_ = {neutral(model), Eigen::VectorXd::Zero(model.nv()), Eigen::VectorXd::Zero(model.nv())};
    signals_ = sim::state_signals(model);
  }
  const std::vector<Signal>& signals() const { return signals_; }
  void add(Signal signal) { signals_.push_back(std::move(signal)); }
  // The signals that come last, in the order of last_rows().
  void add_last() { signals_.insert(signals_.end(), extras_.signals().begin(), extras_.signals().end()); }
  std::vector<recording::Row> first_rows(const sim::Reading& r) {
    std::vector<recording::Row> rows{r.state.q, r.state.v, r.tau};
    energy_.append(r.kinetic, r.potential, r.figures, rows);
    rows.emplace_back(r.momentum);
    return rows;
  }
  void last_rows(const sim::Reading& r, std::vector<recording::Row>& rows) {
    desired_.v.setZero();
    desired_.a.setZero();
    if (reference_) reference_(r.state.t, desired_);
    extras_.append(r.state.t, r.state.q, desired_.q, desired_.v, rows);
  }

 private:
  sim::RecordedExtras extras_;
  sim::Trajectory reference_;
  sim::Reference desired_;
  sim::RecordedEnergy energy_;
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

// Runs without the GIL, see recorded_run.
template <class F>
nb::object run_and_report(Run&& made, const Model& model, const Arguments& a, const F& simulate) {
  return recorded_run(
      std::make_unique<Run>(std::move(made)), a.record, with_topics({}, model, a.ros),
      [&](RunFrames& frames, Run& run) { simulate(frames, run.report); }, [](Run& run) { fill(run.report); });
}

Run prepared(const Model& model, const Readings& readings, const Arguments& a) {
  Run run;
  run.header = recording::describe(model, settings_text(a.settings));
  run.signals = readings.signals();
  recording::check(run.header, run.signals);
  reserve_frames(run, std::ceil(a.seconds / a.step / a.every) + 2, a.max_size);
  return run;
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
  const auto simulate = [&](RunFrames& frames, sim::Report& report) {
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
    nb::object result = run_and_report(prepared(model, readings, a), model, a, simulate);
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
  return run_and_report(prepared(model, readings, a), model, a, [&](RunFrames& frames, sim::Report& report) {
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
         double max_size, nb::handle ros) {
        return run_system(system, state, integrator,
                          {seconds, step, every, progress, stop, record, settings, record_frames, ros, max_size});
      },
      "system"_a, "state"_a, "integrator"_a = nb::none(), "seconds"_a = 1.0, "step"_a = 1e-3, "every"_a = 1,
      "progress"_a = nb::none(), "stop"_a = nb::none(), "record"_a = nb::none(), "record_frames"_a = nb::none(),
      "settings"_a = nb::none(), "max_size"_a = 4.0, "ros"_a = "all",
      nb::sig("def run(system: System, state: State, integrator: Integrator | None = None, seconds: float = 1.0, step: "
              "float = 0.001, every: int = 1, progress: Callable[[float, State], Any] | None = None, stop: "
              "Callable[[], bool] | None = None, record: Any = None, record_frames: Sequence[str] | None = None, "
              "settings: Mapping[str, Any] | str | None = None, max_size: float = 4.0, ros: Any = 'all') -> Run"),
      "Runs a system from a state, which is changed, for some seconds. integrator: None is the one that fits. every: "
      "steps per frame. progress(done, state) is called now and then, done is 0 … 1. stop() is asked after each step. "
      "record: a file that frames are also written to while the run goes on. "
      "An Error has the frames up to it as its attribute `run`. max_size: GB of memory that the frames may take. "
      "ros: what an .mcap file has for Foxglove, Rerun and ROS besides, as for recording.Recorder.");
  m.def(
      "run",
      [](BoundRobot& robot, nb::handle controller, double seconds, int every, nb::handle progress, nb::handle stop,
         nb::handle record, nb::handle record_frames, nb::handle settings, double max_size, nb::handle ros) {
        return run_robot(robot, controller,
                         {seconds, robot.robot->options().step, every, progress, stop, record, settings, record_frames,
                          ros, max_size});
      },
      "robot"_a, "controller"_a.none(), "seconds"_a = 1.0, "every"_a = 1, "progress"_a = nb::none(),
      "stop"_a = nb::none(), "record"_a = nb::none(), "record_frames"_a = nb::none(), "settings"_a = nb::none(),
      "max_size"_a = 4.0, "ros"_a = "all",
      nb::sig("def run(robot: SimulatedRobot, controller: Any, seconds: float = 1.0, every: int = 1, progress: "
              "Callable[[float, State], Any] | None = None, stop: Callable[[], bool] | None = None, record: Any = "
              "None, record_frames: Sequence[str] | None = None, settings: Mapping[str, Any] | str | None = None, "
              "max_size: float = 4.0, ros: Any = 'all') -> Run"),
      "The same for a robot in contact, from its present state, with a controller that gets the measured state.");
}

}  // namespace lissom::python
