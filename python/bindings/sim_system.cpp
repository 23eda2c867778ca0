// States, pushes, and the System: a robot with all forces on it.
#include "lissom/api/state.h"
#include "lissom/model/text.h"
#include "quantity.h"
#include "records.h"
#include "results.h"
#include "sim_types.h"

namespace lissom::python {

using namespace nb::literals;
using sim::State;

void expect_state(const Model& model, const State& x) {
  const auto expect_size = [&](const char* name, long size, long expected) {
    if (size != expected)
      throw Error(std::string(name) + " has " + counted(std::size_t(size), "element") + ", expected " +
                  std::to_string(expected) + " (model '" + model.name() + "')");
  };
  expect_size("q", x.q.size(), model.nq());
  expect_size("v", x.v.size(), model.nv());
  if (!std::isfinite(x.t)) throw Error("t is " + to_text(x.t) + " s, expected a finite number");
  (void)difference(model, x.q, x.q);  // throws if q is not finite, or a quaternion has another norm than 1
  for (long i = 0; i < x.v.size(); ++i)
    if (!std::isfinite(x.v[i]))
      throw Error("v[" + std::to_string(i) + "] is " + to_text(x.v[i]) + ", expected a finite number");
}

sim::Push push_of(const Model& model, nb::handle push) {
  BoundPush p;
  if (nb::isinstance<nb::tuple>(push) && (nb::len(push) == 2 || nb::len(push) == 4)) {
    p.on = model.frame_at(frame(model, nb::object(push[0]), "push")).name;
    p.force = vec3("force of a push", nb::object(push[1]));
    if (nb::len(push) == 4) p.from = nb::cast<double>(push[2]), p.until = nb::cast<double>(push[3]);
  } else if (!nb::try_cast<BoundPush>(push, p)) {
    PyErr_Format(PyExc_TypeError, "push is a %s, expected a Push, (frame, force) or (frame, force, from, until)",
                 python::type_name(push).c_str());
    throw nb::python_error();
  }
  if (!(p.from < p.until))
    throw Error("push on '" + p.on + "' ends at " + to_text(p.until) + " s and begins at " + to_text(p.from) +
                " s, expected from before until");
  const FrameId on = model.frame(p.on);
  sim::Push made{{.on = on,
                  .force = p.force,
                  .torque = p.torque,
                  .at = {on, p.at},
                  .in = p.in.empty() ? world_frame : model.frame(p.in)},
                 p.from,
                 p.until};
  check(model, made);
  return made;
}

namespace {

// (A view of q or v: a State never changes the size of its vectors, so that views stay valid.)
template <Eigen::VectorXd State::* member>
void bind_vector(nb::class_<State>& s, const char* name, const char* sig, const char* doc) {
  s.def_prop_rw(
      name,
      [](nb::handle self) {
        auto& x = nb::cast<State&>(self).*member;
        return numpy_view(x.data(), std::array{long(x.size())}, self, true);
      },
      [name](State& self, nb::handle value) {
        const Eigen::VectorXd x = vector(name, value);
        if (x.size() != (self.*member).size())
          throw Error(std::string(name) + " has " + counted(std::size_t(x.size()), "element") + ", expected " +
                      std::to_string((self.*member).size()));
        self.*member = x;
      },
      nb::for_getter(nb::sig(sig)), doc);
}

void bind_state(nb::module_& m) {
  auto s = nb::class_<State>(m, "State", "A state at a time. q and v can be changed in place: state.v[0] = 1.");
  s.def(
      "__init__",
      [](State* self, nb::handle q, nb::handle v, double t, double next_step) {
        const Eigen::VectorXd position = vector("q", q);
        new (self) State{t, position, vector("v", v), next_step};
      },
      "q"_a, "v"_a, "t"_a = 0.0, "next_step"_a = 0.0,
      nb::sig("def __init__(self, q: ArrayLike, v: ArrayLike, t: float = 0.0, next_step: float = 0.0) -> None"),
      "q (nq,), v (nv,), t in s; next_step: the length of the next inner step of an integrator with error control, 0 "
      "if not known.");
  s.def_rw("t", &State::t, "s");
  s.def_rw("next_step", &State::next_step,
           "The length of the next inner step of an integrator with error control, s; 0 if not known.");
  bind_vector<&State::q>(s, "q", "def q(self) -> NDArray[np.float64]", "Configuration, (nq,).");
  bind_vector<&State::v>(s, "v", "def v(self) -> NDArray[np.float64]", "Velocity, (nv,).");
  s.def("__repr__", [](const State& self) {
    return "State(t=" + to_text(self.t) + ", q=" + short_repr(to_numpy(self.q)) +
           ", v=" + short_repr(to_numpy(self.v)) + ")";
  });
  s.def("__copy__", [](const State& self) { return State(self); });
  s.def("__deepcopy__", [](const State& self, nb::handle) { return State(self); }, "memo"_a);
  s.def("__getstate__",
        [](const State& self) { return nb::make_tuple(self.t, to_numpy(self.q), to_numpy(self.v), self.next_step); });
  s.def("__setstate__", [](State& self, const nb::tuple& t) {
    new (&self) State{nb::cast<double>(t[0]), vector("q", t[1]), vector("v", t[2]), nb::cast<double>(t[3])};
  });
}

// A function of (t, q, v) that returns {frame: wrench}.
sim::ForceLaw function_law(nb::handle function, PythonFunctions& functions) {
  auto f = std::make_shared<PythonFunction>(function);
  functions.push_back(f);
  return [f](const sim::Instant& at, std::vector<ExternalForce>& forces) {
    const nb::gil_scoped_acquire gil;
    const nb::object result = (**f)(at.t, to_numpy(at.q), to_numpy(at.v));
    if (!nb::isinstance<nb::dict>(result)) {
      PyErr_Format(PyExc_TypeError, "a force law returned a %s, expected {frame: wrench (6,)}",
                   python::type_name(result).c_str());
      throw nb::python_error();
    }
    for (const auto [key, wrench] : nb::borrow<nb::dict>(result)) {
      const FrameId on = frame(at.model, key, "force law");
      const auto w = spatial_vector("wrench of a force law", wrench);
      forces.push_back({.on = on, .force = w.linear, .torque = w.angular, .at = {on}});
    }
  };
}

}  // namespace

sim::ForceLaw law_of(nb::handle law, PythonFunctions& functions) {
  if (nb::isinstance<BoundPull>(law)) {
    const auto& pull = nb::cast<const BoundPull&>(law);
    return [held = pull.law, mutex = pull.mutex](const sim::Instant& at, std::vector<ExternalForce>& forces) {
      const std::lock_guard lock(*mutex);
      (*held)(at, forces);
    };
  }
  if (PyCallable_Check(law.ptr())) return function_law(law, functions);
  PyErr_Format(PyExc_TypeError, "force law is a %s, expected a PullLaw or a function of (t, q, v)",
               python::type_name(law).c_str());
  throw nb::python_error();
}

namespace {

Spring spring_of(const Model& model, const SpringDescription& s) {
  return {
      s.name, {model.frame(s.a.frame), s.a.placement}, {model.frame(s.b.frame), s.b.placement}, s.stiffness, s.damping,
      s.rest};
}

void add(BoundSystem& self, nb::handle force) {
  const OneCaller::Scope use(self.in_use, "System");
  if (nb::isinstance<SpringDescription>(force))
    return self.system.add(spring_of(self.system.model(), nb::cast<const SpringDescription&>(force)));
  if (nb::isinstance<BoundPush>(force) || nb::isinstance<nb::tuple>(force)) {
    const auto push = push_of(self.system.model(), force);
    self.system.add(push);
    self.pushes.push_back(push);
    return;
  }
  if (nb::isinstance<BoundPull>(force) || PyCallable_Check(force.ptr()))
    return self.system.add(law_of(force, self.of_laws));
  PyErr_Format(PyExc_TypeError,
               "force is a %s, expected a Push, a SpringDescription, a PullLaw, or a function of (t, q, v)",
               python::type_name(force).c_str());
  throw nb::python_error();
}

void set_controller(BoundSystem& self, nb::handle controller) {
  sim::Trajectory reference;
  PythonFunctions functions;
  self.system.control(controller_of(self.system.model(), controller, &reference, &functions));
  self.reference = std::move(reference);
  self.of_controller = std::move(functions);
  self.controller = nb::isinstance<BoundController>(controller) ? nb::borrow(controller) : nb::object();
}

// Calls f(system, state) without the GIL, with checked arguments.
template <class F>
auto with_state(BoundSystem& self, double t, nb::handle q, nb::handle v, const F& f) {
  const auto& model = self.system.model();
  const State x{t, vector("q", q, model.nq()), vector("v", v, model.nv()), 0};
  expect_state(model, x);
  const OneCaller::Scope use(self.in_use, "System");
  const nb::gil_scoped_release release;
  return f(self.system, x);
}

struct BoundApplied {
  Eigen::VectorXd commanded, motors, tau;
  std::vector<bool> at_limit;
  Work power;
};

void bind_energies(nb::class_<BoundSystem>& s) {
  s.def(
      "derivative",
      [](BoundSystem& self, double t, nb::handle x) {
        const Eigen::VectorXd state = vector("x", x, self.system.state_size());
        Eigen::VectorXd rate(state.size());
        {
          const OneCaller::Scope use(self.in_use, "System");
          const nb::gil_scoped_release release;
          self.system.derivative(t, state.data(), rate.data());
        }
        return to_numpy(rate);
      },
      "t"_a, "x"_a, nb::sig("def derivative(self, t: float, x: ArrayLike) -> NDArray[np.float64]"),
      "ẋ = f(t, x) with x = (q, v), (nq + nv,), for other solvers: scipy.integrate.solve_ivp(system.derivative, (0, "
      "1), x0).");
  s.def(
      "kinetic_energy",
      [](BoundSystem& self, nb::handle q, nb::handle v) {
        return with_state(self, 0, q, v,
                          [](sim::System& system, const State& x) { return system.kinetic_energy(x.q, x.v); });
      },
      "q"_a, "v"_a, nb::sig("def kinetic_energy(self, q: ArrayLike, v: ArrayLike) -> float"), "J");
  s.def(
      "potential_energy",
      [](BoundSystem& self, nb::handle q) {
        return with_state(self, 0, q, to_numpy(Eigen::VectorXd::Zero(self.system.model().nv()).eval()),
                          [](sim::System& system, const State& x) { return system.potential_energy(x.q); });
      },
      "q"_a, nb::sig("def potential_energy(self, q: ArrayLike) -> float"), "Of gravity and of all springs, J.");
}

void bind_forces(nb::class_<BoundSystem>& s) {
  s.def(
      "evaluate",
      [](BoundSystem& self, double t, nb::handle q, nb::handle v) {
        return with_state(self, t, q, v, [](sim::System& system, const State& x) {
          auto applied = system.applied();
          system.evaluate(x.t, x.q, x.v, applied);
          const auto power = system.power(applied, x.q, x.v);
          return BoundApplied{applied.commanded, applied.motors, applied.tau, system.at_limit(), power};
        });
      },
      "t"_a, "q"_a, "v"_a, nb::sig("def evaluate(self, t: float, q: ArrayLike, v: ArrayLike) -> Applied"),
      "The forces of motors and joints in one state.");
  s.def(
      "acceleration",
      [](BoundSystem& self, double t, nb::handle q, nb::handle v) {
        return with_state(self, t, q, v, [](sim::System& system, const State& x) {
          Eigen::VectorXd a(x.v.size());
          system.acceleration(x.t, x.q, x.v, a);
          return a;
        });
      },
      "t"_a, "q"_a, "v"_a,
      nb::sig("def acceleration(self, t: float, q: ArrayLike, v: ArrayLike) -> NDArray[np.float64]"),
      "The acceleration under all forces, (nv,).");
  s.def(
      "gains",
      [](BoundSystem& self, double t, nb::handle q, nb::handle v) {
        return with_state(self, t, q, v, [](sim::System& system, const State& x) {
          auto applied = system.applied();
          system.evaluate(x.t, x.q, x.v, applied);
          Eigen::VectorXd k, d;
          system.gains(x.v, k, d);
          return std::pair(k, d);
        });
      },
      "t"_a, "q"_a, "v"_a,
      nb::sig(
          "def gains(self, t: float, q: ArrayLike, v: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]"),
      "The diagonals of -∂tau/∂q and -∂tau/∂v, (nv,) each. A motor at its limit contributes nothing.");
  s.def(
      "project",
      [](BoundSystem& self, nb::handle q, nb::handle v) {
        return with_state(self, 0, q, v, [](sim::System& system, const State& x) {
          State closed = x;
          system.project(closed.q, closed.v);
          return std::pair(closed.q, closed.v);
        });
      },
      "q"_a, "v"_a,
      nb::sig("def project(self, q: ArrayLike, v: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]"),
      "The nearest q and v with which all loops are closed, and stay closed.");
  bind_energies(s);
}

}  // namespace

void bind_pushes(nb::module_& m) {
  bind_state(m);
  using P = BoundPush;
  bind_record<P>(
      m, "Push", "A force and a torque on a frame's body that act while from_ ≤ t < until.",
      std::tuple{Field{"on", &P::on, "Name of the frame."}, Field{"force", &P::force, "N"},
                 Field{"torque", &P::torque, "N m"},
                 Field{"at", &P::at, "The point of application, in the coordinates of the frame `on`, m."},
                 Field{"in_", &P::in, "Force and torque are along the axes of this frame; empty: the world's."},
                 Field{"from_", &P::from, "s"}, Field{"until", &P::until, "s"}});
  m.def(
      "push_at",
      [](nb::handle on, nb::handle force, double from, double until) {
        P push;
        push.on = nb::cast<std::string>(nb::hasattr(on, "name") ? nb::object(on.attr("name")) : nb::borrow(on));
        push.force = vec3("force", force);
        push.from = from, push.until = until;
        return push;
      },
      "frame"_a, "force"_a, "from_"_a = P().from, "until"_a = P().until,
      nb::sig("def push_at(frame: Any, force: ArrayLike, from_: float = ..., until: float = ...) -> Push"),
      "A force in N on the origin of a frame, along the world's axes, during an interval in s.");
}

namespace {

void bind_system_readings(nb::class_<BoundSystem>& s) {
  s.def_prop_ro("model", [](const BoundSystem& self) { return BoundModel(self.system.model()); }, "The robot.");
  s.def_prop_ro("has_loops", [](BoundSystem& self) { return self.system.loops() != nullptr; });
  s.def_prop_ro(
      "has_motor_gains",
      [](BoundSystem& self) {
        const OneCaller::Scope use(self.in_use, "System");
        return self.system.has_motor_gains();
      },
      "Whether the controller reports gains.");
  s.def_prop_ro("state_size", [](const BoundSystem& self) { return self.system.state_size(); }, "nq + nv.");
  s.def(
      "max_torque",
      [](const BoundSystem& self, int dof) {
        if (dof < 0 || dof >= self.system.model().nv())
          throw Error("dof is " + std::to_string(dof) + ", expected 0 … " +
                      std::to_string(self.system.model().nv() - 1));
        return self.system.max_torque(dof);
      },
      "dof"_a, "The largest torque of a motor, N m or N.");
  bind_forces(s);
}

}  // namespace

void bind_system(nb::module_& m) {
  using A = BoundApplied;
  bind_result<A>(
      m, "Applied", "The forces at one instant.",
      std::tuple{Field{"commanded", &A::commanded, "Torques that the controller asks for, (nv,)."},
                 Field{"motors", &A::motors, "The same within the effort limits."},
                 Field{"tau", &A::tau, "The same plus passive joint forces."},
                 Field{"at_limit", &A::at_limit, "Whether a motor is at its limit, for each degree of freedom."},
                 Field{"power", &A::power, "W"}});
  auto s = nb::class_<BoundSystem>(m, "System", nb::type_slots(garbage_collected<BoundSystem>()),
                                   "A robot and all forces on it: motors, springs, dampers and friction of joints, "
                                   "pushes, closed loops. It belongs to one caller at a time.");
  s.def(
      "__init__",
      [](BoundSystem* self, const BoundModel& robot, bool passive, bool limits, double speed, nb::handle controller) {
        sim::SystemOptions options{passive, limits, speed};
        new (self) BoundSystem{sim::System(robot, options)};
        try {
          set_controller(*self, controller);
        } catch (...) {
          self->~BoundSystem();
          throw;
        }
      },
      "robot"_a, "passive_forces"_a = true, "effort_limits"_a = true,
      "friction_speed"_a = sim::SystemOptions().friction_speed, "controller"_a = nb::none(),
      nb::sig("def __init__(self, robot: lissom.Model, passive_forces: bool = True, effort_limits: bool = True, "
              "friction_speed: float = 0.001, controller: Any = None) -> None"),
      "passive_forces: springs, dampers and dry friction of joints. effort_limits: torques are clipped to the joints' "
      "effort limits. friction_speed: dry friction is friction · tanh(v / friction_speed), rad/s, m/s.");
  s.def(
      "control",
      [](BoundSystem& self, nb::handle controller) {
        const OneCaller::Scope use(self.in_use, "System");
        set_controller(self, controller);
      },
      "controller"_a.none(), nb::sig("def control(self, controller: Any) -> None"),
      "Sets the controller: a Controller, a function of (t, q, v) that returns tau, an object with a method torques(t, "
      "q, v), or None. Where the object has a method gains(), which returns (stiffness, damping), (nv,) each, "
      "integrators can be implicit in them.");
  s.def("add", &add, "force"_a, nb::sig("def add(self, force: Any) -> None"),
        "Adds a Push, (frame, force), (frame, force, from, until), a SpringDescription, a PullLaw, or a force law: a "
        "function of "
        "(t, q, v) that returns {frame: (fx, fy, fz, tx, ty, tz)}, at the frames' origins, along the world's axes.");
  bind_system_readings(s);
}

void bind_sim(nb::module_& m) {
  nb::module_ s = m.def_submodule("sim", "Simulation: systems, controllers, integrators; robots in contact.");
  s.attr("Work") = m.attr("Work");
  bind_controllers(s);
  bind_pushes(s);
  bind_system(s);
  bind_pull_law(s);
  bind_integrators(s);
  bind_simulated_robot(s);
  bind_run(s);
}

}  // namespace lissom::python
