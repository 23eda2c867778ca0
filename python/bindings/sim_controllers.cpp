// Controllers and trajectories, built in or written in Python.
#include "lissom/api/state.h"
#include "lissom/model/text.h"
#include "sim_types.h"

namespace lissom::python {

using namespace nb::literals;

namespace {

[[noreturn]] void type_error(const std::string& text) {
  PyErr_SetString(PyExc_TypeError, text.c_str());
  throw nb::python_error();
}

// What a function of Python returned, as a vector; the message says who returned it, and when.
Eigen::VectorXd returned(const std::string& who, nb::handle result, long n, double t) {
  const std::string when = who + " at t = " + to_text(t) + " s";
  if (result.is_none()) type_error(when + " returned None, expected an array of " + std::to_string(n) + " elements");
  return vector(when.c_str(), result, n);
}

// Runs a function of Python. It is called without the GIL.
class PythonController final : public sim::Controller {
 public:
  explicit PythonController(nb::handle object) : object_(std::make_shared<PythonFunction>(object)) {
    const bool has_method = nb::hasattr(object, "torques");
    torques_ = std::make_shared<PythonFunction>(has_method ? nb::object(object.attr("torques")) : nb::borrow(object));
    if (nb::hasattr(object, "command")) command_ = std::make_shared<PythonFunction>(object.attr("command"));
    if (nb::hasattr(object, "gains")) gains_ = std::make_shared<PythonFunction>(object.attr("gains"));
    const nb::object named = nb::hasattr(object, "__name__") ? nb::object(object.attr("__name__"))
                                                             : nb::object(object.type().attr("__name__"));
    name_ = nb::cast<std::string>(nb::str(named));
  }
  const char* name() const override { return name_.c_str(); }
  PythonFunctions functions() const {
    PythonFunctions all{object_, torques_};
    if (command_) all.push_back(command_);
    if (gains_) all.push_back(gains_);
    return all;
  }

  void torques(const sim::Instant& at, Eigen::VectorXd& tau) override {
    const nb::gil_scoped_acquire gil;
    tau += returned(name_ + "(t, q, v)", (**torques_)(at.t, to_numpy(at.q), to_numpy(at.v)), tau.size(), at.t);
  }
  void command(const sim::Instant& at, sim::Command& command) override {
    if (!command_) return sim::Controller::command(at, command);
    const nb::gil_scoped_acquire gil;
    const nb::object result = (**command_)(at.t, to_numpy(at.q), to_numpy(at.v));
    if (nb::isinstance<sim::Command>(result))
      command = nb::cast<const sim::Command&>(result);
    else
      command = {.torques = returned(name_ + ".command(t, q, v)", result, at.model.nv(), at.t)};
  }
  void gains(Eigen::VectorXd& stiffness, Eigen::VectorXd& damping) const override {
    if (!gains_) return;
    const nb::gil_scoped_acquire gil;
    const nb::object both = (**gains_)();
    if (!nb::isinstance<nb::tuple>(both) || nb::len(both) != 2)
      type_error(name_ + ".gains() returned a " + python::type_name(both).c_str() + ", expected (stiffness, damping)");
    stiffness += vector((name_ + ".gains()[0]").c_str(), both[0], stiffness.size());
    damping += vector((name_ + ".gains()[1]").c_str(), both[1], damping.size());
  }

 private:
  std::shared_ptr<PythonFunction> object_, torques_, command_, gains_;
  std::string name_;
};

// A controller of C++ has buffers, and may be shared by systems that run on different threads.
class SharedController final : public sim::Controller {
 public:
  explicit SharedController(BoundController shared) : shared_(std::move(shared)) {}
  const char* name() const override { return shared_.controller->name(); }
  void torques(const sim::Instant& at, Eigen::VectorXd& tau) override {
    const std::lock_guard<std::recursive_mutex> lock(*shared_.mutex);
    shared_.controller->torques(at, tau);
  }
  void command(const sim::Instant& at, sim::Command& command) override {
    const std::lock_guard<std::recursive_mutex> lock(*shared_.mutex);
    shared_.controller->command(at, command);
  }
  void gains(Eigen::VectorXd& stiffness, Eigen::VectorXd& damping) const override {
    shared_.controller->gains(stiffness, damping);
  }

 private:
  BoundController shared_;
};

// A function of Python that returns q, (q, v) or (q, v, a) at time t.
sim::Trajectory python_trajectory(const Model& model, nb::handle function, PythonFunctions& functions) {
  auto f = std::make_shared<PythonFunction>(function);
  functions.push_back(f);
  return [f, nq = model.nq(), nv = model.nv()](double t, sim::Reference& reference) {
    const nb::gil_scoped_acquire gil;
    const nb::object result = (**f)(t);
    if (!nb::isinstance<nb::tuple>(result)) {
      reference.q = returned("trajectory(t)", result, nq, t);
      return;
    }
    const std::size_t n = nb::len(result);
    if (n < 1 || n > 3)
      throw Error("trajectory(t) at t = " + to_text(t) + " s returned " + counted(n, "element") +
                  ", expected q, (q, v) or (q, v, a)");
    reference.q = returned("trajectory(t)[0]", result[0], nq, t);
    if (n > 1) reference.v = returned("trajectory(t)[1]", result[1], nv, t);
    if (n > 2) reference.a = returned("trajectory(t)[2]", result[2], nv, t);
  };
}

// Checks a configuration as all functions on one do.
Eigen::VectorXd configuration(const Model& model, const char* name, nb::handle q) {
  const Eigen::VectorXd x = vector(name, q, model.nq());
  (void)difference(model, x, x);
  return x;
}

sim::Gains checked(double stiffness, double damping) {
  for (const auto& [name, value] : {std::pair{"stiffness", stiffness}, std::pair{"damping", damping}})
    if (!(value >= 0) || !std::isfinite(value))
      throw Error(std::string(name) + " is " + to_text(value) + ", expected a finite number of at least 0");
  return {stiffness, damping};
}

void expect_fits(const BoundController& controller, const Model& model) {
  if ((controller.nq >= 0 && controller.nq != model.nq()) || (controller.nv >= 0 && controller.nv != model.nv()))
    throw Error("controller was made for a robot with nq = " + std::to_string(controller.nq) +
                " and nv = " + std::to_string(controller.nv) + ", expected " + std::to_string(model.nq()) + " and " +
                std::to_string(model.nv()) + " (model '" + model.name() + "')");
}

}  // namespace

sim::Trajectory trajectory_of(const Model& model, nb::handle trajectory, PythonFunctions& functions) {
  if (nb::isinstance<BoundTrajectory>(trajectory)) return nb::cast<const BoundTrajectory&>(trajectory).follow;
  if (PyCallable_Check(trajectory.ptr())) return python_trajectory(model, trajectory, functions);
  return sim::hold(configuration(model, "trajectory", trajectory));
}

std::unique_ptr<sim::Controller> controller_of(const Model& model, nb::handle controller, sim::Trajectory* reference,
                                               PythonFunctions* functions) {
  if (reference) *reference = {};
  if (functions) functions->clear();
  if (controller.is_none()) return nullptr;
  if (nb::isinstance<BoundController>(controller)) {
    const auto& bound = nb::cast<const BoundController&>(controller);
    expect_fits(bound, model);
    if (reference) *reference = bound.reference;
    return std::make_unique<SharedController>(bound);
  }
  if (PyType_Check(controller.ptr()) || (!nb::hasattr(controller, "torques") && !PyCallable_Check(controller.ptr())))
    type_error(std::string("controller is a ") + python::type_name(controller).c_str() +
               ", expected a Controller, a function of (t, q, v), or an object with a method torques(t, q, v)");
  auto made = std::make_unique<PythonController>(controller);
  if (functions) *functions = made->functions();
  return made;
}

namespace {

void bind_controller_functions(nb::module_& m) {
  m.def(
      "pd",
      [](const BoundModel& robot, nb::handle trajectory, double stiffness, double damping, bool gravity) {
        BoundController made{.nq = robot.nq(), .nv = robot.nv()};
        made.reference = trajectory_of(robot, trajectory, made.functions);
        made.controller = sim::pd(robot, made.reference, checked(stiffness, damping), gravity);
        return made;
      },
      "robot"_a, "trajectory"_a, "stiffness"_a = sim::Gains().stiffness, "damping"_a = sim::Gains().damping,
      "gravity_compensation"_a = false,
      nb::sig("def pd(robot: lissom.Model, trajectory: Trajectory | ArrayLike | Callable[[float], Any], stiffness: "
              "float = 100.0, damping: float = 10.0, gravity_compensation: bool = False) -> Controller"),
      "tau = stiffness (q_ref - q) + damping (v_ref - v) in every joint; free joints have no motor. trajectory: a "
      "Trajectory, a posture (nq,) to hold, or a function of t that returns q, (q, v) or (q, v, a).");
  m.def(
      "computed_torque",
      [](const BoundModel& robot, nb::handle trajectory, double stiffness, double damping) {
        BoundController made{.nq = robot.nq(), .nv = robot.nv()};
        made.reference = trajectory_of(robot, trajectory, made.functions);
        made.controller = sim::computed_torque(robot, made.reference, checked(stiffness, damping));
        return made;
      },
      "robot"_a, "trajectory"_a, "stiffness"_a = sim::Gains().stiffness, "damping"_a = sim::Gains().damping,
      nb::sig("def computed_torque(robot: lissom.Model, trajectory: Trajectory | ArrayLike | Callable[[float], Any], "
              "stiffness: float = 100.0, damping: float = 10.0) -> Controller"),
      "tau = M (a_ref + stiffness (q_ref - q) + damping (v_ref - v)) + h: the gains are per unit of inertia, 1/s² and "
      "1/s. trajectory: as for pd().");
  m.def(
      "gravity_compensation",
      [](const BoundModel& robot) {
        return BoundController{sim::gravity_compensation(robot), {}, robot.nq(), robot.nv()};
      },
      "robot"_a, "tau = g(q); free joints have no motor.");
}

}  // namespace

void bind_controllers(nb::module_& m) {
  nb::class_<BoundTrajectory>(
      m, "Trajectory", "A motion that controllers follow. hold() and reach() make them; a function of t does as well.")
      .def(
          "__call__",
          [](const BoundTrajectory& self, double t, const BoundModel& robot) {
            sim::Reference x{neutral(robot), Eigen::VectorXd::Zero(robot.nv()), Eigen::VectorXd::Zero(robot.nv())};
            self.follow(t, x);
            return nb::make_tuple(to_numpy(x.q), to_numpy(x.v), to_numpy(x.a));
          },
          "t"_a, "robot"_a,
          nb::sig("def __call__(self, t: float, robot: lissom.Model) -> tuple[NDArray[np.float64], "
                  "NDArray[np.float64], NDArray[np.float64]]"),
          "q, v and a at a time.");
  m.def(
      "hold",
      [](const BoundModel& robot, nb::handle q) { return BoundTrajectory{sim::hold(configuration(robot, "q", q))}; },
      "robot"_a, "q"_a, nb::sig("def hold(robot: lissom.Model, q: ArrayLike) -> Trajectory"),
      "The trajectory that stays at q, (nq,).");
  m.def(
      "reach",
      [](const BoundModel& robot, nb::handle from, nb::handle to, double seconds, double start) {
        return BoundTrajectory{
            sim::reach(robot, configuration(robot, "from_", from), configuration(robot, "to", to), start, seconds)};
      },
      "robot"_a, "from_"_a, "to"_a, "seconds"_a, "start"_a = 0.0,
      nb::sig("def reach(robot: lissom.Model, from_: ArrayLike, to: ArrayLike, seconds: float, start: float = 0.0) -> "
              "Trajectory"),
      "From one configuration, (nq,), to another with minimum jerk, beginning at the time start and lasting some "
      "seconds; at rest before and afterwards.");
  nb::class_<BoundController>(m, "Controller", nb::type_slots(garbage_collected<BoundController>()),
                              "Computes the torques of the motors. pd(), computed_torque() and gravity_compensation() "
                              "make them; a function of (t, q, v) does as well.")
      .def_prop_ro("name", [](const BoundController& self) { return std::string(self.controller->name()); })
      .def("__repr__",
           [](const BoundController& self) { return std::string("Controller('") + self.controller->name() + "')"; })
      .def(
          "torques",
          [](const BoundController& self, const BoundModel& robot, double t, nb::handle q, nb::handle v) {
            expect_fits(self, robot);
            const sim::State x{t, vector("q", q, robot.nq()), vector("v", v, robot.nv()), 0};
            expect_state(robot, x);
            Eigen::VectorXd tau = Eigen::VectorXd::Zero(robot.nv());
            {
              const nb::gil_scoped_release release;
              const auto work = robot.workspace();
              SharedController(self).torques({robot, *work, t, x.q, x.v}, tau);
            }
            return to_numpy(tau);
          },
          "robot"_a, "t"_a, "q"_a, "v"_a,
          nb::sig(
              "def torques(self, robot: lissom.Model, t: float, q: ArrayLike, v: ArrayLike) -> NDArray[np.float64]"),
          "Its torques in one state, (nv,), N m or N.");
  bind_controller_functions(m);
}

}  // namespace lissom::python
