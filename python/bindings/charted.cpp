// Charted coordinates, and the equations of motion in them: Lagrange, Gauss.
#include "charts.h"
#include "formulation_rows.h"
#include "formulations.h"
#include "lissom/formulations/gauss.h"
#include "lissom/formulations/lagrange.h"

LISSOM_ENUM(lissom::formulations::Projector, "orthogonal", "oblique")

namespace lissom::python {

using namespace nb::literals;
using namespace formulations;

namespace {

Charted charted(const BoundModel& model, nb::handle charts, nb::handle otherwise) {
  std::map<std::string, Chart> all;
  for (const auto [joint, chart] : mapping("charts", charts, "{joint: chart}"))
    all.emplace(nb::cast<std::string>(joint), chart_of("charts", chart));
  return Charted(model, all, chart_of("otherwise", otherwise));
}

// A function of q̃, or of q̃ and its rates, that returns a matrix or a vector of this shape. A chart of Python functions
// takes the GIL when it is called.
using Shape = std::initializer_list<long>;
template <auto f>
nb::object of_charted(const Charted& self, nb::handle x, Shape shape) {
  Call call = read_rows({{"charted", x, self.size()}});
  call.result(nb::none(), shape);
  each_row(call, [&](long i) { write_row(call, 0, i, (self.*f)(call.vector(0, i))); });
  return call.finish();
}
template <auto f>
nb::object of_charted_rates(const Charted& self, nb::handle x, nb::handle rates, Shape shape) {
  Call call = read_rows({{"charted", x, self.size()}, {"rates", rates, self.size()}});
  call.result(nb::none(), shape);
  each_row(call, [&](long i) { write_row(call, 0, i, (self.*f)(call.vector(0, i), call.vector(1, i))); });
  return call.finish();
}

void bind_slot(nb::module_& m) {
  using S = Charted::Slot;
  bind_result<S>(
      m, "ChartedSlot", "The coordinates of one joint in q̃.",
      {LISSOM_MEMBER(joint, ""), LISSOM_MEMBER(type, ""), LISSOM_MEMBER(at, "First element in q̃."),
       LISSOM_MEMBER(size, "Number of elements in q̃."), LISSOM_MEMBER(q_index, ""), LISSOM_MEMBER(v_index, ""),
       LISSOM_MEMBER(nv, ""), LISSOM_MEMBER(chart, "Of free and spherical joints; its coordinates are the last ones."),
       LISSOM_MEMBER(constraint, "Index of its first constraint.")});
  bind_result<Charted::WorstChart>(m, "WorstChart", "The joint whose chart has the smallest inverse condition.",
                                   {LISSOM_MEMBER(joint, ""), LISSOM_MEMBER(inverse_condition, "")});
}

// The shape, after those that it is for, is of nq, nv, n = size and k = constraints.
#define CHARTED_SHAPE(...)                                                                         \
  [[maybe_unused]] const long nq = self.mechanism().nq, nv = self.mechanism().nv, n = self.size(), \
                              k = self.constraints();                                              \
  const Shape shape = __VA_ARGS__
#define CHARTED(name, doc, ...)                            \
  c.def(                                                   \
      #name,                                               \
      [](const Charted& self, nb::handle x) {              \
        CHARTED_SHAPE(__VA_ARGS__);                        \
        return of_charted<&Charted::name>(self, x, shape); \
      },                                                   \
      "charted"_a, nb::sig("def " #name "(self, charted: ArrayLike) -> NDArray[Any]"), doc " charted: q̃, (…, size).")
#define CHARTED_RATES(name, doc, ...)                                                                               \
  c.def(                                                                                                            \
      #name,                                                                                                        \
      [](const Charted& self, nb::handle x, nb::handle rates) {                                                     \
        CHARTED_SHAPE(__VA_ARGS__);                                                                                 \
        return of_charted_rates<&Charted::name>(self, x, rates, shape);                                             \
      },                                                                                                            \
      "charted"_a, "rates"_a, nb::sig("def " #name "(self, charted: ArrayLike, rates: ArrayLike) -> NDArray[Any]"), \
      doc " charted, rates: q̃ and q̃̇, (…, size).")

void bind_maps(nb::class_<Charted>& c) {
  CHARTED(to_model, "q, (…, nq), of q̃; raises an Error if q̃ violates C.", {nq});
  CHARTED(velocity_map, "E with v = E q̃̇, (…, nv, size).", {nv, n});
  CHARTED_RATES(velocity_map_rate, "Its time derivative Ė, (…, nv, size).", {nv, n});
  CHARTED(rates_map, "E⁺ with E E⁺ = 1, (…, size, nv); its columns are rates that satisfy the constraints.", {n, nv});
  CHARTED(constraint, "C(q̃), (…, constraints).", {k});
  CHARTED(constraint_jacobian, "∂C/∂q̃, (…, constraints, size).", {k, n});
  CHARTED_RATES(constraint_bias, "The bias in C̈ = ∂C/∂q̃ q̃̈ + bias, (…, constraints).", {k});
}

void bind_class(nb::module_& m) {
  nb::class_<Charted> c(m, "Charted",
                        "Coordinates q̃ whose velocities are their time derivatives: joint by joint those of the chosen "
                        "charts. v = E q̃̇, v̇ = E q̃̈ + Ė q̃̇, and for forces Q̃ = Eᵀ tau.");
  c.def(
      "__init__",
      [](Charted* self, const BoundModel& model, nb::handle charts, nb::handle otherwise) {
        new (self) Charted(charted(model, charts, otherwise));
      },
      "model"_a, "charts"_a = nb::none(), "otherwise"_a = "quaternion",
      nb::sig("def __init__(self, model: Model, charts: Mapping[str, str | Chart] | None = None, otherwise: str | "
              "Chart = 'quaternion') -> None"),
      "charts: of free and spherical joints, {joint: chart}, each a name or a Chart; those that are not listed get "
      "`otherwise`.");
  c.def_prop_ro(
      "slots", [](const Charted& self) { return self.slots(); }, nb::sig("def slots(self) -> list[ChartedSlot]"),
      "The coordinates of each joint.");
  c.def_prop_ro(
      "mechanism", [](const Charted& self) { return self.mechanism(); }, nb::sig("def mechanism(self) -> Mechanism"));
  c.def_prop_ro("size", &Charted::size, "Number of elements of q̃.")
      .def_prop_ro("constraints", &Charted::constraints, "Number of constraints C.");
  c.def(
      "from_model",
      [](const Charted& self, nb::handle q) {
        Call call = read_rows({{"q", q, self.mechanism().nq}});
        call.result(nb::none(), {self.size()});
        each_row(call, [&](long i) { write_row(call, 0, i, self.from_model(call.vector(0, i))); });
        return call.finish();
      },
      "q"_a, nb::sig("def from_model(self, q: ArrayLike) -> NDArray[np.float64]"),
      "q̃, (…, size), of the model's q, (…, nq).");
  bind_maps(c);
  c.def(
      "worst_chart",
      [](const Charted& self, nb::handle x) {
        const auto values = vector("charted", x, self.size());
        return without_gil([&] { return self.worst_chart(values); });
      },
      "charted"_a, nb::sig("def worst_chart(self, charted: ArrayLike) -> WorstChart"),
      "The joint whose chart has the smallest inverse condition.");
  c.def("__repr__", [](const Charted& self) {
    return "Charted(size=" + std::to_string(self.size()) + ", constraints=" + std::to_string(self.constraints()) +
           ", " + std::to_string(self.slots().size()) + " joints)";
  });
}

// The structures of C++, with arrays that have the leading axes of the states.
struct EquationArrays {
  nb::object M, C, gravity;
};
struct GaussArrays {
  nb::object M, N, gravity;
};
struct ConstrainedArrays {
  nb::object acceleration, multipliers;
};

template <auto f>
EquationArrays equations(const Charted& c, nb::handle x, nb::handle rates) {
  const long n = c.size();
  Call call = read_rows({{"charted", x, n}, {"rates", rates, n}});
  call.result(nb::none(), {n, n}), call.result(nb::none(), {n}), call.result(nb::none(), {n});
  each_row(call, [&](long i) {
    const auto e = f(c, call.vector(0, i), call.vector(1, i));
    write_row(call, 0, i, e.M), write_row(call, 1, i, e.C), write_row(call, 2, i, e.gravity);
  });
  return {call.finish(0), call.finish(1), call.finish(2)};
}
GaussArrays gauss_equations(const Charted& c, nb::handle x, nb::handle rates) {
  const long n = c.size();
  Call call = read_rows({{"charted", x, n}, {"rates", rates, n}});
  call.result(nb::none(), {n, n}), call.result(nb::none(), {n, n}), call.result(nb::none(), {n});
  each_row(call, [&](long i) {
    const auto e = gauss(c, call.vector(0, i), call.vector(1, i));
    write_row(call, 0, i, e.M), write_row(call, 1, i, e.N), write_row(call, 2, i, e.gravity);
  });
  return {call.finish(0), call.finish(1), call.finish(2)};
}

// The arguments that both ways to solve the equations have.
struct SystemRows {
  const Charted& c;
  Call call;
  SystemRows(const Charted& coordinates, nb::handle x, nb::handle rates, nb::handle M, nb::handle bias, nb::handle Q)
      : c(coordinates),
        call(read_rows({{"charted", x, c.size()},
                        {"rates", rates, c.size()},
                        {"bias", bias, c.size()},
                        {"Q", Q, c.size()},
                        {"M", flattened("M", M, c.size()), long(c.size()) * c.size()}})) {}
  // Calls f with the arguments of a row.
  template <class F>
  auto with(long i, const F& f) const {
    const Eigen::Map<const Matrix> M(call.row<double>(4, i), c.size(), c.size());
    return f(call.vector(0, i), call.vector(1, i), Eigen::MatrixXd(M), call.vector(2, i), call.vector(3, i));
  }
};

ConstrainedArrays with_multipliers(const Charted& c, nb::handle x, nb::handle rates, nb::handle M, nb::handle bias,
                                   nb::handle Q) {
  SystemRows s(c, x, rates, M, bias, Q);
  s.call.result(nb::none(), {c.size()}), s.call.result(nb::none(), {c.constraints()});
  each_row(s.call, [&](long i) {
    const auto solved = s.with(i, [&](const auto&... all) { return solve_with_multipliers(c, all...); });
    write_row(s.call, 0, i, solved.acceleration), write_row(s.call, 1, i, solved.multipliers);
  });
  return {s.call.finish(0), s.call.finish(1)};
}

nb::object projected(const Charted& c, nb::handle x, nb::handle rates, nb::handle M, nb::handle bias, nb::handle Q,
                     Projector kind, bool condition) {
  SystemRows s(c, x, rates, M, bias, Q);
  s.call.result(nb::none(), {c.size()});
  if (condition) s.call.result(nb::none(), {});
  each_row(s.call, [&](long i) {
    double* const number = condition ? s.call.result_data<double>(1) + i : nullptr;
    write_row(s.call, 0, i, s.with(i, [&](const auto&... all) { return solve_projected(c, all..., kind, number); }));
  });
  if (condition) return nb::make_tuple(s.call.finish(0), s.call.finish(1));
  return s.call.finish();
}

void bind_solvers(nb::module_& m) {
  m.def(
      "projector",
      [](const Charted& c, nb::handle x, Projector kind) {
        Call call = read_rows({{"charted", x, c.size()}});
        call.result(nb::none(), {c.size(), c.size()});
        each_row(call, [&](long i) { write_row(call, 0, i, projector(c, call.vector(0, i), kind)); });
        return call.finish();
      },
      "coordinates"_a, "charted"_a, "kind"_a = Projector::orthogonal,
      nb::sig("def projector(coordinates: Charted, charted: ArrayLike, kind: Literal['orthogonal', 'oblique'] = "
              "'orthogonal') -> NDArray[Any]"),
      "The projector, (…, size, size), that eliminates the multipliers (34, 35): 'orthogonal', 1 - ∂C⁺ ∂C, for every "
      "chart, well conditioned; 'oblique', the paper's 1 - SᵀS q qᵀ, for unit quaternions only.");
  m.def("solve_with_multipliers", &with_multipliers, "coordinates"_a, "charted"_a, "rates"_a, "M"_a, "bias"_a, "Q"_a,
        nb::sig("def solve_with_multipliers(coordinates: Charted, charted: ArrayLike, rates: ArrayLike, M: ArrayLike, "
                "bias: ArrayLike, Q: ArrayLike) -> Constrained"),
        "q̃̈ for generalized forces Q, from M q̃̈ + bias = Q and C̈ = 0, by multipliers (32). Vectors are (…, size), M is "
        "(…, size, size).");
  m.def("solve_projected", &projected, "coordinates"_a, "charted"_a, "rates"_a, "M"_a, "bias"_a, "Q"_a,
        "kind"_a = Projector::orthogonal, "condition"_a = false,
        nb::sig("def solve_projected(coordinates: Charted, charted: ArrayLike, rates: ArrayLike, M: ArrayLike, bias: "
                "ArrayLike, Q: ArrayLike, kind: Literal['orthogonal', 'oblique'] = 'orthogonal', condition: bool = "
                "False) -> Any"),
        "The same by the projected equation A (M q̃̈ + bias) = A Q (35), with the rows of C̈ = 0 below it: q̃̈, (…, size). "
        "condition: if True, the result is (q̃̈, condition number of the matrix that is solved).");
}

}  // namespace

void bind_charted(nb::module_& m) {
  bind_slot(m);
  bind_class(m);
}

void bind_equations(nb::module_& m) {
  bind_result<EquationArrays>(m, "EquationsOfMotion", "M q̃̈ + C = Q in charted coordinates.",
                              {LISSOM_MEMBER(M, "Mass matrix, (…, size, size)."),
                               LISSOM_MEMBER(C, "Coriolis and centrifugal forces, (…, size)."),
                               LISSOM_MEMBER(gravity, "The part of Q due to gravity, (…, size).")});
  bind_result<GaussArrays>(m, "GaussEquations", "M q̈ + N q̇ + ∂C/∂qᵀ λ = Q in charted coordinates.",
                           {LISSOM_MEMBER(M, "(25), (…, size, size)."), LISSOM_MEMBER(N, "(26), (…, size, size)."),
                            LISSOM_MEMBER(gravity, "Σ m J_tᵀ g, (…, size).")});
  bind_result<ConstrainedArrays>(
      m, "Constrained", "What solve_with_multipliers() finds.",
      {LISSOM_MEMBER(acceleration, "q̃̈, (…, size)."), LISSOM_MEMBER(multipliers, "λ, (…, constraints).")});
#define OF_STATE "coordinates: a Charted. charted, rates: q̃ and q̃̇, (…, size)."
  m.def("lagrange", &equations<&lagrange>, "coordinates"_a, "charted"_a, "rates"_a,
        nb::sig("def lagrange(coordinates: Charted, charted: ArrayLike, rates: ArrayLike) -> EquationsOfMotion"),
        "Lagrange's equations from the links' Jacobians and their time derivatives (48, 59). " OF_STATE);
  m.def("lagrange_by_energy", &equations<&lagrange_by_energy>, "coordinates"_a, "charted"_a, "rates"_a,
        nb::sig(
            "def lagrange_by_energy(coordinates: Charted, charted: ArrayLike, rates: ArrayLike) -> EquationsOfMotion"),
        "Lagrange's equations from the kinetic energy alone (17), by dual numbers. " OF_STATE);
  m.def("gauss", &gauss_equations, "coordinates"_a, "charted"_a, "rates"_a,
        nb::sig("def gauss(coordinates: Charted, charted: ArrayLike, rates: ArrayLike) -> GaussEquations"),
        "The equations of motion from Gauss' principle of least constraint. " OF_STATE);
  bind_solvers(m);
}

}  // namespace lissom::python
