// Engines in maximal coordinates, driven in generalized ones.
#include "lissom/bridge/bridge.h"

#include "energy.h"
#include "sim_types.h"

namespace lissom::python {

using namespace nb::literals;
using bridge::BridgeRun;

namespace {

struct BoundBridge {
  BoundBridge(const Model& model, const std::string& name, const Eigen::VectorXd& q, const Eigen::VectorXd& v)
      : nv(model.nv()), engine(name), bridge(model, name, q, v) {}
  int nv;
  std::string engine;
  bridge::Bridge bridge;
  OneCaller in_use;
};

sim::State state_of(const Model& model, nb::handle q, nb::handle v) {
  sim::State x{0, vector("q", q, model.nq()),
               v.is_none() ? Eigen::VectorXd(Eigen::VectorXd::Zero(model.nv())) : vector("v", v, model.nv()), 0};
  expect_state(model, x);
  return x;
}

nb::list drift(BoundBridge& self) {
  const OneCaller::Reading use(self.in_use, "Bridge");
  nb::list list;
  for (const auto& joint : self.bridge.state().position)
    list.append(nb::make_tuple(joint.joint, joint.linear, joint.angular));
  return list;
}

BridgeRun run(const BoundModel& model, const std::string& engine, nb::handle controller, nb::handle q, nb::handle v,
              double seconds, double step, nb::handle progress) {
  const auto x = state_of(model, q, v);
  const auto drive = controller_of(model, controller);
  if (!drive) throw Error("controller is None, expected a Controller or a function of (t, q, v)");
  std::shared_ptr<PythonFunction> report;
  if (!progress.is_none()) report = std::make_shared<PythonFunction>(progress);
  Interruption interruption{nb::none()};
  const nb::gil_scoped_release release;
  return bridge::run(model, engine, *drive, x.q, x.v, seconds, step, [&](double done) {
    (void)interruption();  // throws on Ctrl-C
    if (!report) return true;
    const nb::gil_scoped_acquire gil;
    const nb::object wanted = (**report)(done);
    return !wanted.is(nb::handle(Py_False));
  });
}

}  // namespace

namespace {

void bind_bridge_runs(nb::module_& m) {
  using R = BridgeRun;
  const auto of = [](const char* name, auto member, const char* doc) {
    return Field<R, std::remove_cvref_t<decltype(std::declval<R>().*member)>>{name, member, doc};
  };
  bind_result<R>(
      m, "BridgeRun",
      "An engine's motion, compared with lissom's own simulation, and the energy in the engine. One of the warnings "
      "says so where energy appeared from nowhere in lissom's own simulation.",
      std::tuple_cat(
          std::tuple{of("engine", &R::engine, ""), of("step", &R::step, "s"), of("seconds", &R::seconds, ""),
                     of("max_error", &R::max_error, "Of joints, rad or m."), of("rms_error", &R::rms_error, ""),
                     of("worst_joint", &R::worst_joint, ""),
                     of("drift", &R::drift, "Largest constraint violation of the engine's joints, m or rad."),
                     of("wall_time", &R::wall_time, "Of the engine's run, s."),
                     of("stopped", &R::stopped, "Before its time: `seconds` is what was simulated.")},
          energy_fields<R>()));
  m.def(
      "tracking_controller",
      [](const BoundModel& model, nb::handle posture, double amplitude, double sine_frequency, double frequency) {
        return BoundController{bridge::tracking_controller(model, {vector("posture", posture, model.nq()), amplitude,
                                                                   sine_frequency, frequency}),
                               {},
                               model.nq(),
                               model.nv()};
      },
      "model"_a, "posture"_a, "amplitude"_a = bridge::Tracking().amplitude,
      "sine_frequency"_a = bridge::Tracking().sine_frequency, "frequency"_a = bridge::Tracking().frequency,
      nb::sig("def tracking_controller(model: lissom.Model, posture: ArrayLike, amplitude: float = 0.0, "
              "sine_frequency: float = 0.5, frequency: float = 2.0) -> lissom.sim.Controller"),
      "Gravity compensation and PD tracking of a posture, with a sine added to every joint: amplitude in rad or m, "
      "sine_frequency in Hz. frequency: natural frequency of each joint alone, Hz.");
  m.def(
      "run", &run, "model"_a, "engine"_a, "controller"_a.none(), "q"_a, "v"_a = nb::none(), "seconds"_a = 5.0,
      "step"_a = 1e-3, "progress"_a = nb::none(),
      nb::sig(
          "def run(model: lissom.Model, engine: str, controller: Any, q: ArrayLike, v: ArrayLike | None = None, "
          "seconds: float = 5.0, step: float = 0.001, progress: Callable[[float], Any] | None = None) -> BridgeRun"),
      "Runs the same controller from the same state in the engine and in lissom (RK4 with a quarter of the step), "
      "and compares them after every step. progress(done) is called now and then, done is 0 … 1; False ends the run.");
}

}  // namespace

void bind_bridge(nb::module_& top) {
  nb::module_ m = top.def_submodule(
      "bridge", "A controller in generalized coordinates drives an engine in maximal coordinates (ODE, Bullet).");
  m.attr("Work") = top.attr("Work");
  m.def("engines", &bridge::engines, "The engines that lissom was built with.");
  nb::class_<BoundBridge>(m, "Bridge",
                          "A robot in another engine. Its poses and velocities are converted to q and v, and tau to "
                          "forces on bodies. It belongs to one caller at a time.")
      .def(
          "__init__",
          [](BoundBridge* self, const BoundModel& model, const std::string& engine, nb::handle q, nb::handle v) {
            const auto x = state_of(model, q, v);
            new (self) BoundBridge(model, engine, x.q, x.v);
          },
          "model"_a, "engine"_a, "q"_a, "v"_a = nb::none(),
          nb::sig(
              "def __init__(self, model: lissom.Model, engine: str, q: ArrayLike, v: ArrayLike | None = None) -> None"),
          "Creates the mechanism in the engine ('ode', 'bullet'), in the state (q, v); v None: at rest.")
      .def(
          "step",
          [](BoundBridge& self, nb::handle tau, double seconds) {
            const Eigen::VectorXd torques = vector("tau", tau, self.nv);
            if (!(seconds > 0) || !std::isfinite(seconds))
              throw Error("seconds is not positive, expected the length of a step, e.g. 1e-3");
            const OneCaller::Scope use(self.in_use, "Bridge");
            const nb::gil_scoped_release release;
            self.bridge.step(torques, seconds);
          },
          "tau"_a, "seconds"_a, nb::sig("def step(self, tau: ArrayLike, seconds: float) -> None"),
          "Applies tau, (nv,), and takes one step of the engine.")
      .def_prop_ro(
          "q",
          [](BoundBridge& self) {
            const OneCaller::Reading use(self.in_use, "Bridge");
            return to_numpy(self.bridge.state().q);
          },
          nb::sig("def q(self) -> NDArray[np.float64]"), "(nq,), a copy.")
      .def_prop_ro(
          "v",
          [](BoundBridge& self) {
            const OneCaller::Reading use(self.in_use, "Bridge");
            return to_numpy(self.bridge.state().v);
          },
          nb::sig("def v(self) -> NDArray[np.float64]"), "(nv,), a copy.")
      .def_prop_ro("drift", &drift, nb::sig("def drift(self) -> list[tuple[str, float, float]]"),
                   "How far the engine violates each joint: (joint, m, rad).")
      .def("__repr__", [](const BoundBridge& self) {
        return "Bridge(engine='" + self.engine + "', nv=" + std::to_string(self.nv) + ")";
      });
  bind_bridge_runs(m);
}

}  // namespace lissom::python
