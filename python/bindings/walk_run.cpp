// Gaits on a simulated robot, and reports of them.
#include "energy.h"
#include "run_arguments.h"
#include "walking.h"

namespace lissom::python {

using namespace nb::literals;
using walking::WalkReading;
LISSOM_PYTHON_TYPE(walking::FootReport, "FootReport")

namespace {

/// What an observer is given; null when its call has ended.
struct BoundWalkReading {
  const WalkReading* now = nullptr;
  const WalkReading& get() const {
    if (!now)
      throw Error(
          "this WalkReading belongs to a call of the observer that has ended; keep what you read from it, not the "
          "reading");
    return *now;
  }
};

template <class F>
auto of_reading(const F& f) {
  return [f](const BoundWalkReading& r) { return f(r.get()); };
}

void bind_reading(nb::module_& m) {
  const auto pair = [](const walking::Vec2& p) { return to_numpy(Eigen::VectorXd(p)); };
  nb::class_<BoundWalkReading>(
      m, "WalkReading",
      "What the observer of run() is given after each tick, for the time of its call. All arrays are copies.")
      .def_prop_ro("time", of_reading([](const WalkReading& r) { return r.robot.time(); }), "s")
      .def_prop_ro("q", of_reading([](const WalkReading& r) { return to_numpy(r.robot.q()); }),
                   nb::sig("def q(self) -> NDArray[np.float64]"), "True configuration, (nq,).")
      .def_prop_ro("v", of_reading([](const WalkReading& r) { return to_numpy(r.robot.v()); }),
                   nb::sig("def v(self) -> NDArray[np.float64]"), "True velocity, (nv,).")
      .def_prop_ro("tick", of_reading([](const WalkReading& r) { return BoundTick(r.tick); }), "A copy.")
      .def_prop_ro("tick_us", of_reading([](const WalkReading& r) { return r.tick_us; }),
                   "Computation time of the walker for this tick, µs.")
      .def_prop_ro("phase", of_reading([](const WalkReading& r) { return r.walker.phase(); }))
      .def_prop_ro("steps", of_reading([](const WalkReading& r) { return r.walker.steps(); }), "That were made.")
      .def_prop_ro("capture_steps", of_reading([](const WalkReading& r) { return r.walker.capture_steps(); }))
      .def_prop_ro("dcm", of_reading([pair](const WalkReading& r) { return pair(r.walker.dcm()); }),
                   nb::sig("def dcm(self) -> NDArray[np.float64]"), "Divergent component of motion ξ, (2,), m.")
      .def_prop_ro("desired_dcm", of_reading([pair](const WalkReading& r) { return pair(r.walker.desired_dcm()); }),
                   nb::sig("def desired_dcm(self) -> NDArray[np.float64]"), "Its reference, (2,), m.")
      .def_prop_ro("normals", of_reading([](const WalkReading& r) {
                     Eigen::VectorXd x(long(r.robot.contacts().size()));
                     for (long i = 0; i < x.size(); ++i) x[i] = r.robot.contacts()[std::size_t(i)].normal;
                     return to_numpy(x);
                   }),
                   nb::sig("def normals(self) -> NDArray[np.float64]"), "Normal force of each foot, N.");
}

std::string text_of(const walking::WalkReport& r) {
  char text[160];
  std::snprintf(text, sizeof text, ", %d of %d steps, %.3f m in %.3f s, %d capture steps)", r.steps, r.planned_steps,
                r.distance, r.seconds, r.capture_steps);
  return "WalkReport(" + (r.succeeded ? std::string("succeeded") : "failed: " + r.failure) + text;
}

void bind_report(nb::module_& m) {
  using F = walking::FootReport;
  bind_result<F>(m, "FootReport", "A foot at the end of a run.",
                 std::tuple{Field{"frame", &F::frame, "Of the foot."},
                            Field{"error", &F::error, "From where the plan, with its adaptations, wants it, m."},
                            Field{"max_normal", &F::max_normal, "N"},
                            Field{"slip", &F::slip, "While it carried more than 5 % of the weight, m."}});
  using R = walking::WalkReport;
  bind_result<R>(
      m, "WalkReport", "How a walk went, judged on the robot's true state.",
      std::tuple_cat(
          std::tuple{
              Field{"succeeded", &R::succeeded, "It walked all steps, and stands."},
              Field{"stopped", &R::stopped, "stop() ended the run."},
              Field{"failure", &R::failure, "Why it failed; empty if it succeeded."},
              Field{"seconds", &R::seconds, "Simulated time, s."},
              Field{"planned_steps", &R::planned_steps, "Steps that were asked for."},
              Field{"steps", &R::steps, "That were made."},
              Field{"capture_steps", &R::capture_steps, "Steps that were added to catch a push."},
              Field{"adapted_steps", &R::adapted_steps, "Steps that were moved to catch a push."},
              Field{"distance", &R::distance, "Of the middle of all feet, from start to end, m."},
              Field{"turned", &R::turned, "From start to end, rad."},
              Field{"speed", &R::speed,
                    "Of the center of mass, from the second planned step to the last but one, m/s."},
              Field{"max_dcm_error", &R::max_dcm_error, "Distance of ξ from its reference, m."},
              Field{"max_tilt", &R::max_tilt, "Of the base, from its orientation at the start, heading aside, rad."},
              Field{"step_length", &R::step_length, "m"},
              Field{"step_time", &R::step_time, "s"},
              Field{"ticks", &R::ticks, "Of the controller."},
              Field{"elastic_ticks", &R::elastic_ticks, "In which constraints were relaxed."},
              Field{"failed_ticks", &R::failed_ticks, "Without a solution."},
              Field{"tick_median", &R::tick_median, "µs, dynamics included."},
              Field{"tick_p99", &R::tick_p99, "µs"},
              Field{"tick_max", &R::tick_max, "µs"},
              Field{"max_torque_use", &R::max_torque_use, "Of the effort limit, before clamping."},
              Field{"max_torque_joint", &R::max_torque_joint, "The joint with the largest torque over its limit."},
              Field{"first_elastic", &R::first_elastic, "When a tick was first elastic, s; negative: never."},
              Field{"beyond_limits", &R::beyond_limits,
                    "Joints that went beyond their limits of position or velocity, in words."},
              Field{"feet", &R::feet, "A list of FootReport."},
              Field{"remarks", &R::remarks, "What about the robot makes walking hard."}},
          energy_fields<R>()),
      &text_of);
}

struct WalkRun : RunArguments {
  std::optional<walking::WalkerGains> gains = {};
  double settle_timeout = walking::WalkOptions().settle_timeout;
};

auto walk_run_fields() {
  using W = WalkRun;
  return std::tuple_cat(fields_for<W>(run_fields()),
                        std::tuple{Field{"gains", &W::gains, ""}, Field{"settle_timeout", &W::settle_timeout, ""}});
}

// An argument that neither the gait nor the run has: an Error that names all that there are.
void expect_known(const nb::kwargs& arguments) {
  std::vector<std::string> known;
  const auto add = [&](const auto&... f) { (known.emplace_back(f.name), ...); };
  std::apply(add, gait_fields());
  std::apply(add, walk_run_fields());
  for (const auto [key, value] : arguments)
    if (const auto name = nb::cast<std::string>(key); std::ranges::find(known, name) == known.end())
      unknown_field("run", name, known);
}

// Fields of GaitOptions are taken out of the arguments by name.
walking::GaitOptions gait_of(nb::handle options, nb::kwargs& arguments) {
  nb::kwargs gait = nb::steal<nb::kwargs>(PyDict_New());
  std::apply(
      [&](const auto&... f) {
        const auto move = [&](const char* name) {
          if (!arguments.contains(name)) return;
          gait[name] = arguments[name];
          PyDict_DelItemString(arguments.ptr(), name);
        };
        (move(f.name), ...);
      },
      gait_fields());
  return options_of<walking::GaitOptions>("GaitOptions", options, gait, gait_fields());
}

walking::WalkReport run_walk(const BoundModel& model, nb::handle q, nb::handle feet, nb::handle options,
                             const nb::kwargs& given) {
  const auto contacts = contacts_of(feet, "feet");
  const Eigen::VectorXd at = vector("q", q, model.nq()), rest = Eigen::VectorXd::Zero(model.nv());
  nb::kwargs arguments = nb::steal<nb::kwargs>(PyDict_Copy(given.ptr()));
  expect_known(arguments);
  walking::WalkOptions walk;
  walk.gait = gait_of(options, arguments);
  const auto a = options_of<WalkRun>("run", nb::none(), arguments, walk_run_fields());
  expect_functions(a);
  walk.gains = a.gains.value_or(walking::WalkerGains());
  walk.simulator = sim::simulator_of(a.simulator);
  walk.controller = controller_options(a);
  walk.robot = robot_options(model, a, walk.controller.step);
  walk.ground_friction = a.ground_friction, walk.settle_timeout = a.settle_timeout;
  const std::string name = name_of(walk.gait.gait);
  RunRecorder record(model, a, contacts, walk.robot.imperfections.pushes, name, {name},
                     {names<walking::Walker::Phase>.begin(), names<walking::Walker::Phase>.end()});
  RunWatch watch(a);
  walk.observer = [&](const WalkReading& r) {
    // A gait has no reference of the center of mass of its own: the divergent component of motion leads it.
    record.write({r.robot, r.tick, r.tick_us, r.tick.com, at, rest, 0, std::size_t(r.walker.phase()), r.figures});
    RunWatch::observe<BoundWalkReading>(a.observer, r);
    const int planned = r.walker.plan().steps();
    const double part = planned > 0 ? double(r.walker.steps()) / (planned + 1) : r.robot.time() / walk.gait.duration;
    watch.show(part, [&] { return std::string(walking::to_string(r.walker.phase())); });
  };
  walk.stop = [&] { return watch.stop(); };
  const nb::gil_scoped_release release;
  auto report = walking::run(model, at, contacts, walk);
  record.close();
  return report;
}

}  // namespace

void bind_walk_run(nb::module_& m) {
  bind_reading(m);
  bind_report(m);
  static const std::string doc =
      "Walks, trots or balances on a simulated robot, and reports how it went, judged on the robot's true state.\n\n"
      "The robot stands at q, (nq,), at rest, start_height above z = 0. feet: its RobotContacts, whose feet are taken, "
      "or Contacts, or names of frames. options: GaitOptions, or its fields by name. gains: of the walker. "
      "settle_timeout: after the plan's own time, in which the robot has to come to rest, s.\n\n"
      "    robot, contacts, stance = lissom.load_standing_robot('robot.urdf')\n"
      "    walking.run(robot, stance.q, contacts, speed=0.3, pushes=[('chest', [120, 0, 0], 2, 2.1)])\n\n" +
      run_meaning;
  static const std::string signature =
      "def run(robot: lissom._core.Model, q: ArrayLike, feet: lissom._core.RobotContacts | "
      "Sequence[lissom._core.Contact | str], options: GaitOptions | None = None, *, gains: WalkerGains | None = None, "
      "settle_timeout: float = 6.0, observer: Callable[[WalkReading], Any] | None = None, " +
      gait_signature + ", " +
      [] {
        std::string text = run_signature;
        const std::string type = "WholeBodyOptions";
        return text.replace(text.find(type), type.size(), "lissom._core.control." + type);
      }() +
      ") -> WalkReport";
  m.def("run", &run_walk, "robot"_a, "q"_a, "feet"_a, "options"_a = nb::none(), "arguments"_a,
        nb::sig(signature.c_str()), doc.c_str());
}

}  // namespace lissom::python
