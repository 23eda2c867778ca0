// Motions on a robot: tick by tick with a MotionRunner, or as a whole on a simulated robot.
#include "motion.h"
#include "sim_types.h"

LISSOM_ENUM(lissom::control::MotionRunner::Phase, "releasing", "moving", "landing", "settling", "holding", "done",
            "failed")

namespace lissom::python {

using namespace nb::literals;
using control::MotionRunner;
using Transition = MotionRunner::Transition;
LISSOM_PYTHON_TYPE(Transition, "Transition")
LISSOM_PYTHON_TYPE(control::ContactReport, "ContactReport")
LISSOM_PYTHON_TYPE(control::MotorReport, "MotorReport")
LISSOM_PYTHON_TYPE(control::ClearanceReport, "ClearanceReport")

/// What an observer is given; null when its call has ended.
struct BoundReading {
  const control::MotionReading* now = nullptr;
  const control::MotionReading& get() const {
    if (!now)
      throw Error(
          "this MotionReading belongs to a call of the observer that has ended; keep what you read from it, not the "
          "reading");
    return *now;
  }
};

namespace {

MotionRunner& runner_of(BoundRunner& self) {
  (void)self.core->body();  // throws if it has been freed
  return *self.core->runner;
}

// The value of one number for each contact of the simulated robot.
template <class Get>
nb::object of_contacts(const control::MotionReading& r, Get get) {
  const auto& all = r.robot.contacts();
  Eigen::VectorXd x(Eigen::Index(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) x[Eigen::Index(i)] = get(all[i]);
  return to_numpy(x);
}

void bind_reading(nb::module_& m) {
  using R = BoundReading;
  nb::class_<R>(m, "MotionReading",
                "What the observer of run() is given after each tick, for the time of its call. All arrays are copies.")
      .def_prop_ro(
          "time", [](const R& r) { return r.get().robot.time(); }, "Of the simulated robot, s.")
      .def_prop_ro(
          "q", [](const R& r) { return to_numpy(r.get().robot.q()); }, nb::sig("def q(self) -> NDArray[np.float64]"),
          "True configuration, (nq,).")
      .def_prop_ro(
          "v", [](const R& r) { return to_numpy(r.get().robot.v()); }, nb::sig("def v(self) -> NDArray[np.float64]"),
          "True velocity, (nv,).")
      .def_prop_ro(
          "tick", [](const R& r) { return BoundTick(r.get().tick); }, "A copy.")
      .def_prop_ro(
          "tick_us", [](const R& r) { return r.get().tick_us; },
          "Computation time of the controller for this tick, µs.")
      .def_prop_ro("stage_index", [](const R& r) { return r.get().runner.stage_index(); })
      .def_prop_ro("phase", [](const R& r) { return r.get().runner.phase(); })
      .def_prop_ro(
          "desired_com", [](const R& r) { return r.get().runner.desired_com(); },
          "Target of the center of mass, (3,), m.")
      .def_prop_ro(
          "desired_q", [](const R& r) { return to_numpy(r.get().runner.desired_q()); },
          nb::sig("def desired_q(self) -> NDArray[np.float64]"), "(nq,)")
      .def_prop_ro(
          "desired_v", [](const R& r) { return to_numpy(r.get().runner.desired_v()); },
          nb::sig("def desired_v(self) -> NDArray[np.float64]"), "(nv,)")
      .def_prop_ro(
          "forces",
          [](const R& r) {
            std::vector<Vec3<double>> all;
            for (const auto& c : r.get().robot.contacts()) all.push_back(c.force);
            return all;
          },
          "Of the contacts, on the simulated robot, along the world's axes, (contacts, 3), N.")
      .def_prop_ro(
          "normals", [](const R& r) { return of_contacts(r.get(), [](const auto& c) { return c.normal; }); },
          nb::sig("def normals(self) -> NDArray[np.float64]"), "Normal force of each contact, N.")
      .def_prop_ro(
          "friction_use", [](const R& r) { return of_contacts(r.get(), [](const auto& c) { return c.friction_use; }); },
          nb::sig("def friction_use(self) -> NDArray[np.float64]"), "Of each contact; with more than 1 it slips.")
      .def_prop_ro(
          "slip", [](const R& r) { return of_contacts(r.get(), [](const auto& c) { return c.slip; }); },
          nb::sig("def slip(self) -> NDArray[np.float64]"), "Of each contact, m.");
}

void bind_reports(nb::module_& m) {
  bind_record<Transition>(m, "Transition", "When a phase of a stage was entered.",
                          std::tuple{Field{"time", &Transition::time, "s"}, Field{"stage", &Transition::stage, ""},
                                     Field{"phase", &Transition::phase, ""}});
  using C = control::ContactReport;
  bind_record<C>(
      m, "ContactReport", "A contact's extremes over a run.",
      std::tuple{
          Field{"name", &C::name, ""}, Field{"max_normal", &C::max_normal, "On the simulated robot, N."},
          Field{"planned_friction_use", &C::planned_friction_use, "Of the controller's forces, at most 1."},
          Field{"friction_use", &C::friction_use,
                "On the simulated robot, while it carries more than 5 % of the weight; more than 1 where it slipped."},
          Field{"light_friction_use", &C::light_friction_use, "The same while it carries less."},
          Field{"slip", &C::slip, "m"},
          Field{"loaded_slip", &C::loaded_slip, "While it carries more than 5 % of the weight, m."}});
  using M = control::MotorReport;
  bind_record<M>(
      m, "MotorReport", "A motor's extremes over a run.",
      std::tuple{Field{"joint", &M::joint, ""},
                 Field{"max_torque", &M::max_torque, "The largest that was asked for, before clamping, N m."},
                 Field{"limit", &M::limit, "N m"},
                 Field{"nearest_limit", &M::nearest_limit,
                       "Smallest distance from a position limit, rad, m; negative beyond it."},
                 Field{"max_velocity", &M::max_velocity, "Of the simulated robot, rad/s, m/s."},
                 Field{"velocity_limit", &M::velocity_limit, "rad/s, m/s"},
                 Field{"saturated", &M::saturated, "When its torque was first at the limit, s; negative: never."}});
  using K = control::ClearanceReport;
  bind_record<K>(m, "ClearanceReport", "A clearance's extremes over a run.",
                 std::tuple{Field{"name", &K::name, ""}, Field{"min_distance", &K::min_distance, "m"},
                            Field{"required", &K::required, "m"}});
  using R = control::MotionReport;
  auto report = bind_record<R>(
      m, "MotionReport", "How a run went.",
      std::tuple{Field{"succeeded", &R::succeeded, ""}, Field{"stopped", &R::stopped, "stop() ended the run."},
                 Field{"failure", &R::failure, "Why it failed; empty if it succeeded."},
                 Field{"seconds", &R::seconds, ""}, Field{"ticks", &R::ticks, ""},
                 Field{"elastic_ticks", &R::elastic_ticks, ""}, Field{"failed_ticks", &R::failed_ticks, ""},
                 Field{"tick_median", &R::tick_median, "µs, dynamics included."}, Field{"tick_p99", &R::tick_p99, "µs"},
                 Field{"tick_max", &R::tick_max, "µs"},
                 Field{"max_com_error", &R::max_com_error, "Distance of the center of mass from its target, m."},
                 Field{"hold_com_error", &R::hold_com_error, "The same at the ends of holds, m."},
                 Field{"hold_posture_error", &R::hold_posture_error, "Of a joint, at the ends of holds, rad, m."},
                 Field{"first_elastic", &R::first_elastic, "When a tick was first elastic, s; negative: never."},
                 Field{"misses", &R::misses, "What was not as the motion wants it, in words."},
                 Field{"contacts", &R::contacts, ""}, Field{"motors", &R::motors, ""},
                 Field{"clearances", &R::clearances, ""}, Field{"transitions", &R::transitions, ""}});
  nb::delattr(report, "__repr__");  // The one of records would be too long.
  report.def_prop_ro("max_friction_use", [](const R& r) { return r.max_friction_use(); })
      .def_prop_ro(
          "max_slip", [](const R& r) { return r.max_slip(); }, "m")
      .def_prop_ro(
          "max_torque_use", [](const R& r) { return r.max_torque_use(); }, "|torque| / limit.")
      .def("__repr__", [](const R& r) {
        char text[160];
        std::snprintf(text, sizeof text, "%s, %.3f s, %ld ticks, torque use %.2f, friction use %.2f)",
                      r.succeeded ? "succeeded" : "failed", r.seconds, r.ticks, r.max_torque_use(),
                      r.max_friction_use());
        return "MotionReport(" + std::string(text).insert(r.succeeded ? 9 : 6, r.succeeded ? "" : ": " + r.failure);
      });
}

// Calls observer and progress, and has them end the run with what they raise.
class Watcher {
 public:
  Watcher(nb::handle observer, nb::handle stop, nb::handle progress, const control::MotionPlan& plan)
      : observer_(observer), stop_(stop), progress_(progress), plan_(plan) {
    for (const auto& stage : plan.stages) seconds_ += stage.seconds + stage.hold;
  }
  void observe(const control::MotionReading& r) {
    if (!observer_.is_none()) {
      const nb::gil_scoped_acquire acquire;
      const nb::object reading = nb::cast(BoundReading{&r});
      struct End {
        BoundReading& reading;
        ~End() { reading.now = nullptr; }
      } end{*nb::inst_ptr<BoundReading>(reading)};
      observer_(reading);
    }
    const auto now = std::chrono::steady_clock::now();
    if (progress_.is_none() || now - shown_ < std::chrono::milliseconds(100)) return;
    shown_ = now;
    const nb::gil_scoped_acquire acquire;
    const auto stage = r.runner.stage_index();
    progress_(std::min(.99, r.robot.time() / std::max(1e-3, seconds_)),
              stage < plan_.stages.size() ? plan_.stages[stage].name : std::string("done"));
  }
  bool stop() {
    signals_.check();
    if (stop_.is_none()) return false;
    const nb::gil_scoped_acquire acquire;
    return truth("stop", stop_());
  }

 private:
  nb::handle observer_, stop_, progress_;
  const control::MotionPlan& plan_;
  double seconds_ = 0;
  SignalWatch signals_;
  std::chrono::steady_clock::time_point shown_ = {};
};

void expect_function(const char* name, nb::handle f) {
  if (f.is_none() || PyCallable_Check(f.ptr())) return;
  PyErr_Format(PyExc_TypeError, "%s is %R, expected a function or None", name, f.ptr());
  throw nb::python_error();
}

control::MotionReport run_plan(const BoundModel& model, nb::handle plan_or_path, const std::string& simulator,
                               nb::handle controller, nb::handle step, int substeps, nb::handle pushes,
                               double mass_error, int delay, double position_noise, double velocity_noise,
                               std::uint64_t seed, double max_duration, nb::handle observer, nb::handle stop,
                               nb::handle progress) {
  const auto plan = plan_of(model, plan_or_path);
  expect_function("observer", observer), expect_function("stop", stop), expect_function("progress", progress);
  control::MotionOptions options;
  options.simulator = sim::simulator_of(simulator);
  options.controller =
      options_of<control::WholeBodyOptions>("WholeBodyOptions", controller, nb::kwargs(), whole_body_fields());
  if (!step.is_none()) options.controller.step = nb::cast<double>(step);
  options.robot.step = options.controller.step, options.robot.substeps = substeps;
  auto& i = options.robot.imperfections;
  i.mass_error = mass_error, i.delay = delay, i.position_noise = position_noise, i.velocity_noise = velocity_noise,
  i.seed = seed;
  for (const auto push : nb::iter(pushes)) i.pushes.push_back(push_of(model, push));
  options.max_duration = max_duration;
  Watcher watcher(observer, stop, progress, plan);
  options.observer = [&](const control::MotionReading& r) { watcher.observe(r); };
  options.stop = [&] { return watcher.stop(); };
  const nb::gil_scoped_release release;
  return control::run(model, plan, options);
}

}  // namespace

namespace {

void bind_runner_readings(nb::class_<BoundRunner>& c) {
  using B = BoundRunner;
  c.def_prop_ro("phase", [](B& self) { return runner_of(self).phase(); }).def_prop_ro("done", [](B& self) {
    return runner_of(self).done();
  });
  c.def_prop_ro("failed", [](B& self) { return runner_of(self).failed(); })
      .def_prop_ro(
          "failure", [](B& self) { return runner_of(self).failure(); },
          "Stage, phase, time and reason; empty unless failed.");
  c.def_prop_ro(
       "time", [](B& self) { return runner_of(self).time(); }, "s")
      .def_prop_ro("transitions", [](B& self) { return runner_of(self).transitions(); }, "A list of Transition.");
  c.def_prop_ro(
      "controller", [](B& self) { return BoundWholeBody{self.core}; },
      "The WholeBody that it drives, to which more tasks may be added.");
  c.def_prop_ro("plan", [](B& self) { return from_plan(runner_of(self).plan()); }, "A copy.");
  c.def_prop_ro(
      "desired_com", [](B& self) { return runner_of(self).desired_com(); },
      "Target of the center of mass at this tick, (3,), m.");
  c.def_prop_ro(
      "desired_q", [](B& self) { return to_numpy(runner_of(self).desired_q()); },
      nb::sig("def desired_q(self) -> NDArray[np.float64]"), "Target of the posture task at this tick, (nq,).");
  c.def_prop_ro(
      "desired_v", [](B& self) { return to_numpy(runner_of(self).desired_v()); },
      nb::sig("def desired_v(self) -> NDArray[np.float64]"), "Its velocity, (nv,).");
  c.def_prop_ro(
      "stage_index", [](B& self) { return runner_of(self).stage_index(); },
      "Index of the stage in the plan; the number of stages when the plan is done.");
  c.def_prop_ro(
      "start", [](B& self) { return to_numpy(runner_of(self).start()); },
      nb::sig("def start(self) -> NDArray[np.float64]"), "q of the posture in which the plan begins.");
  c.def("__repr__", [](B& self) {
    auto& r = runner_of(self);
    return "MotionRunner('" + r.plan().name + "', " + to_string(r.phase()) + ", stage " +
           std::to_string(r.stage_index()) + " of " + std::to_string(r.plan().stages.size()) + ")";
  });
}

}  // namespace

void bind_motion_runner(nb::module_& m) {
  bind_reports(m);
  using B = BoundRunner;
  auto c = nb::class_<B>(m, "MotionRunner", nb::type_slots(core_slots<B>),
                         "Executes a motion plan, tick by tick: a finite-state machine that moves the targets of a "
                         "whole-body controller from one static posture to the next.");
  c.def(
      "__init__",
      [](B* self, const BoundModel& model, nb::handle plan, nb::handle options, const nb::kwargs& fields) {
        auto core = std::make_shared<ControlCore>(model);
        core->runner = std::make_unique<MotionRunner>(
            model, plan_of(model, plan),
            options_of<control::WholeBodyOptions>("WholeBodyOptions", options, fields, whole_body_fields()));
        new (self) B{std::move(core)};
      },
      "robot"_a, "plan"_a, "options"_a = nb::none(), "fields"_a,
      nb::sig("def __init__(self, robot: lissom._core.Model, plan: Any, options: WholeBodyOptions | None = None, "
              "**fields: Any) -> None"));
  c.def(
      "advance",
      [](B& self, nb::handle q, nb::handle v) {
        auto& core = *self.core;
        const auto taken = core.take();
        const Eigen::VectorXd at_q = vector("q", q, core.model.nq()), at_v = vector("v", v, core.model.nv());
        core.follow();
        auto& runner = runner_of(self);
        const nb::gil_scoped_release release;
        return BoundTick(runner.advance(at_q, at_v));
      },
      "q"_a, "v"_a, nb::sig("def advance(self, q: ArrayLike, v: ArrayLike) -> Tick"),
      "Solves one tick for the sensed state. After the last stage the targets stay constant.");
  bind_runner_readings(c);
}

void bind_motion_run(nb::module_& m) {
  bind_reading(m);
  m.def(
      "run", &run_plan, "robot"_a, "plan"_a, "simulator"_a = "contact", "controller"_a = nb::none(),
      "step"_a = nb::none(), "substeps"_a = 1, "pushes"_a = nb::make_tuple(), "mass_error"_a = 0.0, "delay"_a = 0,
      "position_noise"_a = 0.0, "velocity_noise"_a = 0.0, "seed"_a = 0, "max_duration"_a = 300.0,
      "observer"_a = nb::none(), "stop"_a = nb::none(), "progress"_a = nb::none(),
      nb::sig("def run(robot: lissom._core.Model, plan: Any, simulator: Literal['contact', "
              "'prescribed_acceleration'] = 'contact', controller: WholeBodyOptions | None = None, "
              "step: float | None = None, substeps: int = 1, pushes: Iterable[Any] = (), mass_error: float = 0.0, "
              "delay: int = 0, position_noise: float = 0.0, velocity_noise: float = 0.0, seed: int = 0, "
              "max_duration: float = 300.0, observer: Callable[[MotionReading], Any] | None = None, stop: Callable[[], "
              "bool] | None = None, progress: Callable[[float, str], Any] | None = None) -> MotionReport"),
      "Executes a motion on a simulated robot, from its start posture, at rest, and reports whether it succeeded and "
      "with which margins.\n\n"
      "plan: a MotionPlan, or the path of a motion file. step: length of a tick, s; None: that of the controller's "
      "options. substeps: steps of the simulator per tick. "
      "pushes: (frame, force, from, until): a force, (3,), N, on the origin of the frame, along the world's axes, in "
      "that time, s. mass_error: masses and inertias of links are wrong by up to this fraction. "
      "delay: of torques, in ticks. position_noise, velocity_noise: standard deviations of the sensed state, rad and "
      "m, rad/s and m/s. "
      "observer(reading) is called after each tick; stop() is asked after each tick and ends the run if it returns "
      "True; progress(fraction, stage) is called every 100 ms.");
}

}  // namespace lissom::python
