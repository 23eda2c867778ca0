// Derivatives of Jacobians and of momentum, and second derivatives of dynamics: row by row, on threads.
#include "lissom/api/second_order.h"

#include "quantity.h"

namespace lissom::python {

using namespace nb::literals;

namespace {

nb::object jacobian_derivatives_of(const BoundModel& model, nb::handle q, nb::handle of, nb::handle out) {
  const long n = model.nv();
  const FrameId id = frame(model, of, "of");
  Call call;
  call.read("q", q, model.nq());
  call.resolve();
  call.compute_in_double();
  call.result(out, {6, n, n});
  for_rows(model, call.rows(), [&](Workspace& work, long i) {
    // Element (r, k, j) of the result is ∂J(r, k)/∂q_j, which C++ has at (6 k + r, j).
    const Eigen::MatrixXd H = jacobian_derivatives(model, work, call.vector(0, i), id);
    Eigen::Map<Matrix> all(call.result_data<double>() + i * call.result_size(), 6 * n, n);
    for (long r = 0; r < 6; ++r)
      for (long k = 0; k < n; ++k) all.row(r * n + k) = H.row(6 * k + r);
  });
  return call.finish();
}

nb::object momentum_derivatives(const BoundModel& model, nb::handle q, nb::handle v, nb::handle out) {
  Call call;
  call.read("q", q, model.nq());
  call.read("v", v, model.nv());
  call.resolve();
  call.compute_in_double();
  call.result(out, {6, model.nv()});
  for_rows(model, call.rows(), [&](Workspace& work, long i) {
    Eigen::Map<Matrix>(call.result_data<double>() + i * call.result_size(), 6, model.nv()) =
        centroidal_momentum_derivatives(model, work, call.vector(0, i), call.vector(1, i));
  });
  return call.finish();
}

using SecondOrder = void (*)(const Model&, Workspace&, const VectorIn&, const VectorIn&, const VectorIn&,
                             const VectorIn&, MatrixOut);
nb::object second_order(const BoundModel& model, SecondOrder function, nb::handle q, nb::handle v, const char* name,
                        nb::handle last, nb::handle weights, nb::handle out) {
  const long n = 3L * model.nv();
  Call call;
  call.read("q", q, model.nq());
  call.read("v", v, model.nv());
  call.read(name, last, model.nv());
  call.read("weights", weights, model.nv());
  call.resolve();
  call.compute_in_double();
  call.result(out, {n, n});
  for_rows(model, call.rows(), [&](Workspace& work, long i) {
    function(model, work, call.vector(0, i), call.vector(1, i), call.vector(2, i), call.vector(3, i),
             Eigen::Map<Matrix>(call.result_data<double>() + i * n * n, n, n));
  });
  return call.finish();
}

}  // namespace

void bind_second_order(nb::class_<BoundModel>& m) {
  m.def(
      "jacobian_derivatives", &jacobian_derivatives_of, "q"_a, "of"_a, "out"_a = nb::none(),
      nb::sig("def jacobian_derivatives(self, q: ArrayLike, of: str | int | Frame, out: Any = None) -> NDArray[Any]"),
      "The derivatives of jacobian(q, of) (the kinematic Hessian), (…, 6, nv, nv): element (r, k, j) is the change of "
      "J[r, k] if q moves by integrate(q, e_j, ε).\n\n"
      "q: configurations, (…, nq). of: a frame.\n");
  m.def("centroidal_momentum_derivatives", &momentum_derivatives, "q"_a, "v"_a, "out"_a = nb::none(),
        nb::sig("def centroidal_momentum_derivatives(self, q: ArrayLike, v: ArrayLike, out: Any = None) -> "
                "NDArray[Any]"),
        "∂h/∂q of h = centroidal_momentum(q, v), (…, 6, nv), along the tangent space of q; ∂h/∂v is "
        "centroidal_map(q).\n\n"
        "q: configurations, (…, nq). v: velocities, (…, nv).\n");
  m.def(
      "inverse_dynamics_second_order",
      [](const BoundModel& model, nb::handle q, nb::handle v, nb::handle a, nb::handle weights, nb::handle out) {
        return second_order(model, &inverse_dynamics_second_order, q, v, "a", a, weights, out);
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
        return second_order(model, &forward_dynamics_second_order, q, v, "tau", tau, weights, out);
      },
      "q"_a, "v"_a, "tau"_a, "weights"_a, "out"_a = nb::none(),
      nb::sig("def forward_dynamics_second_order(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, weights: ArrayLike, "
              "out: Any = None) -> NDArray[Any]"),
      "The derivative of the gradient forward_dynamics_vjp(q, v, tau, weights), (…, 3 nv, 3 nv), as "
      "inverse_dynamics_second_order, with respect to q, v, tau.\n\n"
      "q: configurations, (…, nq). v, tau, weights: (…, nv).\n");
}

}  // namespace lissom::python
