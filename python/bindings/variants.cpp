// Variants in Python: models that differ per row, evaluated together.
#include "variants.h"

#include <limits>

#include "formulations.h"
#include "lissom/api/state.h"
#include "quantity.h"
#include "records.h"

namespace lissom::python {

using namespace nb::literals;
using batch::Quantity;

namespace {

BoundVariants make(const BoundModel& model, nb::handle parameters, nb::handle count) {
  const nb::dict given = mapping("parameters", parameters, "{'LINK.mass': array, 'JOINT.origin': array}");
  long rows = count.is_none() ? -1 : nb::cast<long>(count);
  if (!count.is_none() && (rows < 0 || rows > 10'000'000))
    throw Error("count is " + std::to_string(rows) + ", expected 0 to 10000000");
  std::vector<Parameter> all;
  nb::dict copy;
  for (const auto [name, values] : given) {
    if (!PyUnicode_Check(name.ptr())) {
      PyErr_Format(PyExc_TypeError, "parameters has the key %R, expected a text such as 'forearm.mass'", name.ptr());
      throw nb::python_error();
    }
    all.push_back(read_parameter(model, nb::cast<std::string>(name), values, rows));
    copy[name] = nb::module_::import_("numpy").attr("array")(values);
  }
  if (rows < 0) throw Error("parameters has no array with one value for each row; give one, or count");
  return {std::make_unique<Variants>(model, std::move(all), rows), std::move(copy)};
}

// An argument that gives the call the leading shape (variants, …), with as many axes as the others have.
void read_shape(Call& call, long count, std::initializer_list<nb::handle> arguments) {
  int axes = 1;
  for (const auto& x : arguments)
    if (x.is_valid() && !x.is_none()) axes = std::max(axes, nb::cast<int>(real_array("argument", x).attr("ndim")) - 1);
  nb::list shape;
  shape.append(count);
  for (int k = 1; k <= axes; ++k) shape.append(1);
  // (In single precision, so that it does not decide about the results'.)
  call.read("variants", nb::module_::import_("numpy").attr("zeros")(nb::tuple(shape), "float32"), 1);
}
void expect_rows(const Call& call, long count) {
  if (call.leading()[0] != count)
    throw Error("the arguments have " + std::to_string(call.leading()[0]) + " rows, expected " + std::to_string(count) +
                ", one for each variant, or one for all");
}

// One step of one robot; the state stays as it was if that fails.
template <class S>
void step_row(const Model& model, Workspace& work, S* q, S* v, const double* tau, double dt) {
  using Row = Eigen::Map<Eigen::Matrix<S, Eigen::Dynamic, 1>>;
  Row position(q, model.nq()), velocity(v, model.nv());
  const Eigen::VectorXd q0 = position.template cast<double>(), v0 = velocity.template cast<double>();
  const Eigen::VectorXd v1 =
      v0 + dt * forward_dynamics(model, work, q0, v0, Eigen::Map<const Eigen::VectorXd>(tau, model.nv()));
  if (!v1.allFinite()) throw Error("the step does not end in finite numbers");
  const Eigen::VectorXd q1 = integrate(model, q0, v1, dt);
  if (!q1.allFinite()) throw Error("the step does not end in finite numbers");
  position = q1.template cast<S>(), velocity = v1.template cast<S>();
}

template <class S>
nb::list step_rows(Variants& variants, nb::handle q, nb::handle v, const Call& call, double dt) {
  auto* const q_data = static_cast<S*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(q.ptr())));
  auto* const v_data = static_cast<S*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(v.ptr())));
  std::vector<std::string> failures(static_cast<std::size_t>(variants.size()));
  const long nq = variants.base().nq(), nv = variants.base().nv();
  variants.for_all(variants.size(), 4096, [&](const Model* model, Workspace* work, long i, long) {
    try {
      if (model) step_row(*model, *work, q_data + i * nq, v_data + i * nv, call.row<double>(1, i), dt);
    } catch (const Error& e) {
      failures[std::size_t(i)] = e.what();
    }
  });
  for (auto& [row, text] : variants.failed()) failures[std::size_t(row)] = text;
  nb::list list;
  for (std::size_t i = 0; i < failures.size(); ++i)
    if (!failures[i].empty()) list.append(nb::make_tuple(i, failures[i]));
  return list;
}

nb::list step(BoundVariants& self, nb::handle q, nb::handle v, nb::handle tau, double dt) {
  Variants& variants = *self.variants;
  expect_in_place("q", q, variants.base().nq());
  expect_in_place("v", v, variants.base().nv());
  const auto type = PyArray_TYPE(reinterpret_cast<PyArrayObject*>(q.ptr()));
  if (type != PyArray_TYPE(reinterpret_cast<PyArrayObject*>(v.ptr())))
    throw Error("q and v have different types, expected both float64 or both float32");
  if (!std::isfinite(dt)) throw Error("dt is " + std::to_string(dt) + ", expected a finite number of seconds");
  for (const auto& [name, x] : {std::pair("q", q), std::pair("v", v)})
    if (long(nb::len(x)) != variants.size())
      throw Error(std::string(name) + " has " + std::to_string(nb::len(x)) + " rows, expected " +
                  std::to_string(variants.size()) + ", one for each variant");
  Call call;
  read_shape(call, variants.size(), {tau});
  call.read("tau", tau, variants.base().nv());
  call.resolve();
  call.compute_in_double();
  expect_rows(call, variants.size());
  if (call.rows() != variants.size())
    throw Error("tau has more than one row for a variant, expected the shape (" + std::to_string(variants.size()) +
                ", " + std::to_string(variants.base().nv()) + ")");
  return type == NPY_FLOAT ? step_rows<float>(variants, q, v, call, dt) : step_rows<double>(variants, q, v, call, dt);
}

BoundModel model_at(const BoundVariants& self, long i) {
  const long n = self.variants->size(), at = i < 0 ? i + n : i;
  if (at < 0 || at >= n) {
    PyErr_Format(PyExc_IndexError, "row %ld of %ld variants", i, n);
    throw nb::python_error();
  }
  return BoundModel(self.variants->model(at));
}

using V = BoundVariants;

template <Quantity quantity>
nb::object of_q(V& self, nb::handle q, nb::handle out) {
  return evaluate(self, quantity, {.q = q}, out);
}
template <Quantity quantity>
nb::object of_q_v(V& self, nb::handle q, nb::handle v, nb::handle out) {
  return evaluate(self, quantity, {.q = q, .v = v}, out);
}

#define SHAPES \
  "Arguments have the shape (variants, …, n), or (n,) for the same in all of them. Rows without a model are NaN."

void bind_of_state(nb::class_<V>& c) {
  c.def(
      "inverse_dynamics",
      [](V& self, nb::handle q, nb::handle v, nb::handle a, nb::handle external, nb::handle out) {
        return evaluate(self, Quantity::inverse_dynamics, {.q = q, .v = v, .a = a, .external = external}, out);
      },
      "q"_a, "v"_a, "a"_a, "external"_a = nb::none(), "out"_a = nb::none(),
      nb::sig("def inverse_dynamics(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, external: Mapping[str, ArrayLike] "
              "| None = None, out: Any = None) -> NDArray[Any]"),
      "Generalized forces, (variants, …, nv). " SHAPES);
  c.def(
      "forward_dynamics",
      [](V& self, nb::handle q, nb::handle v, nb::handle tau, nb::handle external, nb::handle out) {
        return evaluate(self, Quantity::forward_dynamics, {.q = q, .v = v, .tau = tau, .external = external}, out);
      },
      "q"_a, "v"_a, "tau"_a, "external"_a = nb::none(), "out"_a = nb::none(),
      nb::sig("def forward_dynamics(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: Mapping[str, "
              "ArrayLike] | None = None, out: Any = None) -> NDArray[Any]"),
      "Accelerations, (variants, …, nv). " SHAPES);
#define LISSOM_OF_Q(name, doc)                                     \
  c.def(#name, &of_q<Quantity::name>, "q"_a, "out"_a = nb::none(), \
        nb::sig("def " #name "(self, q: ArrayLike, out: Any = None) -> NDArray[Any]"), doc " " SHAPES)
#define LISSOM_OF_Q_V(name, doc)                                            \
  c.def(#name, &of_q_v<Quantity::name>, "q"_a, "v"_a, "out"_a = nb::none(), \
        nb::sig("def " #name "(self, q: ArrayLike, v: ArrayLike, out: Any = None) -> NDArray[Any]"), doc " " SHAPES)
  LISSOM_OF_Q_V(bias_forces, "h(q, v), (variants, …, nv).");
  LISSOM_OF_Q(gravity_forces, "g(q), (variants, …, nv).");
  LISSOM_OF_Q(mass_matrix, "M, (variants, …, nv, nv).");
  LISSOM_OF_Q(inverse_mass_matrix, "The inverse of M, (variants, …, nv, nv).");
  LISSOM_OF_Q_V(coriolis_matrix, "C, (variants, …, nv, nv).");
  LISSOM_OF_Q(centroidal_map, "The centroidal momentum matrix, (variants, …, 6, nv).");
  LISSOM_OF_Q(center_of_mass, "(variants, …, 3), m.");
  LISSOM_OF_Q_V(kinetic_energy, "(variants, …), J.");
  LISSOM_OF_Q(potential_energy, "(variants, …), J.");
#define LISSOM_OF_FRAME(name, of, doc)                                                                          \
  c.def(                                                                                                        \
      #name,                                                                                                    \
      [](V& self, nb::handle q, nb::handle frame, nb::handle out) {                                             \
        return evaluate(self, Quantity::name, {.q = q, .frame = frame}, out);                                   \
      },                                                                                                        \
      "q"_a, nb::arg(of), "out"_a = nb::none(),                                                                 \
      nb::sig("def " #name "(self, q: ArrayLike, " of ": str | int | Frame, out: Any = None) -> NDArray[Any]"), \
      doc " " SHAPES)
  LISSOM_OF_FRAME(placement, "frame", "The pose of a frame in the world, (variants, …, 4, 4).");
  LISSOM_OF_FRAME(
      jacobian, "of",
      "The Jacobian of a frame at its origin, along the world's axes, (variants, …, 6, nv), linear above angular.");
}

void bind_container(nb::class_<V>& c) {
  c.def_prop_ro(
      "model", [](const V& self) { return self.variants->base(); }, nb::sig("def model(self) -> Model"),
      "The robot whose variants these are.");
  c.def_prop_ro(
      "parameters", [](const V& self) { return self.parameters; },
      nb::sig("def parameters(self) -> dict[str, NDArray[Any]]"), "Copies of the values that were given.");
  c.def_prop_ro(
      "failed", [](const V& self) { return self.variants->failed(); },
      nb::sig("def failed(self) -> list[tuple[int, str]]"), "The rows whose description is not valid, as (row, why).");
  c.def("__len__", [](const V& self) { return self.variants->size(); });
  c.def("__getitem__", &model_at, "row"_a, nb::sig("def __getitem__(self, row: int, /) -> Model"),
        "The model of a row; an Error if its description is not valid.");
  c.def("__repr__", [](const V& self) {
    const auto failed = self.variants->failed().size();
    std::string names;
    for (const auto [name, unused] : self.parameters)
      names += (names.empty() ? "" : ", ") + nb::cast<std::string>(name);
    return "Variants('" + self.variants->base().name() + "', " + std::to_string(self.variants->size()) + " rows" +
           (failed ? ", " + std::to_string(failed) + " failed" : "") + ": " +
           (names.empty() ? "no parameters" : names) + ")";
  });
  c.def("__getstate__",
        [](const V& self) { return nb::make_tuple(self.variants->base(), self.parameters, self.variants->size()); });
  c.def("__setstate__", [](V& self, const nb::tuple& state) {
    new (&self) V(make(nb::cast<const BoundModel&>(state[0]), state[1], state[2]));
  });
}

}  // namespace

void evaluate_variants(BoundVariants& self, std::span<const Quantity> quantities, const QuantityArguments& arguments,
                       Call& call, const std::function<void(int)>& make_results) {
  Variants& variants = *self.variants;
  const BoundModel& base = variants.base();
  const FrameId frame = frame_of(base, quantities[0], arguments.frame);
  read_shape(call, variants.size(),
             {arguments.q, arguments.v, arguments.a, arguments.tau, arguments.dq, arguments.dv, arguments.da,
              arguments.dtau, arguments.weights});
  const auto places = read_arguments(base, quantities, arguments, call);
  expect_rows(call, variants.size());
  call.compute_in_double();
  for (std::size_t k = 0; k < quantities.size(); ++k) make_results(int(k));
  variants.for_all(call.rows(), 4096, [&](const Model* model, Workspace* work, long first, long end) {
    for (int k = 0; !model && k < call.result_count(); ++k)
      std::fill(call.result_data<double>(k) + first * call.result_size(k),
                call.result_data<double>(k) + end * call.result_size(k), std::numeric_limits<double>::quiet_NaN());
    for (long i = first; model && i < end; ++i) try {
        evaluate_row(*model, *work, quantities, places, frame, call, i);
      } catch (const Error& e) {
        throw Error("row " + std::to_string(i) + ": " + e.what());
      }
  });
}

nb::object evaluate(BoundVariants& self, Quantity quantity, const QuantityArguments& arguments, nb::handle out) {
  Call call;
  evaluate_variants(self, std::span(&quantity, 1), arguments, call,
                    [&](int) { make_result(self.variants->base(), quantity, out, call); });
  return call.finish();
}

void bind_variants(nb::module_& m, nb::class_<BoundModel>& model) {
  nb::class_<V> c(m, "Variants",
                  "The same robot with other parameters in each row: Model.variants() makes them. Rows are evaluated "
                  "on threads; the result of a row does not depend on their number.");
  bind_container(c);
  bind_of_state(c);
  bind_derivatives(c);
  c.def("step", &step, "q"_a, "v"_a, "tau"_a, "dt"_a,
        nb::sig("def step(self, q: NDArray[Any], v: NDArray[Any], tau: ArrayLike, dt: float) -> list[tuple[int, str]]"),
        "A step of the semi-implicit Euler method for each variant, in place: v += dt · forward_dynamics, then q = "
        "integrate(q, v, dt).\n\n"
        "q, v: (variants, nq) and (variants, nv), changed; tau: (variants, nv) or (nv,). Returns the rows that could "
        "not be moved, as (row, why), "
        "those without a model among them; they stay as they were. As in Model.step, damping and friction of joints "
        "are no part of it: add them to tau.");
  model.def("variants", &make, "parameters"_a, "count"_a = nb::none(),
            nb::sig("def variants(self, parameters: Mapping[str, ArrayLike], count: int | None = None) -> Variants"),
            "One model per row, each with its own parameters: what randomized dynamics and identification need.\n\n"
            "parameters: values of links and joints by name, each with one value per row, or one for all:\n"
            "  LINK.mass     (B,) kg; the link's inertia is scaled with it unless it is given, too\n"
            "  LINK.com      (B, 3) m, in the link's frame\n"
            "  LINK.inertia  (B, 3, 3) kg m², about the center of mass, along the link's axes\n"
            "  JOINT.origin  (B, 3) m, position in the parent link's frame, or (B, 4, 4), its pose\n"
            "  JOINT.length  (B,) m; moves the joint's origin to this distance from the parent's, in its direction\n"
            "  JOINT.armature, damping, dry_friction, spring_stiffness, spring_rest, velocity_limit, effort_limit  "
            "(B,), or (B, nv of the joint)\n"
            "count: the number of rows, where no parameter tells it.\n\n"
            "Rows whose description is not valid (a negative mass, an inertia that no body has) are listed in "
            "Variants.failed; their results are NaN.\n"
            "What a row costs, on two threads of a busy server: an arm with 7 joints 0.06 ms and 60 kB to build, 0.5 "
            "to 1 µs for inverse or forward "
            "dynamics; a humanoid with 36 degrees of freedom 0.3 to 0.8 ms and 0.3 MB, 2 to 4 µs. (Rows of one model, "
            "in Model.inverse_dynamics, are "
            "three to four times as fast.) Ctrl-C stops the building.");
}

}  // namespace lissom::python
