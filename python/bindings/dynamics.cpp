// Dynamics, and everything that batches compute in lanes.
#include "lissom/api/dynamics.h"

#include "bound_model.h"
#include "lissom/api/statics.h"
#include "quantity.h"

namespace lissom::python {

using batch::Quantity;

namespace {

// A method for one quantity of q alone, or of q and v.
template <Quantity quantity>
nb::object of_q(const BoundModel& model, nb::handle q, nb::handle out) {
  return evaluate(model, quantity, {.q = q}, out);
}
template <Quantity quantity>
nb::object of_q_v(const BoundModel& model, nb::handle q, nb::handle v, nb::handle out) {
  return evaluate(model, quantity, {.q = q, .v = v}, out);
}
nb::object inverse_dynamics(const BoundModel& model, nb::handle q, nb::handle v, nb::handle a, nb::handle external,
                            nb::handle out) {
  return evaluate(model, Quantity::inverse_dynamics, {.q = q, .v = v, .a = a, .external = external}, out);
}
nb::object forward_dynamics(const BoundModel& model, nb::handle q, nb::handle v, nb::handle tau, nb::handle external,
                            nb::handle out) {
  return evaluate(model, Quantity::forward_dynamics, {.q = q, .v = v, .tau = tau, .external = external}, out);
}

// Momentum has no batch: row by row, on threads.
nb::object centroidal_momentum(const BoundModel& model, nb::handle q, nb::handle v, nb::handle out) {
  Call call;
  call.read("q", q, model.nq());
  call.read("v", v, model.nv());
  call.resolve();
  call.compute_in_double();
  call.result(out, {6});
  for_rows(model, call.rows(), [&](Workspace& work, long i) {
    lissom::centroidal_momentum(model, work, call.vector(0, i), call.vector(1, i),
                                Eigen::Map<Eigen::VectorXd>(call.result_data<double>() + 6 * i, 6));
  });
  return call.finish();
}

void read_state_and_acceleration(const BoundModel& model, Call& call, nb::handle q, nb::handle v, nb::handle a) {
  call.read("q", q, model.nq());
  call.read("v", v, model.nv());
  call.read("a", a, model.nv());
  call.resolve();
  call.compute_in_double();
}

nb::object centroidal_momentum_rate(const BoundModel& model, nb::handle q, nb::handle v, nb::handle a, nb::handle out) {
  Call call;
  read_state_and_acceleration(model, call, q, v, a);
  call.result(out, {6});
  for_rows(model, call.rows(), [&](Workspace& work, long i) {
    lissom::centroidal_momentum_rate(model, work, call.vector(0, i), call.vector(1, i), call.vector(2, i),
                                     Eigen::Map<Eigen::VectorXd>(call.result_data<double>() + 6 * i, 6));
  });
  return call.finish();
}

nb::object regressor(const BoundModel& model, nb::handle q, nb::handle v, nb::handle a, nb::handle out) {
  return evaluate(model, Quantity::inverse_dynamics_dparameters, {.q = q, .v = v, .a = a}, out);
}

nb::object statics(const BoundModel& model, nb::handle q, nb::handle forces, nb::handle out, bool with_gravity) {
  Call call;
  call.read("q", q, model.nq());
  const auto frames = read_external(model, forces, call);
  call.resolve();
  call.compute_in_double();
  call.result(out, {model.nv()});
  for_rows(model, call.rows(), [&](Workspace& work, long i) {
    const auto wrenches = external_at(frames, call, 1, i);
    const auto tau = Eigen::Map<Eigen::VectorXd>(call.result_data<double>() + i * model.nv(), model.nv());
    if (with_gravity)
      lissom::equilibrium_torques(model, work, call.vector(0, i), wrenches, tau);
    else
      lissom::generalized_forces(model, work, call.vector(0, i), wrenches, tau);
  });
  return call.finish();
}

nb::dict evaluate_many(const BoundModel& model, const std::vector<std::string>& quantities, nb::handle q, nb::handle v,
                       nb::handle a, nb::handle tau, nb::handle external, nb::handle frame, nb::handle dq,
                       nb::handle dv, nb::handle da, nb::handle dtau, nb::handle weights) {
  std::vector<Quantity> wanted;
  for (const auto& name : quantities) wanted.push_back(value_of<Quantity>(name, "quantities"));
  return evaluate(model, wanted,
                  {.q = q,
                   .v = v,
                   .a = a,
                   .tau = tau,
                   .external = external,
                   .frame = frame,
                   .dq = dq,
                   .dv = dv,
                   .da = da,
                   .dtau = dtau,
                   .weights = weights});
}

#define Q_DOC "q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).\n"
#define V_DOC "v: velocities, (…, nv); rad/s, m/s.\n"
#define A_DOC "a: accelerations, (…, nv); rad/s², m/s².\n"
#define EXTERNAL_DOC                                                                                                  \
  "external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's " \
  "axes.\n"
#define OUT_DOC "out: an array for the result, of its shape and type.\n"
using namespace nb::literals;

void bind_forces(nb::class_<BoundModel>& m) {
  m.def("inverse_dynamics", &inverse_dynamics, "q"_a, "v"_a, "a"_a, "external"_a = nb::none(), "out"_a = nb::none(),
        nb::sig("def inverse_dynamics(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, external: Mapping[str, "
                "ArrayLike] | None = None, out: Any = None) -> NDArray[Any]"),
        "The generalized forces tau, (…, nv), for the acceleration a, by the recursive Newton–Euler algorithm; N m, "
        "N.\n\n" Q_DOC V_DOC A_DOC EXTERNAL_DOC OUT_DOC);
  m.def("forward_dynamics", &forward_dynamics, "q"_a, "v"_a, "tau"_a, "external"_a = nb::none(), "out"_a = nb::none(),
        nb::sig("def forward_dynamics(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: Mapping[str, "
                "ArrayLike] | None = None, out: Any = None) -> NDArray[Any]"),
        "The acceleration a, (…, nv), for the generalized forces tau, by the articulated-body algorithm; rad/s², "
        "m/s².\n\n" Q_DOC V_DOC "tau: generalized forces, (…, nv); N m, N.\n" EXTERNAL_DOC OUT_DOC);
  m.def("bias_forces", &of_q_v<Quantity::bias_forces>, "q"_a, "v"_a, "out"_a = nb::none(),
        nb::sig("def bias_forces(self, q: ArrayLike, v: ArrayLike, out: Any = None) -> NDArray[Any]"),
        "The bias forces h(q, v), (…, nv): Coriolis, centrifugal and gravity forces; N m, N.\n\n" Q_DOC V_DOC OUT_DOC);
  m.def("gravity_forces", &of_q<Quantity::gravity_forces>, "q"_a, "out"_a = nb::none(),
        nb::sig("def gravity_forces(self, q: ArrayLike, out: Any = None) -> NDArray[Any]"),
        "The gravity forces g(q) = h(q, 0), (…, nv); N m, N.\n\n" Q_DOC OUT_DOC);
  m.def(
      "generalized_forces",
      [](const BoundModel& model, nb::handle q, nb::handle forces, nb::handle out) {
        return statics(model, q, forces, out, false);
      },
      "q"_a, "forces"_a, "out"_a = nb::none(),
      nb::sig("def generalized_forces(self, q: ArrayLike, forces: Mapping[str, ArrayLike], out: Any = None) -> "
              "NDArray[Any]"),
      "The generalized forces Σ Jᵀ f, (…, nv), of forces on frames.\n\n" Q_DOC
      "forces: {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the world's axes.\n" OUT_DOC);
  m.def(
      "equilibrium_torques",
      [](const BoundModel& model, nb::handle q, nb::handle forces, nb::handle out) {
        return statics(model, q, forces, out, true);
      },
      "q"_a, "forces"_a = nb::none(), "out"_a = nb::none(),
      nb::sig("def equilibrium_torques(self, q: ArrayLike, forces: Mapping[str, ArrayLike] | None = None, out: Any = "
              "None) -> NDArray[Any]"),
      "The generalized forces g(q) - Σ Jᵀ f, (…, nv), with which the robot stays at rest.\n\n" Q_DOC
      "forces: as those of generalized_forces.\n" OUT_DOC);
}

void bind_matrices(nb::class_<BoundModel>& m) {
  m.def("mass_matrix", &of_q<Quantity::mass_matrix>, "q"_a, "out"_a = nb::none(),
        nb::sig("def mass_matrix(self, q: ArrayLike, out: Any = None) -> NDArray[Any]"),
        "The mass matrix M, (…, nv, nv), both triangles, by the composite-rigid-body algorithm.\n\n" Q_DOC OUT_DOC);
  m.def("inverse_mass_matrix", &of_q<Quantity::inverse_mass_matrix>, "q"_a, "out"_a = nb::none(),
        nb::sig("def inverse_mass_matrix(self, q: ArrayLike, out: Any = None) -> NDArray[Any]"),
        "The inverse of the mass matrix, (…, nv, nv), both triangles.\n\n" Q_DOC OUT_DOC);
  m.def("coriolis_matrix", &of_q_v<Quantity::coriolis_matrix>, "q"_a, "v"_a, "out"_a = nb::none(),
        nb::sig("def coriolis_matrix(self, q: ArrayLike, v: ArrayLike, out: Any = None) -> NDArray[Any]"),
        "The Coriolis matrix C(q, v), (…, nv, nv), for which h = C v + g and Ṁ - 2 C is skew-symmetric.\n\n" Q_DOC V_DOC
            OUT_DOC);
  m.def("centroidal_map", &of_q<Quantity::centroidal_map>, "q"_a, "out"_a = nb::none(),
        nb::sig("def centroidal_map(self, q: ArrayLike, out: Any = None) -> NDArray[Any]"),
        "The centroidal momentum matrix A, (…, 6, nv): the momentum about the center of mass, linear above angular, is "
        "A v.\n\n" Q_DOC OUT_DOC);
  m.def("regressor", &regressor, "q"_a, "v"_a, "a"_a, "out"_a = nb::none(),
        nb::sig("def regressor(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, out: Any = None) -> NDArray[Any]"),
        "The regressor Y, (…, nv, 10 body_count): inverse_dynamics = Y @ inertial_parameters(), without "
        "armature.\n\n" Q_DOC V_DOC A_DOC OUT_DOC);
  m.def(
      "inertial_parameters", [](const BoundModel& model) { return to_numpy(lissom::inertial_parameters(model)); },
      nb::sig("def inertial_parameters(self) -> NDArray[np.float64]"),
      "Ten numbers for each body: m, m c (3), I_xx I_xy I_xz I_yy I_yz I_zz about the body's origin, along its axes.");
}

void bind_energies(nb::class_<BoundModel>& m) {
  m.def("kinetic_energy", &of_q_v<Quantity::kinetic_energy>, "q"_a, "v"_a, "out"_a = nb::none(),
        nb::sig("def kinetic_energy(self, q: ArrayLike, v: ArrayLike, out: Any = None) -> Any"),
        "The kinetic energy in J: a float, or an array of the leading shape.\n\n" Q_DOC V_DOC OUT_DOC);
  m.def("potential_energy", &of_q<Quantity::potential_energy>, "q"_a, "out"_a = nb::none(),
        nb::sig("def potential_energy(self, q: ArrayLike, out: Any = None) -> Any"),
        "The potential energy of gravity in J: a float, or an array of the leading shape.\n\n" Q_DOC OUT_DOC);
  m.def("centroidal_momentum", &centroidal_momentum, "q"_a, "v"_a, "out"_a = nb::none(),
        nb::sig("def centroidal_momentum(self, q: ArrayLike, v: ArrayLike, out: Any = None) -> NDArray[Any]"),
        "The momentum about the center of mass, (…, 6), linear above angular, along the world's axes.\n\n" Q_DOC V_DOC
            OUT_DOC);
  m.def("centroidal_momentum_rate", &centroidal_momentum_rate, "q"_a, "v"_a, "a"_a, "out"_a = nb::none(),
        nb::sig("def centroidal_momentum_rate(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, out: Any = None) -> "
                "NDArray[Any]"),
        "The time derivative of the centroidal momentum, (…, 6).\n\n" Q_DOC V_DOC A_DOC OUT_DOC);
}

}  // namespace

void bind_dynamics(nb::class_<BoundModel>& m) {
  bind_forces(m);
  bind_matrices(m);
  bind_energies(m);
  m.def("evaluate", &evaluate_many, "quantities"_a, "q"_a, "v"_a = nb::none(), "a"_a = nb::none(), "tau"_a = nb::none(),
        "external"_a = nb::none(), "frame"_a = nb::none(), "dq"_a = nb::none(), "dv"_a = nb::none(),
        "da"_a = nb::none(), "dtau"_a = nb::none(), "weights"_a = nb::none(),
        nb::sig(
            "def evaluate(self, quantities: Sequence[str], q: ArrayLike, v: ArrayLike | None = None, a: ArrayLike "
            "| None = None, tau: ArrayLike | None = None, external: Mapping[str, ArrayLike] | None = None, frame: "
            "str | int | Frame | None = None, dq: ArrayLike | None = None, dv: ArrayLike | None = None, da: ArrayLike "
            "| None = None, dtau: ArrayLike | None = None, weights: ArrayLike | None = None) -> dict[str, "
            "NDArray[Any]]"),
        "Several quantities in one pass over the states: {quantity: array}. The quantities are named like the "
        "methods; those of derivatives are 'inverse_dynamics_dq', '…_dv', '…_da', 'forward_dynamics_dq', '…_dv', "
        "'…_dtau', (…, nv, nv); a product 'inverse_dynamics_vjp' or 'forward_dynamics_vjp' is (…, 3, nv). Those with "
        "respect to inertial parameters are 'inverse_dynamics_dparameters' and 'forward_dynamics_dparameters', (…, nv, "
        "10 "
        "body_count).\n\n" Q_DOC V_DOC A_DOC "tau: generalized forces, (…, nv).\n" EXTERNAL_DOC
        "frame: for 'placement' and 'jacobian'.\n"
        "dq, dv, da, dtau, weights: directions and weights of products, (…, nv).\n");
  m.attr("rnea") = m.attr("inverse_dynamics");
  m.attr("aba") = m.attr("forward_dynamics");
  m.attr("crba") = m.attr("mass_matrix");
}

}  // namespace lissom::python
