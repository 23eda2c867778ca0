// Motions on a robot: tick by tick with a MotionRunner, or as a whole on a simulated robot.
#include "lissom/limbs/standing_robot.h"
#include "run_arguments.h"

LISSOM_ENUM(lissom::control::MotionRunner::Phase, "releasing", "moving", "landing", "settling", "holding", "done",
            "failed")
LISSOM_ENUM(lissom::control::Sensing, "full", "encoders")
LISSOM_ENUM(lissom::control::JointMode, "torque", "position", "velocity")

namespace lissom::python {

using namespace nb::literals;
using control::MotionRunner;
using Transition = MotionRunner::Transition;
LISSOM_PYTHON_TYPE(Transition, "Transition")
LISSOM_PYTHON_TYPE(control::Tolerances, "Tolerances")

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

struct PlanRun : RunArguments {
  control::Sensing sensing = control::Sensing::full;
  control::JointMode mode = control::JointMode::torque;
  control::Tolerances tolerances = {};
  double max_duration = control::MotionOptions().max_duration;
};

auto plan_run_fields() {
  using P = PlanRun;
  return std::tuple_cat(
      fields_for<P>(run_fields()),
      std::tuple{Field{"sensing", &P::sensing, ""}, Field{"mode", &P::mode, ""},
                 Field{"tolerances", &P::tolerances, ""}, Field{"max_duration", &P::max_duration, ""}});
}

// The names to which the signal `stage` of recordings refers.
std::vector<std::string> stage_names(const control::MotionPlan& plan) {
  std::vector<std::string> all;
  for (const auto& stage : plan.stages) all.push_back(stage.name);
  all.emplace_back("end");
  return all;
}
std::vector<std::string> phase_names() {
  return {names<MotionRunner::Phase>.begin(), names<MotionRunner::Phase>.end()};
}

control::MotionReport run_plan(const BoundModel& model, nb::handle plan_or_path, const nb::kwargs& given) {
  const auto plan = plan_of(model, plan_or_path);
  expect_usable(model);
  const auto a = options_of<PlanRun>("run", nb::none(), given, plan_run_fields());
  expect_functions(a);
  control::MotionOptions options;
  options.simulator = sim::simulator_of(a.simulator);
  options.controller = controller_options(a);
  options.robot = robot_options(model, a, options.controller.step);
  options.ground_friction = a.ground_friction, options.sensing = a.sensing, options.mode = a.mode,
  options.tolerances = a.tolerances;
  options.max_duration = a.max_duration;
  RunRecorder record(model, a, plan.contacts, options.robot.imperfections.pushes, plan.name, stage_names(plan),
                     phase_names());
  RunWatch watch(a);
  double seconds = 0;  // that the plan says; releasing, landing and settling take longer
  for (const auto& stage : plan.stages) seconds += stage.seconds + stage.hold;
  options.observer = [&](const control::MotionReading& r) {
    auto& runner = r.runner;
    const auto stage = runner.stage_index();
    record.write({r.robot, r.tick, r.tick_us, runner.desired_com(), runner.desired_q(), runner.desired_v(), stage,
                  std::size_t(runner.phase()), r.figures});
    RunWatch::observe<BoundReading>(a.observer, r);
    watch.show(r.robot.time() / std::max(1e-3, seconds),
               [&] { return stage < plan.stages.size() ? plan.stages[stage].name : std::string("done"); });
  };
  options.stop = [&] { return watch.stop(); };
  const nb::gil_scoped_release release;
  auto report = control::run(model, plan, options);
  record.close();
  return report;
}

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
  using T = control::Tolerances;
  bind_record<T>(
      m, "Tolerances",
      "How far the simulated robot may be from what a motion wants, at the end of each hold and in all. Lengths are "
      "for "
      "a robot whose center of mass is 0.75 m high, and are scaled for others.",
      std::tuple{Field{"limb", &T::limb, "Of contacts and moved limbs, from their targets, m."},
                 Field{"limb_angle", &T::limb_angle, "rad"}, Field{"com", &T::com, "Of the center of mass, m."},
                 Field{"posture", &T::posture, "Of every joint, in stages that hold a posture, rad or m."},
                 Field{"joint_limit", &T::joint_limit, "Beyond a position limit, rad or m."},
                 Field{"velocity", &T::velocity, "Fraction of a velocity limit."}});
  static const std::string doc =
      "Executes a motion on a simulated robot, from its start posture, at rest, and reports whether it succeeded and "
      "with which margins.\n\n"
      "plan: a MotionPlan, or the path of a motion file. sensing: what the controller knows: 'full', the whole state; "
      "'encoders', the joints alone and a gyroscope and an accelerometer in the base, from which it estimates the "
      "rest. mode: what the joints take: torques, or positions or velocities that their servos follow (simulator "
      "'contact'). tolerances: for success. max_duration: of simulated time, s.\n\n" +
      run_meaning;
  static const std::string signature =
      "def run(robot: lissom._core.Model, plan: Any, *, sensing: Literal['full', 'encoders'] = 'full', mode: "
      "Literal['torque', 'position', 'velocity'] = 'torque', tolerances: "
      "Tolerances = ..., max_duration: float = 300.0, observer: Callable[[MotionReading], Any] | None = None, " +
      run_signature + ") -> MotionReport";
  m.def("run", &run_plan, "robot"_a, "plan"_a, "arguments"_a, nb::sig(signature.c_str()), doc.c_str());
  m.def(
      "predicted_failure",
      [](const BoundModel& model, nb::handle plan) {
        const auto motion = plan_of(model, plan);
        const nb::gil_scoped_release release;
        return control::predicted_failure(model, motion);
      },
      "robot"_a, "plan"_a, nb::sig("def predicted_failure(robot: lissom._core.Model, plan: Any) -> str"),
      "Why the motion fails on the simulator 'prescribed_acceleration', undisturbed; empty: it succeeds. What fails "
      "there "
      "asks too much of the motors or of balance. plan: a MotionPlan, or the path of a motion file.");
}

}  // namespace lissom::python
