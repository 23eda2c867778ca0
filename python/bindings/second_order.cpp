// Derivatives of Jacobians and of momentum, second derivatives of dynamics, and derivatives with respect to inertial
// parameters.
#include "quantity.h"

namespace lissom::python {

using namespace nb::literals;
using batch::Quantity;

namespace {

void bind_kinematics_derivatives(nb::class_<BoundModel>& m) {
  m.def(
      "jacobian_derivatives",
      [](const BoundModel& model, nb::handle q, nb::handle of, nb::handle out) {
        return evaluate(model, Quantity::jacobian_derivatives, {.q = q, .frame = of}, out);
      },
      "q"_a, "of"_a, "out"_a = nb::none(),
      nb::sig("def jacobian_derivatives(self, q: ArrayLike, of: str | int | Frame, out: Any = None) -> NDArray[Any]"),
      "The derivatives of jacobian(q, of) (the kinematic Hessian), (…, 6, nv, nv): element (r, k, j) is the change of "
      "J[r, k] if q moves by integrate(q, e_j, ε).\n\n"
      "q: configurations, (…, nq). of: a frame.\n");
  m.def(
      "centroidal_momentum_derivatives",
      [](const BoundModel& model, nb::handle q, nb::handle v, nb::handle out) {
        return evaluate(model, Quantity::centroidal_momentum_derivatives, {.q = q, .v = v}, out);
      },
      "q"_a, "v"_a, "out"_a = nb::none(),
      nb::sig("def centroidal_momentum_derivatives(self, q: ArrayLike, v: ArrayLike, out: Any = None) -> "
              "NDArray[Any]"),
      "∂h/∂q of h = centroidal_momentum(q, v), (…, 6, nv), along the tangent space of q; ∂h/∂v is "
      "centroidal_map(q).\n\n"
      "q: configurations, (…, nq). v: velocities, (…, nv).\n");
}

void bind_dynamics_derivatives(nb::class_<BoundModel>& m) {
  m.def(
      "inverse_dynamics_second_order",
      [](const BoundModel& model, nb::handle q, nb::handle v, nb::handle a, nb::handle weights, nb::handle out) {
        return evaluate(model, Quantity::inverse_dynamics_second_order, {.q = q, .v = v, .a = a, .weights = weights},
                        out);
      },
      "q"_a, "v"_a, "a"_a, "weights"_a, "out"_a = nb::none(),
      nb::sig("def inverse_dynamics_second_order(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, weights: ArrayLike, "
              "out: Any = None) -> NDArray[Any]"),
      "The derivative of the gradient inverse_dynamics_vjp(q, v, a, weights), (…, 3 nv, 3 nv): rows are the gradients, "
      "columns the directions, each with respect to q, v, a. The part of q is the second derivative along two motions "
      "one after the other, the column's first; where q̇ = v it is the symmetric matrix of second derivatives.\n\n"
      "q: configurations, (…, nq). v, a, weights: (…, nv).\n");
  m.def(
      "forward_dynamics_second_order",
      [](const BoundModel& model, nb::handle q, nb::handle v, nb::handle tau, nb::handle weights, nb::handle out) {
        return evaluate(model, Quantity::forward_dynamics_second_order,
                        {.q = q, .v = v, .tau = tau, .weights = weights}, out);
      },
      "q"_a, "v"_a, "tau"_a, "weights"_a, "out"_a = nb::none(),
      nb::sig("def forward_dynamics_second_order(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, weights: ArrayLike, "
              "out: Any = None) -> NDArray[Any]"),
      "The derivative of the gradient forward_dynamics_vjp(q, v, tau, weights), (…, 3 nv, 3 nv), as "
      "inverse_dynamics_second_order, with respect to q, v, tau.\n\n"
      "q: configurations, (…, nq). v, tau, weights: (…, nv).\n");
  m.def(
      "forward_dynamics_parameter_derivatives",
      [](const BoundModel& model, nb::handle q, nb::handle v, nb::handle tau, nb::handle external, nb::handle out) {
        return evaluate(model, Quantity::forward_dynamics_dparameters,
                        {.q = q, .v = v, .tau = tau, .external = external}, out);
      },
      "q"_a, "v"_a, "tau"_a, "external"_a = nb::none(), "out"_a = nb::none(),
      nb::sig("def forward_dynamics_parameter_derivatives(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: "
              "Mapping[str, ArrayLike] | None = None, out: Any = None) -> NDArray[Any]"),
      "∂a/∂π = -M⁻¹ Y of a = forward_dynamics(q, v, tau) with respect to inertial_parameters(), (…, nv, 10 "
      "body_count), "
      "for constant tau and external forces; that of inverse_dynamics is regressor().\n\n"
      "q: configurations, (…, nq); rad, m, unit quaternions (w, x, y, z).\n"
      "v: velocities, (…, nv); rad/s, m/s.\n"
      "tau: generalized forces, (…, nv); N m, N.\n"
      "external: forces on frames, {frame: (…, 6)}: force (N) and torque (N m) at the frame's origin, along the "
      "world's axes.\n"
      "out: an array for the result, of its shape and type.\n");
}

}  // namespace

void bind_second_order(nb::class_<BoundModel>& m) {
  bind_kinematics_derivatives(m);
  bind_dynamics_derivatives(m);
}

}  // namespace lissom::python
