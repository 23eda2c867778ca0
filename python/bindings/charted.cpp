// Charted coordinates, and the equations of motion in them: Lagrange, Gauss.
#include "charts.h"
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

// A function of q̃, or of q̃ and its rates, that returns a matrix or a vector. A chart of Python functions takes the GIL
// when it is called.
template <auto f>
nb::object of_charted(const Charted& self, nb::handle x) {
  const auto values = vector("charted", x, self.size());
  return to_numpy(without_gil([&] { return (self.*f)(values); }));
}
template <auto f>
nb::object of_charted_rates(const Charted& self, nb::handle x, nb::handle rates) {
  const auto values = vector("charted", x, self.size()), slopes = vector("rates", rates, self.size());
  return to_numpy(without_gil([&] { return (self.*f)(values, slopes); }));
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
        const auto x = vector("q", q);
        return to_numpy(without_gil([&] { return self.from_model(x); }));
      },
      "q"_a, nb::sig("def from_model(self, q: ArrayLike) -> NDArray[np.float64]"),
      "q̃, (size,), of the model's q, (nq,).");
#define CHARTED(name, result, doc)                       \
  c.def(#name, &of_charted<&Charted::name>, "charted"_a, \
        nb::sig("def " #name "(self, charted: ArrayLike) -> NDArray[np.float64]"), doc " charted: q̃, (size,).")
#define CHARTED_RATES(name, doc)                                                                     \
  c.def(#name, &of_charted_rates<&Charted::name>, "charted"_a, "rates"_a,                            \
        nb::sig("def " #name "(self, charted: ArrayLike, rates: ArrayLike) -> NDArray[np.float64]"), \
        doc " charted, rates: q̃ and q̃̇, (size,).")
  CHARTED(to_model, , "q, (nq,), of q̃; raises an Error if q̃ violates C.");
  CHARTED(velocity_map, , "E with v = E q̃̇, (nv, size).");
  CHARTED_RATES(velocity_map_rate, "Its time derivative Ė, (nv, size).");
  CHARTED(rates_map, , "E⁺ with E E⁺ = 1, (size, nv); its columns are rates that satisfy the constraints.");
  CHARTED(constraint, , "C(q̃), (constraints,).");
  CHARTED(constraint_jacobian, , "∂C/∂q̃, (constraints, size).");
  CHARTED_RATES(constraint_bias, "The bias in C̈ = ∂C/∂q̃ q̃̈ + bias, (constraints,).");
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

template <auto f>
auto equations(const Charted& coordinates, nb::handle x, nb::handle rates) {
  const auto values = vector("charted", x, coordinates.size()), slopes = vector("rates", rates, coordinates.size());
  return without_gil([&] { return f(coordinates, values, slopes); });
}

// The arguments that both ways to solve the equations have.
struct System {
  Eigen::VectorXd x, rates, bias, Q;
  Eigen::MatrixXd M;
  System(const Charted& c, nb::handle charted, nb::handle slopes, nb::handle mass, nb::handle b, nb::handle forces)
      : x(vector("charted", charted, c.size())),
        rates(vector("rates", slopes, c.size())),
        bias(vector("bias", b, c.size())),
        Q(vector("Q", forces, c.size())),
        M(matrix("M", mass, c.size(), c.size())) {}
};

void bind_solvers(nb::module_& m) {
  m.def(
      "projector",
      [](const Charted& c, nb::handle x, Projector kind) {
        const auto values = vector("charted", x, c.size());
        return to_numpy(without_gil([&] { return projector(c, values, kind); }));
      },
      "coordinates"_a, "charted"_a, "kind"_a = Projector::orthogonal,
      nb::sig("def projector(coordinates: Charted, charted: ArrayLike, kind: Literal['orthogonal', 'oblique'] = "
              "'orthogonal') -> NDArray[np.float64]"),
      "The projector, (size, size), that eliminates the multipliers (34, 35): 'orthogonal', 1 - ∂C⁺ ∂C, for every "
      "chart, well conditioned; 'oblique', the paper's 1 - SᵀS q qᵀ, for unit quaternions only.");
  m.def(
      "solve_with_multipliers",
      [](const Charted& c, nb::handle x, nb::handle rates, nb::handle M, nb::handle bias, nb::handle Q) {
        const System s(c, x, rates, M, bias, Q);
        return without_gil([&] { return solve_with_multipliers(c, s.x, s.rates, s.M, s.bias, s.Q); });
      },
      "coordinates"_a, "charted"_a, "rates"_a, "M"_a, "bias"_a, "Q"_a,
      nb::sig("def solve_with_multipliers(coordinates: Charted, charted: ArrayLike, rates: ArrayLike, M: ArrayLike, "
              "bias: ArrayLike, Q: ArrayLike) -> Constrained"),
      "q̃̈ for generalized forces Q, from M q̃̈ + bias = Q and C̈ = 0, by multipliers (32). Vectors are (size,), M is "
      "(size, size).");
  m.def(
      "solve_projected",
      [](const Charted& c, nb::handle x, nb::handle rates, nb::handle M, nb::handle bias, nb::handle Q, Projector kind,
         bool condition) -> nb::object {
        const System s(c, x, rates, M, bias, Q);
        double number = 0;
        const auto a = without_gil(
            [&] { return solve_projected(c, s.x, s.rates, s.M, s.bias, s.Q, kind, condition ? &number : nullptr); });
        if (condition) return nb::make_tuple(to_numpy(a), number);
        return to_numpy(a);
      },
      "coordinates"_a, "charted"_a, "rates"_a, "M"_a, "bias"_a, "Q"_a, "kind"_a = Projector::orthogonal,
      "condition"_a = false,
      nb::sig("def solve_projected(coordinates: Charted, charted: ArrayLike, rates: ArrayLike, M: ArrayLike, bias: "
              "ArrayLike, Q: ArrayLike, kind: Literal['orthogonal', 'oblique'] = 'orthogonal', condition: bool = "
              "False) -> Any"),
      "The same by the projected equation A (M q̃̈ + bias) = A Q (35), with the rows of C̈ = 0 below it: q̃̈, (size,). "
      "condition: if True, the result is (q̃̈, condition number of the matrix that is solved).");
}

}  // namespace

void bind_charted(nb::module_& m) {
  bind_slot(m);
  bind_class(m);
}

void bind_equations(nb::module_& m) {
  bind_result<EquationsOfMotion>(m, "EquationsOfMotion", "M q̃̈ + C = Q in charted coordinates.",
                                 {LISSOM_ARRAY_MEMBER(M, "Mass matrix, (size, size)."),
                                  LISSOM_ARRAY_MEMBER(C, "Coriolis and centrifugal forces, (size,)."),
                                  LISSOM_ARRAY_MEMBER(gravity, "The part of Q due to gravity, (size,).")});
  bind_result<GaussEquations>(
      m, "GaussEquations", "M q̈ + N q̇ + ∂C/∂qᵀ λ = Q in charted coordinates.",
      {LISSOM_ARRAY_MEMBER(M, "(25), (size, size)."), LISSOM_ARRAY_MEMBER(N, "(26), (size, size)."),
       LISSOM_ARRAY_MEMBER(gravity, "Σ m J_tᵀ g, (size,).")});
  bind_result<Constrained>(
      m, "Constrained", "What solve_with_multipliers() finds.",
      {LISSOM_ARRAY_MEMBER(acceleration, "q̃̈, (size,)."), LISSOM_ARRAY_MEMBER(multipliers, "λ, (constraints,).")});
#define OF_STATE "coordinates: a Charted. charted, rates: q̃ and q̃̇, (size,)."
  m.def("lagrange", &equations<&lagrange>, "coordinates"_a, "charted"_a, "rates"_a,
        nb::sig("def lagrange(coordinates: Charted, charted: ArrayLike, rates: ArrayLike) -> EquationsOfMotion"),
        "Lagrange's equations from the links' Jacobians and their time derivatives (48, 59). " OF_STATE);
  m.def("lagrange_by_energy", &equations<&lagrange_by_energy>, "coordinates"_a, "charted"_a, "rates"_a,
        nb::sig(
            "def lagrange_by_energy(coordinates: Charted, charted: ArrayLike, rates: ArrayLike) -> EquationsOfMotion"),
        "Lagrange's equations from the kinetic energy alone (17), by dual numbers. " OF_STATE);
  m.def("gauss", &equations<&gauss>, "coordinates"_a, "charted"_a, "rates"_a,
        nb::sig("def gauss(coordinates: Charted, charted: ArrayLike, rates: ArrayLike) -> GaussEquations"),
        "The equations of motion from Gauss' principle of least constraint. " OF_STATE);
  bind_solvers(m);
}

}  // namespace lissom::python
