// Derivatives of dynamics, products with them, linearization: for one state, or for many.
#include "lissom/api/derivatives.h"

#include "lissom/api/second_order.h"
#include "named_arrays.h"
#include "variants.h"

namespace lissom::python {

using namespace nb::literals;
using batch::Quantity;

namespace {

bool wants(std::span<const Wanted> wanted, std::initializer_list<Quantity> quantities) {
  return std::ranges::any_of(
      wanted, [&](const Wanted& w) { return std::ranges::find(quantities, w.quantity) != quantities.end(); });
}
bool wants_inverse(std::span<const Wanted> wanted) {
  return wants(wanted, {Quantity::inverse_dynamics_dq, Quantity::inverse_dynamics_dv, Quantity::inverse_dynamics_da});
}
bool wants_forward(std::span<const Wanted> wanted) {
  return wants(wanted, {Quantity::forward_dynamics_dq, Quantity::forward_dynamics_dv, Quantity::forward_dynamics_dtau});
}

// The arguments and results of one row.
struct Row {
  const Model& model;
  Workspace& work;
  const Places& places;
  std::span<const ExternalForce> forces;
  const Call& call;
  long i;

  auto at(int place) const { return call.vector(place, i); }
  double* data(const Wanted& w) const { return static_cast<double*>(w.data) + i * w.size; }
  Eigen::Map<Eigen::VectorXd> vector(const Wanted& w, int part = 0) const {
    return {data(w) + long(part) * model.nv(), model.nv()};
  }
  Eigen::Map<Matrix> matrix(const Wanted& w) const { return matrix(w, model.nv()); }
  Eigen::Map<Matrix> matrix(const Wanted& w, long columns) const { return {data(w), model.nv(), columns}; }
  Eigen::Map<Matrix> second_order(const Wanted& w) const { return {data(w), 3L * model.nv(), 3L * model.nv()}; }
};

void evaluate_inverse(const Row& x, std::span<const Wanted> wanted) {
  const auto d =
      inverse_dynamics_derivatives(x.model, x.work, x.at(x.places.q), x.at(x.places.v), x.at(x.places.a), x.forces);
  for (const auto& w : wanted) {
    if (w.quantity == Quantity::inverse_dynamics_dq) x.matrix(w) = d.dtau_dq;
    if (w.quantity == Quantity::inverse_dynamics_dv) x.matrix(w) = d.dtau_dv;
    if (w.quantity == Quantity::inverse_dynamics_da) x.matrix(w) = d.M;
  }
}

void evaluate_forward(const Row& x, std::span<const Wanted> wanted) {
  const auto d =
      forward_dynamics_derivatives(x.model, x.work, x.at(x.places.q), x.at(x.places.v), x.at(x.places.tau), x.forces);
  for (const auto& w : wanted) {
    if (w.quantity == Quantity::forward_dynamics) x.vector(w) = d.a;
    if (w.quantity == Quantity::forward_dynamics_dq) x.matrix(w) = d.da_dq;
    if (w.quantity == Quantity::forward_dynamics_dv) x.matrix(w) = d.da_dv;
    if (w.quantity == Quantity::forward_dynamics_dtau) x.matrix(w) = d.M_inverse;
  }
}

// Products, and what is of second order or with respect to parameters; the others are left alone.
void evaluate_product(const Row& x, const Wanted& w) {
  if (x.places.v < 0) return;  // none of them
  const auto q = x.at(x.places.q), v = x.at(x.places.v);
  switch (w.quantity) {
    case Quantity::inverse_dynamics_jvp:
      return inverse_dynamics_jvp(x.model, x.work, q, v, x.at(x.places.a),
                                  {x.at(x.places.dq), x.at(x.places.dv), x.at(x.places.da)}, x.forces, x.vector(w));
    case Quantity::forward_dynamics_jvp:
      return forward_dynamics_jvp(x.model, x.work, q, v, x.at(x.places.tau),
                                  {x.at(x.places.dq), x.at(x.places.dv), x.at(x.places.dtau)}, x.forces, x.vector(w));
    case Quantity::inverse_dynamics_vjp:
      return inverse_dynamics_vjp(x.model, x.work, q, v, x.at(x.places.a), x.at(x.places.weights), x.forces,
                                  x.vector(w), x.vector(w, 1), x.vector(w, 2));
    case Quantity::inverse_dynamics_dparameters:
      x.matrix(w, 10L * x.model.body_count()) = regressor(x.model, x.work, q, v, x.at(x.places.a));
      return;
    case Quantity::forward_dynamics_dparameters:
      x.matrix(w, 10L * x.model.body_count()) =
          forward_dynamics_parameter_derivatives(x.model, x.work, q, v, x.at(x.places.tau), x.forces);
      return;
    case Quantity::inverse_dynamics_second_order:
      return inverse_dynamics_second_order(x.model, x.work, q, v, x.at(x.places.a), x.at(x.places.weights),
                                           x.second_order(w));
    case Quantity::forward_dynamics_second_order:
      return forward_dynamics_second_order(x.model, x.work, q, v, x.at(x.places.tau), x.at(x.places.weights),
                                           x.second_order(w));
    case Quantity::forward_dynamics_vjp:
      return forward_dynamics_vjp(x.model, x.work, q, v, x.at(x.places.tau), x.at(x.places.weights), x.forces,
                                  x.vector(w), x.vector(w, 1), x.vector(w, 2));
    default:
      return;
  }
}

// ── What Python gets

struct InverseDerivatives {
  static constexpr const char* type = "InverseDynamicsDerivatives";
  static constexpr const char* doc =
      "Derivatives of tau = inverse_dynamics(q, v, a), each (…, nv, nv). They can be unpacked in this order.";
  static constexpr std::array fields{
      ArrayField{"dtau_dq", "∂tau/∂q along the tangent space of q; N m/rad, N/m."},
      ArrayField{"dtau_dv", "∂tau/∂v; N m s/rad, N s/m."},
      ArrayField{"M", "∂tau/∂a, the mass matrix, both triangles; kg m², kg."},
  };
  static constexpr std::array quantities{Quantity::inverse_dynamics_dq, Quantity::inverse_dynamics_dv,
                                         Quantity::inverse_dynamics_da};
};
struct ForwardDerivatives {
  static constexpr const char* type = "ForwardDynamicsDerivatives";
  static constexpr const char* doc =
      "a = forward_dynamics(q, v, tau), (…, nv), and its derivatives, each (…, nv, nv). They can be unpacked in this "
      "order.";
  static constexpr std::array fields{
      ArrayField{"a", "forward_dynamics(q, v, tau); rad/s², m/s²."},
      ArrayField{"da_dq", "∂a/∂q along the tangent space of q; 1/s²."},
      ArrayField{"da_dv", "∂a/∂v; 1/s."},
      ArrayField{"M_inverse", "∂a/∂tau, the inverse of the mass matrix, both triangles; 1/(kg m²), 1/kg."},
  };
  static constexpr std::array quantities{Quantity::forward_dynamics, Quantity::forward_dynamics_dq,
                                         Quantity::forward_dynamics_dv, Quantity::forward_dynamics_dtau};
};
struct InverseGradient {
  static constexpr const char* type = "InverseDynamicsGradient";
  static constexpr const char* doc =
      "The gradient of weightsᵀ inverse_dynamics(q, v, a), each (…, nv). They can be unpacked in this order.";
  static constexpr std::array fields{
      ArrayField{"q", "With respect to q, along its tangent space."},
      ArrayField{"v", "With respect to v."},
      ArrayField{"a", "With respect to a: M weights."},
  };
};
struct ForwardGradient {
  static constexpr const char* type = "ForwardDynamicsGradient";
  static constexpr const char* doc =
      "The gradient of weightsᵀ forward_dynamics(q, v, tau), each (…, nv). They can be unpacked in this order.";
  static constexpr std::array fields{
      ArrayField{"q", "With respect to q, along its tangent space."},
      ArrayField{"v", "With respect to v."},
      ArrayField{"tau", "With respect to tau: M⁻¹ weights."},
  };
};
struct IntegrateDerivativesArrays {
  static constexpr const char* type = "IntegrateDerivatives";
  static constexpr const char* doc =
      "Derivatives of q1 = integrate(q, v, dt), in the tangent spaces of q and q1, each (…, nv, nv). They can be "
      "unpacked in this order.";
  static constexpr std::array fields{
      ArrayField{"dq", "∂q1/∂q: the identity where q̇ = v."},
      ArrayField{"dv", "∂q1/∂v: dt on the diagonal where q̇ = v; s."},
  };
};
struct LinearizationArrays {
  static constexpr const char* type = "Linearization";
  static constexpr const char* doc =
      "The equation of motion about a state, for the error x = (δq, δv) and the input δtau. They can be unpacked in "
      "this order.";
  static constexpr std::array fields{
      ArrayField{"A", "(…, 2 nv, 2 nv)."},
      ArrayField{"B", "(…, 2 nv, nv)."},
  };
};

// All matrices of one function, in one pass.
template <class Kind>
nb::object derivatives(const BoundModel& model, const QuantityArguments& arguments, nb::handle out) {
  Call call;
  const auto places = read_arguments(model, Kind::quantities, arguments, call);
  const auto targets = targets_of<Kind>(out);
  for (std::size_t k = 0; k < Kind::quantities.size(); ++k)
    make_result(model, Kind::quantities[k], targets[k], call, target_name<Kind>(k));
  evaluate_results(model, Kind::quantities, places, call);
  return finish<Kind>(call);
}

template <class Kind>
nb::object derivatives(BoundVariants& self, const QuantityArguments& arguments, nb::handle out) {
  Call call;
  const auto targets = targets_of<Kind>(out);
  evaluate_variants(self, Kind::quantities, arguments, call, [&](int k) {
    const auto at = std::size_t(k);
    make_result(self.variants->base(), Kind::quantities[at], targets[at], call, target_name<Kind>(at));
  });
  return finish<Kind>(call);
}

// A gradient is one array of shape (…, 3, nv), of which Python gets three views.
template <class Kind, class Self>
nb::object gradient(Self& self, Quantity quantity, const QuantityArguments& arguments, nb::handle out) {
  const nb::object all = evaluate(self, quantity, arguments, out);
  const nb::object parts = nb::module_::import_("numpy").attr("moveaxis")(all, -2, 0);
  NamedArrays<Kind> result;
  for (std::size_t k = 0; k < result.arrays.size(); ++k) result.arrays[k] = parts[k];
  return nb::cast(std::move(result));
}

nb::object integrate_derivatives_of(const BoundModel& model, nb::handle q, nb::handle v, double dt, nb::handle out) {
  using Kind = IntegrateDerivativesArrays;
  const long n = model.nv();
  Call call;
  call.read("q", q, model.nq());
  call.read("v", v, n);
  call.resolve();
  call.compute_in_double();
  const auto targets = targets_of<Kind>(out);
  for (std::size_t k = 0; k < 2; ++k) call.result(targets[k], std::array{n, n}, target_name<Kind>(k));
  for_rows(model, call.rows(), [&](Workspace& work, long i) {
    integrate_derivatives(model, work, call.vector(0, i), call.vector(1, i), dt,
                          Eigen::Map<Matrix>(call.result_data<double>(0) + i * n * n, n, n),
                          Eigen::Map<Matrix>(call.result_data<double>(1) + i * n * n, n, n));
  });
  return finish<Kind>(call);
}

nb::object linearize_states(const BoundModel& model, nb::handle q, nb::handle v, nb::handle tau,
                            std::optional<double> dt, nb::handle out) {
  using Kind = LinearizationArrays;
  const long n = model.nv();
  Call call;
  call.read("q", q, model.nq());
  call.read("v", v, n);
  call.read("tau", tau, n);
  call.resolve();
  call.compute_in_double();
  const auto targets = targets_of<Kind>(out);
  call.result(targets[0], std::array{2 * n, 2 * n}, target_name<Kind>(0));
  call.result(targets[1], std::array{2 * n, n}, target_name<Kind>(1));
  for_rows(model, call.rows(), [&](Workspace& work, long i) {
    const auto q_i = call.vector(0, i), v_i = call.vector(1, i), tau_i = call.vector(2, i);
    const auto [A, B] = dt ? linearize(model, work, q_i, v_i, tau_i, *dt) : linearize(model, work, q_i, v_i, tau_i);
    Eigen::Map<Matrix>(call.result_data<double>(0) + i * A.size(), A.rows(), A.cols()) = A;
    Eigen::Map<Matrix>(call.result_data<double>(1) + i * B.size(), B.rows(), B.cols()) = B;
  });
  return finish<Kind>(call);
}

#define STATE_DOC                                                        \
  "q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).\n" \
  "v: velocities, (…, nv); rad/s, m/s.\n"
#define A_DOC "a: accelerations, (…, nv); rad/s², m/s².\n"
#define TAU_DOC "tau: generalized forces, (…, nv); N m, N.\n"
#define EXTERNAL_DOC                                                                                                  \
  "external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's " \
  "axes. They move with their bodies: they keep their components in the body's frame.\n"
#define TANGENT_DOC                                                                                       \
  "Derivatives with respect to q are along its tangent space: column j tells what happens if q moves by " \
  "integrate(q, e_j, ε).\n\n"
#define PRODUCT_DOC "It takes two to three times as long as the function itself, and needs no matrices.\n\n"

template <class Self>
void bind_matrices(nb::class_<Self>& m) {
  m.def(
      "inverse_dynamics_derivatives",
      [](Self& self, nb::handle q, nb::handle v, nb::handle a, nb::handle external, nb::handle out) {
        return derivatives<InverseDerivatives>(self, {.q = q, .v = v, .a = a, .external = external}, out);
      },
      "q"_a, "v"_a, "a"_a, "external"_a = nb::none(), "out"_a = nb::none(),
      nb::sig("def inverse_dynamics_derivatives(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, external: Mapping[str, "
              "ArrayLike] | None = None, out: Iterable[Any] | None = None) -> InverseDynamicsDerivatives"),
      "The derivatives dtau_dq, dtau_dv, M of tau = inverse_dynamics(q, v, a), each (…, nv, nv), by the recursion of "
      "Singh, Russell and Wensing (2022).\n\n" TANGENT_DOC STATE_DOC A_DOC EXTERNAL_DOC
      "out: three arrays for the results, of their shapes and type; or what an earlier call returned.\n");
  m.def(
      "forward_dynamics_derivatives",
      [](Self& self, nb::handle q, nb::handle v, nb::handle tau, nb::handle external, nb::handle out) {
        return derivatives<ForwardDerivatives>(self, {.q = q, .v = v, .tau = tau, .external = external}, out);
      },
      "q"_a, "v"_a, "tau"_a, "external"_a = nb::none(), "out"_a = nb::none(),
      nb::sig("def forward_dynamics_derivatives(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: "
              "Mapping[str, ArrayLike] | None = None, out: Iterable[Any] | None = None) -> ForwardDynamicsDerivatives"),
      "a = forward_dynamics(q, v, tau), (…, nv), and its derivatives da_dq, da_dv, M_inverse, each (…, nv, "
      "nv).\n\n" TANGENT_DOC STATE_DOC TAU_DOC EXTERNAL_DOC
      "out: four arrays for the results, of their shapes and type; or what an earlier call returned.\n");
}

void bind_of_states(nb::class_<BoundModel>& m) {
  m.def("integrate_derivatives", &integrate_derivatives_of, "q"_a, "v"_a, "dt"_a = 1.0, "out"_a = nb::none(),
        nb::sig("def integrate_derivatives(self, q: ArrayLike, v: ArrayLike, dt: float = 1.0, out: Iterable[Any] | "
                "None = None) -> IntegrateDerivatives"),
        "The derivatives dq, dv of q1 = integrate(q, v, dt), in the tangent spaces of q and q1, each (…, nv, nv): with "
        "blocks of one joint each on the diagonal; the identity and dt where q̇ = v.\n\n" STATE_DOC
        "dt: s.\n"
        "out: two arrays for the results; or what an earlier call returned.\n");
  m.def("linearize", &linearize_states, "q"_a, "v"_a, "tau"_a, "dt"_a = nb::none(), "out"_a = nb::none(),
        nb::sig("def linearize(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dt: float | None = None, out: "
                "Iterable[Any] | None = None) -> Linearization"),
        "The equation of motion about a state, for the error x = (δq, δv), δq in the tangent space of q, and the input "
        "δtau: A, (…, 2 nv, 2 nv), and B, (…, 2 nv, nv).\n\n"
        "Without dt in continuous time: ẋ = A x + B δtau. With dt, for one step of the semi-implicit Euler method, as "
        "Model.step takes it: x(t + dt) = A x(t) + B δtau.\n\n" STATE_DOC TAU_DOC
        "dt: s.\n"
        "out: two arrays for the results; or what an earlier call returned.\n");
}

template <class Self>
void bind_jvp(nb::class_<Self>& m) {
  m.def(
      "inverse_dynamics_jvp",
      [](Self& self, nb::handle q, nb::handle v, nb::handle a, nb::handle dq, nb::handle dv, nb::handle da,
         nb::handle external, nb::handle out) {
        return evaluate(self, Quantity::inverse_dynamics_jvp,
                        {.q = q, .v = v, .a = a, .external = external, .dq = dq, .dv = dv, .da = da}, out);
      },
      "q"_a, "v"_a, "a"_a, "dq"_a, "dv"_a, "da"_a, "external"_a = nb::none(), "out"_a = nb::none(),
      nb::sig("def inverse_dynamics_jvp(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, dq: ArrayLike, dv: ArrayLike, "
              "da: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Any = None) -> NDArray[Any]"),
      "The change of tau = inverse_dynamics(q, v, a) along (dq, dv, da), (…, nv). " PRODUCT_DOC STATE_DOC A_DOC
      "dq, dv, da: the direction, each (…, nv), dq in the tangent space of q.\n" EXTERNAL_DOC
      "out: an array for the result, of its shape and type.\n");
  m.def(
      "forward_dynamics_jvp",
      [](Self& self, nb::handle q, nb::handle v, nb::handle tau, nb::handle dq, nb::handle dv, nb::handle dtau,
         nb::handle external, nb::handle out) {
        return evaluate(self, Quantity::forward_dynamics_jvp,
                        {.q = q, .v = v, .tau = tau, .external = external, .dq = dq, .dv = dv, .dtau = dtau}, out);
      },
      "q"_a, "v"_a, "tau"_a, "dq"_a, "dv"_a, "dtau"_a, "external"_a = nb::none(), "out"_a = nb::none(),
      nb::sig("def forward_dynamics_jvp(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dq: ArrayLike, dv: "
              "ArrayLike, dtau: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Any = None) -> "
              "NDArray[Any]"),
      "The change of a = forward_dynamics(q, v, tau) along (dq, dv, dtau), (…, nv). " PRODUCT_DOC STATE_DOC TAU_DOC
      "dq, dv, dtau: the direction, each (…, nv), dq in the tangent space of q.\n" EXTERNAL_DOC
      "out: an array for the result, of its shape and type.\n");
}

template <class Self>
void bind_vjp(nb::class_<Self>& m) {
  m.def(
      "inverse_dynamics_vjp",
      [](Self& self, nb::handle q, nb::handle v, nb::handle a, nb::handle weights, nb::handle external,
         nb::handle out) {
        return gradient<InverseGradient>(self, Quantity::inverse_dynamics_vjp,
                                         {.q = q, .v = v, .a = a, .external = external, .weights = weights}, out);
      },
      "q"_a, "v"_a, "a"_a, "weights"_a, "external"_a = nb::none(), "out"_a = nb::none(),
      nb::sig("def inverse_dynamics_vjp(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, weights: ArrayLike, external: "
              "Mapping[str, ArrayLike] | None = None, out: Any = None) -> InverseDynamicsGradient"),
      "The gradient of weightsᵀ inverse_dynamics(q, v, a) with respect to q, v and a, each (…, nv). " PRODUCT_DOC
          STATE_DOC A_DOC "weights: (…, nv).\n" EXTERNAL_DOC
      "out: an array of shape (…, 3, nv), of which the results are views.\n");
  m.def(
      "forward_dynamics_vjp",
      [](Self& self, nb::handle q, nb::handle v, nb::handle tau, nb::handle weights, nb::handle external,
         nb::handle out) {
        return gradient<ForwardGradient>(self, Quantity::forward_dynamics_vjp,
                                         {.q = q, .v = v, .tau = tau, .external = external, .weights = weights}, out);
      },
      "q"_a, "v"_a, "tau"_a, "weights"_a, "external"_a = nb::none(), "out"_a = nb::none(),
      nb::sig("def forward_dynamics_vjp(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, weights: ArrayLike, "
              "external: Mapping[str, ArrayLike] | None = None, out: Any = None) -> ForwardDynamicsGradient"),
      "The gradient of weightsᵀ forward_dynamics(q, v, tau) with respect to q, v and tau, each (…, nv). " PRODUCT_DOC
          STATE_DOC TAU_DOC "weights: (…, nv).\n" EXTERNAL_DOC
      "out: an array of shape (…, 3, nv), of which the results are views.\n");
}

}  // namespace

bool comes_with_derivatives(Quantity quantity, std::span<const Wanted> wanted) {
  return quantity == Quantity::forward_dynamics && wants_forward(wanted);
}

void evaluate_derivatives(const Model& model, Workspace& work, std::span<const Wanted> wanted, const Places& places,
                          std::span<const ExternalForce> forces, const Call& call, long i) {
  const Row row{model, work, places, forces, call, i};
  if (wants_inverse(wanted)) evaluate_inverse(row, wanted);
  if (wants_forward(wanted)) evaluate_forward(row, wanted);
  for (const auto& w : wanted) evaluate_product(row, w);
}

void bind_derivatives(nb::module_& m, nb::class_<BoundModel>& model) {
  bind_named_arrays<InverseDerivatives>(m);
  bind_named_arrays<ForwardDerivatives>(m);
  bind_named_arrays<InverseGradient>(m);
  bind_named_arrays<ForwardGradient>(m);
  bind_named_arrays<IntegrateDerivativesArrays>(m);
  bind_named_arrays<LinearizationArrays>(m);
  bind_matrices(model);
  bind_jvp(model);
  bind_vjp(model);
  bind_of_states(model);
}

void bind_derivatives(nb::class_<BoundVariants>& variants) {
  bind_matrices(variants);
  bind_jvp(variants);
  bind_vjp(variants);
}

}  // namespace lissom::python
