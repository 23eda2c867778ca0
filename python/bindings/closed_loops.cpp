// Closed loops: states in which they are closed, dynamics with their forces.
#include "bound_loops.h"
#include "results.h"
#include "sim_types.h"

namespace lissom::python {

using namespace nb::literals;

std::vector<bool> actuated_dofs(const Model& model, nb::handle actuated) {
  std::vector<bool> all(std::size_t(model.nv()), actuated.is_none());
  if (actuated.is_none()) return all;
  if (PyUnicode_Check(actuated.ptr())) {
    PyErr_SetString(PyExc_TypeError, "actuated is a str, expected a list of joints");
    throw nb::python_error();
  }
  const nb::list given(actuated);
  const bool by_name = nb::len(given) > 0 && PyUnicode_Check(nb::object(given[0]).ptr());
  if (!by_name) {
    if (nb::len(given) != all.size())
      throw Error("actuated has " + std::to_string(nb::len(given)) + " elements, expected " +
                  std::to_string(all.size()) + ", or names of joints");
    for (std::size_t i = 0; i < all.size(); ++i) {
      const int is = PyObject_IsTrue(nb::object(given[i]).ptr());
      if (is < 0) throw nb::python_error();
      all[i] = is == 1;
    }
    return all;
  }
  for (const auto name : given) {
    const auto& joint = model.joint(nb::cast<std::string>(name));
    for (int k = 0; k < joint.nv; ++k) all[std::size_t(joint.v_index + k)] = true;
  }
  return all;
}

namespace {

nb::object gap(BoundLoops& self, nb::handle q) {
  Call call;
  call.read("q", q, self.model.nq());
  call.resolve();
  call.compute_in_double();
  call.result(nb::none(), {});
  for_states(self, call,
             [&](long i) { call.result_data<double>()[i] = self.loops.gap(self.model, self.work, call.vector(0, i)); });
  return call.finish();
}

// An array beside the result of a call.
nb::object more(const Call& call, long n) {
  std::vector<long> shape(call.leading().begin(), call.leading().end());
  shape.push_back(n);
  return new_array(shape);
}

nb::tuple project(BoundLoops& self, nb::handle q, nb::handle v) {
  const auto& model = self.model;
  Call call;
  call.read("q", q, model.nq());
  call.read("v", v, model.nv());
  call.resolve();
  call.compute_in_double();
  const nb::object closed_q = more(call, model.nq()), closed_v = more(call, model.nv());
  double *const to_q = data_of(closed_q), *const to_v = data_of(closed_v);
  for_states(self, call, [&](long i) {
    Eigen::VectorXd x = call.vector(0, i), u = call.vector(1, i);
    const double left = self.loops.project(model, self.work, x, u);
    if (!(left < 1e-6))
      throw Error("the loops stay open after the projection: " + self.loops.widest_gap() +
                  "; assemble() closes them from a distant q");
    Eigen::Map<Eigen::VectorXd>(to_q + i * model.nq(), model.nq()) = x;
    Eigen::Map<Eigen::VectorXd>(to_v + i * model.nv(), model.nv()) = u;
  });
  return nb::make_tuple(closed_q, closed_v);
}

nb::object project_velocity(BoundLoops& self, nb::handle q, nb::handle v) {
  Call call;
  call.read("q", q, self.model.nq());
  call.read("v", v, self.model.nv());
  call.resolve();
  call.compute_in_double();
  call.result(nb::none(), {self.model.nv()});
  for_states(self, call, [&](long i) {
    Eigen::VectorXd u = call.vector(1, i);
    self.loops.project_velocity(self.model, self.work, call.vector(0, i), u);
    Eigen::Map<Eigen::VectorXd>(call.result_data<double>() + i * self.model.nv(), self.model.nv()) = u;
  });
  return call.finish();
}

nb::object assemble(BoundLoops& self, nb::handle q, double tolerance, bool tries) {
  Eigen::VectorXd x = vector("q", q, self.model.nq());
  int tried = 0;
  {
    const OneCaller::Scope use(self.in_use, "ClosedLoops");
    const nb::gil_scoped_release release;
    tried = self.loops.assemble(self.model, self.work, x, tolerance);
  }
  if (tries) return nb::make_tuple(to_numpy(x), tried);
  return to_numpy(x);
}

nb::object forward(BoundLoops& self, nb::handle q, nb::handle v, nb::handle tau, nb::handle out) {
  const auto& model = self.model;
  Call call;
  call.read("q", q, model.nq());
  call.read("v", v, model.nv());
  call.read("tau", tau, model.nv());
  call.resolve();
  call.compute_in_double();
  call.result(out, {model.nv()});
  for_states(self, call, [&](long i) {
    Eigen::Map<Eigen::VectorXd>(call.result_data<double>() + i * model.nv(), model.nv()) =
        forward_dynamics(model, self.work, self.loops, call.vector(0, i), call.vector(1, i), call.vector(2, i));
  });
  return call.finish();
}

ClosedLoopTorques inverse(BoundLoops& self, nb::handle q, nb::handle v, nb::handle a, nb::handle actuated) {
  const auto& model = self.model;
  const Eigen::VectorXd x = vector("q", q, model.nq()), u = vector("v", v, model.nv()),
                        rate = vector("a", a, model.nv());
  const auto motors = actuated_dofs(model, actuated);
  const OneCaller::Scope use(self.in_use, "ClosedLoops");
  const nb::gil_scoped_release release;
  return inverse_dynamics(model, self.work, self.loops, x, u, rate, motors);
}

// Calls f(rows) after the rows were evaluated at q.
template <class F>
nb::object rows_at(BoundLoops& self, nb::handle q, const F& f) {
  const Eigen::VectorXd x = vector("q", q, self.model.nq());
  const OneCaller::Scope use(self.in_use, "ClosedLoops");
  LoopRows rows = self.loops.rows();
  rows.evaluate(self.model, self.work, x);
  return f(rows);
}

nb::list loop_list(const Model& model) {
  nb::list list;
  if (model.loops().empty()) return list;
  const LoopRows rows(model, closures(model));
  const auto end = [&](const LoopEnd& e) { return AttachmentDescription{model.frame_at(e.frame).name, e.placement}; };
  for (const auto& l : rows.description().loops)
    list.append(nb::cast(LoopDescription{
        .name = l.name, .a = end(l.a), .b = end(l.b), .axes = l.axes, .kind = l.kind, .length = l.length}));
  return list;
}

template <class T>
nb::list copies(const std::vector<T>& values) {
  nb::list list;
  for (const auto& value : values) list.append(nb::cast(value, nb::rv_policy::copy));
  return list;
}

}  // namespace

void bind_model_loops(nb::class_<BoundModel>& m) {
  m.def_prop_ro(
      "loops", [](const BoundModel& self) { return loop_list(self); },
      nb::sig("def loops(self) -> list[LoopDescription]"), "The closed loops, with the lengths of all rods; copies.");
  m.def_prop_ro(
      "couplings", [](const BoundModel& self) { return copies(self.couplings()); },
      nb::sig("def couplings(self) -> list[JointCoupling]"), "Joints that move together; copies.");
  m.def_prop_ro(
      "springs", [](const BoundModel& self) { return copies(self.description().springs); },
      nb::sig("def springs(self) -> list[SpringDescription]"), "Springs between points; copies.");
}

namespace {

void bind_loop_rows(nb::class_<BoundLoops>& l) {
  l.def_prop_ro(
      "multipliers",
      [](BoundLoops& self) {
        const OneCaller::Scope use(self.in_use, "ClosedLoops");
        return to_numpy(self.loops.multipliers());
      },
      nb::sig("def multipliers(self) -> NDArray[np.float64]"),
      "Constraint forces after forward_dynamics, one for each row, N or N m: on frame b, with the reaction on a; zero "
      "for redundant rows.");
  l.def_prop_ro(
      "rank", [](BoundLoops& self) { return self.loops.rank(); },
      "Number of independent rows, after project() or forward_dynamics().");
  l.def_prop_ro(
      "rows",
      [](BoundLoops& self) {
        nb::list rows;
        for (int i = 0; i < self.loops.rows().count(); ++i)
          rows.append(nb::make_tuple(self.loops.rows().label(i).name, self.loops.rows().label(i).unit));
        return rows;
      },
      nb::sig("def rows(self) -> list[tuple[str, str]]"), "Name and unit of each row: ('rod, along x', 'm').");
  l.def(
      "residual",
      [](BoundLoops& self, nb::handle q) {
        return rows_at(self, q, [](const LoopRows& rows) { return to_numpy(rows.residual()); });
      },
      "q"_a, nb::sig("def residual(self, q: ArrayLike) -> NDArray[np.float64]"),
      "c(q), one for each row; q of shape (nq,).");
  l.def(
      "jacobian",
      [](BoundLoops& self, nb::handle q) {
        return rows_at(self, q, [](const LoopRows& rows) { return to_numpy(rows.J()); });
      },
      "q"_a, nb::sig("def jacobian(self, q: ArrayLike) -> NDArray[np.float64]"), "J, (rows, nv), with ċ = J v.");
  l.def(
      "rigid_because",
      [](BoundLoops& self, nb::handle q) {
        const Eigen::VectorXd x = vector("q", q, self.model.nq());
        const OneCaller::Scope use(self.in_use, "ClosedLoops");
        return self.loops.rigid_because(self.model, self.work, x);
      },
      "q"_a, nb::sig("def rigid_because(self, q: ArrayLike) -> str"),
      "Why the loops admit no motion at a closed q where their linearization does; empty if there is no such reason.");
  l.def("__repr__", [](BoundLoops& self) {
    return "ClosedLoops('" + self.model.name() + "', " + std::to_string(self.loops.rows().count()) + " rows)";
  });
}

}  // namespace

void bind_closed_loops(nb::module_& m) {
  using T = ClosedLoopTorques;
  bind_result<T>(
      m, "ClosedLoopTorques", "Torques of a robot with closed loops.",
      std::tuple{Field{"tau", &T::tau, "(nv,), N m or N; zero where not actuated."},
                 Field{"multipliers", &T::multipliers, "Constraint forces of the closures, one for each row."}});
  auto l = nb::class_<BoundLoops>(m, "ClosedLoops",
                                  "A robot with closed loops: dynamics, and states in which the loops are closed. It "
                                  "belongs to one caller at a time.\n\n"
                                  "    robot = lissom.load('delta.urdf', loops_file='delta.json')\n    loops = "
                                  "lissom.ClosedLoops(robot)\n    q = loops.assemble(robot.neutral())");
  l.def(
      "__init__", [](BoundLoops* self, const BoundModel& robot) { new (self) BoundLoops(robot); }, "robot"_a,
      "With the loops and couplings of the robot's description.");
  l.def("gap", &gap, "q"_a, nb::sig("def gap(self, q: ArrayLike) -> Any"),
        "How far the loops are open at q, (…, nq): the largest residual, m or rad; 0 if all are closed. A number, or "
        "(…,).");
  l.def("project", &project, "q"_a, "v"_a,
        nb::sig("def project(self, q: ArrayLike, v: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]"),
        "The nearest (q, v), in the metric of M, with which the loops are closed and stay closed; (…, nq) and (…, nv). "
        "Raises an Error where they stay open.");
  l.def("project_velocity", &project_velocity, "q"_a, "v"_a,
        nb::sig("def project_velocity(self, q: ArrayLike, v: ArrayLike) -> NDArray[np.float64]"),
        "The nearest v, (…, nv), with which the loops stay closed at a closed q.");
  l.def("assemble", &assemble, "q"_a, "tolerance"_a = 1e-10, "tries"_a = false,
        nb::sig("def assemble(self, q: ArrayLike, tolerance: float = 1e-10, tries: bool = False) -> Any"),
        "Closes the loops from any q, (nq,), also a distant one; joint limits are ignored. With tries, it returns (q, "
        "the number of random configurations that it started from; 0: q itself sufficed). Raises an Error if the loops "
        "cannot be closed from here.");
  l.def("forward_dynamics", &forward, "q"_a, "v"_a, "tau"_a, "out"_a = nb::none(),
        nb::sig(
            "def forward_dynamics(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, out: Any = None) -> NDArray[Any]"),
        "The acceleration, (…, nv), with which the loops stay closed; then multipliers has the forces in them.");
  l.def("inverse_dynamics", &inverse, "q"_a, "v"_a, "a"_a, "actuated"_a = nb::none(),
        nb::sig("def inverse_dynamics(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, actuated: Sequence[str] | "
                "ArrayLike | None = None) -> ClosedLoopTorques"),
        "Torques of the actuated joints (names, or a truth value for each degree of freedom; None: all) for an "
        "acceleration that keeps the loops closed; those of least norm if there are more than needed.");
  bind_loop_rows(l);
  bind_loop_derivatives(m, l);
}

}  // namespace lissom::python
