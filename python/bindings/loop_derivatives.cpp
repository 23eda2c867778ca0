// Derivatives of the dynamics of robots with closed loops.
#include "bound_loops.h"
#include "lissom/constraints/closed_loop_derivatives.h"
#include "named_arrays.h"

namespace lissom::python {

using namespace nb::literals;

namespace {

struct ForwardKind {
  static constexpr const char* type = "ClosedLoopDerivatives";
  static constexpr const char* doc =
      "The acceleration a and the constraint forces λ of a robot with closed loops, and their derivatives, for `rows` "
      "loop rows. They can be unpacked in this order.";
  static constexpr std::array fields{
      ArrayField{"a", "(…, nv); rad/s², m/s²."},
      ArrayField{"multipliers", "λ, (…, rows); N, N m. Zero for redundant rows."},
      ArrayField{"da_dq", "∂a/∂q along the tangent space of q, (…, nv, nv); 1/s²."},
      ArrayField{"da_dv", "∂a/∂v, (…, nv, nv); 1/s."},
      ArrayField{"da_dtau", "∂a/∂tau, (…, nv, nv); 1/(kg m²), 1/kg."},
      ArrayField{"dlambda_dq", "∂λ/∂q, (…, rows, nv)."},
      ArrayField{"dlambda_dv", "∂λ/∂v, (…, rows, nv)."},
      ArrayField{"dlambda_dtau", "∂λ/∂tau, (…, rows, nv)."},
  };
};
struct InverseKind {
  static constexpr const char* type = "ClosedLoopTorqueDerivatives";
  static constexpr const char* doc =
      "The torques and constraint forces λ of ClosedLoops.inverse_dynamics, and their derivatives, for `rows` loop "
      "rows. They can be unpacked in this order.";
  static constexpr std::array fields{
      ArrayField{"tau", "(…, nv); N m, N. Zero where not actuated."},
      ArrayField{"multipliers", "λ, (…, rows), those of least norm; N, N m."},
      ArrayField{"dtau_dq", "∂tau/∂q along the tangent space of q, (…, nv, nv); N m/rad, N/m."},
      ArrayField{"dtau_dv", "∂tau/∂v, (…, nv, nv); N m s/rad, N s/m."},
      ArrayField{"dtau_da", "∂tau/∂a, (…, nv, nv); kg m², kg."},
      ArrayField{"dlambda_dq", "∂λ/∂q, (…, rows, nv)."},
      ArrayField{"dlambda_dv", "∂λ/∂v, (…, rows, nv)."},
      ArrayField{"dlambda_da", "∂λ/∂a, (…, rows, nv)."},
  };
};
struct LinearizationKind {
  static constexpr const char* type = "ClosedLoopLinearization";
  static constexpr const char* doc =
      "The equation of motion of a robot with closed loops about a state, for the error x = (δq, δv) and the input "
      "δtau. "
      "They can be unpacked in this order.";
  static constexpr std::array fields{
      ArrayField{"A", "(2 nv, 2 nv)."},
      ArrayField{"B", "(2 nv, nv)."},
      ArrayField{
          "directions",
          "(2 nv, 2 (nv - rank)): an orthonormal basis of the errors that keep the loops closed. At an "
          "equilibrium A takes them to themselves: the motion has the eigenvalues of directions.T @ A @ directions."},
  };
};

// Computes eight results of one kind for all states. f(i) gives them for state i.
template <class Kind, class F>
nb::object of_states(BoundLoops& self, nb::handle q, nb::handle v, const char* name, nb::handle last, const F& f) {
  const auto& model = self.model;
  const long n = model.nv(), rows = self.loops.rows().count();
  Call call;
  call.read("q", q, model.nq());
  call.read("v", v, n);
  call.read(name, last, n);
  call.resolve();
  call.compute_in_double();
  NamedArrays<Kind> result;
  std::vector<long> shape(call.leading().begin(), call.leading().end());
  const auto make = [&](std::size_t k, std::initializer_list<long> own) {
    std::vector<long> all = shape;
    all.insert(all.end(), own);
    result.arrays[k] = new_array(all);
  };
  make(0, {n}), make(1, {rows});
  for (const std::size_t k : {2, 3, 4}) make(k, {n, n}), make(k + 3, {rows, n});
  std::array<double*, 8> data{};
  for (std::size_t k = 0; k < data.size(); ++k) data[k] = data_of(result.arrays[k]);
  for_states(self, call, [&](long i) {
    const auto d = f(call.vector(0, i), call.vector(1, i), call.vector(2, i));
    const auto put = [&](std::size_t k, const auto& x) {
      Eigen::Map<Matrix>(data[k] + i * x.size(), x.rows(), x.cols()) = x;
    };
    std::apply(
        [&](const auto&... x) {
          std::size_t k = 0;
          ((put(k++, x)), ...);
        },
        d);
  });
  return nb::cast(std::move(result));
}

nb::object forward(BoundLoops& self, nb::handle q, nb::handle v, nb::handle tau) {
  return of_states<ForwardKind>(self, q, v, "tau", tau, [&](const auto& x, const auto& u, const auto& t) {
    auto d = forward_dynamics_derivatives(self.model, self.work, self.loops, x, u, t);
    return std::tuple{std::move(d.a),          std::move(d.multipliers), std::move(d.da_dq),
                      std::move(d.da_dv),      std::move(d.da_dtau),     std::move(d.dlambda_dq),
                      std::move(d.dlambda_dv), std::move(d.dlambda_dtau)};
  });
}

nb::object inverse(BoundLoops& self, nb::handle q, nb::handle v, nb::handle a, nb::handle actuated) {
  const auto motors = actuated_dofs(self.model, actuated);
  return of_states<InverseKind>(self, q, v, "a", a, [&](const auto& x, const auto& u, const auto& rate) {
    auto d = inverse_dynamics_derivatives(self.model, self.work, self.loops, x, u, rate, motors);
    return std::tuple{std::move(d.tau),     std::move(d.multipliers), std::move(d.dtau_dq),    std::move(d.dtau_dv),
                      std::move(d.dtau_da), std::move(d.dlambda_dq),  std::move(d.dlambda_dv), std::move(d.dlambda_da)};
  });
}

nb::object linearize_state(BoundLoops& self, nb::handle q, nb::handle v, nb::handle tau) {
  const auto& model = self.model;
  const Eigen::VectorXd x = vector("q", q, model.nq()), u = vector("v", v, model.nv()),
                        t = vector("tau", tau, model.nv());
  const auto d = [&] {
    const OneCaller::Scope use(self.in_use, "ClosedLoops");
    const nb::gil_scoped_release release;
    return linearize(model, self.work, self.loops, x, u, t);
  }();
  NamedArrays<LinearizationKind> result;
  result.arrays = {to_numpy(d.A), to_numpy(d.B), to_numpy(d.directions)};
  return nb::cast(std::move(result));
}

#define DERIVATIVES_DOC                                                                                            \
  "Derivatives with respect to q are along the tangent space of the tree. They exist in every direction, also in " \
  "those "                                                                                                         \
  "that open the loops; where rows are redundant, they hold along directions that keep the loops closed.\n\n"      \
  "q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).\n"                                           \
  "v: velocities, (…, nv); rad/s, m/s.\n"

}  // namespace

void bind_loop_derivatives(nb::module_& m, nb::class_<BoundLoops>& l) {
  bind_named_arrays<ForwardKind>(m);
  bind_named_arrays<InverseKind>(m);
  bind_named_arrays<LinearizationKind>(m);
  l.def("forward_dynamics_derivatives", &forward, "q"_a, "v"_a, "tau"_a,
        nb::sig("def forward_dynamics_derivatives(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> "
                "ClosedLoopDerivatives"),
        "The derivatives of forward_dynamics(q, v, tau) and of its multipliers with respect to q, v and tau.\n\n"  //
        DERIVATIVES_DOC "tau: generalized forces, (…, nv); N m, N.\n");
  l.def("inverse_dynamics_derivatives", &inverse, "q"_a, "v"_a, "a"_a, "actuated"_a = nb::none(),
        nb::sig("def inverse_dynamics_derivatives(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, actuated: "
                "Sequence[str] | ArrayLike | None = None) -> ClosedLoopTorqueDerivatives"),
        "The derivatives of inverse_dynamics(q, v, a, actuated) with respect to q, v and a. Raises an Error if the "
        "actuated joints cannot produce every acceleration that keeps the loops closed.\n\n"  //
        DERIVATIVES_DOC
        "a: accelerations, (…, nv); rad/s², m/s².\n"
        "actuated: names of joints, or a truth value for each degree of freedom; None: all.\n");
  l.def("linearize", &linearize_state, "q"_a, "v"_a, "tau"_a,
        nb::sig("def linearize(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> ClosedLoopLinearization"),
        "ẋ = A x + B δtau about a closed state, for the error x = (δq, δv): A, (2 nv, 2 nv), B, (2 nv, nv), and the "
        "directions, (2 nv, 2 (nv - rank)), that keep the loops closed. lissom.sim.Integrator.linearize has discrete "
        "steps.\n\n"
        "q: (nq,); rad, m, unit quaternions (w, x, y, z). v: (nv,); rad/s, m/s. tau: (nv,); N m, N.\n");
}

}  // namespace lissom::python
