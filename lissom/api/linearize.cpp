// The equation of motion about a state, from the derivatives of forward dynamics and of integrate.
#include "lissom/api/derivatives.h"
#include "lissom/api/state.h"
#include "lissom/model/arguments.h"
#include "lissom/tree/manifold.h"

namespace lissom {
namespace {

// The error of q moves with the robot: after the time dt it is Ad exp(-dt v) δq + dt δv, so that at dt = 0 its time
// derivative is δv - ad_v δq. With v = (u, ω), ad_v (δp, δφ) = (ω × δp + u × δφ, ω × δφ).
void subtract_brackets(const Model& model, const VectorIn& v, MatrixOut& A) {
  const auto hat = [](double x, double y, double z) {
    return (Eigen::Matrix3d() << 0, -z, y, z, 0, -x, -y, x, 0).finished();
  };
  for (const auto& p : model.manifold().pieces) {
    const auto at = [&](int i) { return v[p.v + i]; };
    if (p.kind == ManifoldKind::so3) A.block<3, 3>(p.v, p.v) -= hat(at(0), at(1), at(2));
    if (p.kind == ManifoldKind::se3) {
      A.block<3, 3>(p.v, p.v) -= hat(at(3), at(4), at(5));
      A.block<3, 3>(p.v + 3, p.v + 3) -= hat(at(3), at(4), at(5));
      A.block<3, 3>(p.v, p.v + 3) -= hat(at(0), at(1), at(2));
    }
    if (p.kind == ManifoldKind::se2) {  // the same in the plane, with ω = (0, 0, v[2])
      A(p.v, p.v + 1) += at(2), A(p.v + 1, p.v) -= at(2);
      A(p.v, p.v + 2) -= at(1), A(p.v + 1, p.v + 2) += at(0);
    }
  }
}

void expect_shapes(const Model& model, const MatrixOut& A, const MatrixOut& B) {
  const int nv = model.nv();
  expect_shape("A", A.rows(), A.cols(), 2 * nv, 2 * nv);
  expect_shape("B", B.rows(), B.cols(), 2 * nv, nv);
}
Linearization of_size(const Model& model) {
  const int nv = model.nv();
  return {Matrix(2 * nv, 2 * nv), Matrix(2 * nv, nv)};
}

}  // namespace

void linearization_of(const Model& model, const VectorIn& v, const MatrixIn& da_dq, const MatrixIn& da_dv,
                      const MatrixIn& da_dtau, MatrixOut A, MatrixOut B) {
  expect_shapes(model, A, B);
  const int nv = model.nv();
  A.topRows(nv).setZero();
  B.topRows(nv).setZero();
  subtract_brackets(model, v, A);
  A.topRightCorner(nv, nv).setIdentity();
  A.bottomLeftCorner(nv, nv) = da_dq;
  A.bottomRightCorner(nv, nv) = da_dv;
  B.bottomRows(nv) = da_dtau;
}
Linearization linearization_of(const Model& model, const VectorIn& v, const MatrixIn& da_dq, const MatrixIn& da_dv,
                               const MatrixIn& da_dtau) {
  auto x = of_size(model);
  linearization_of(model, v, da_dq, da_dv, da_dtau, x.A, x.B);
  return x;
}

void linearize(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& tau,
               MatrixOut A, MatrixOut B) {
  const auto f = forward_dynamics_derivatives(model, work, q, v, tau);
  linearization_of(model, v, f.da_dq, f.da_dv, f.M_inverse, A, B);
}
Linearization linearize(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                        const VectorIn& tau) {
  auto x = of_size(model);
  linearize(model, work, q, v, tau, x.A, x.B);
  return x;
}

void linearize(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& tau,
               double dt, MatrixOut A, MatrixOut B) {
  if (!(dt > 0)) throw Error("dt is " + std::to_string(dt) + " s, expected a positive number");
  expect_shapes(model, A, B);
  const int nv = model.nv();
  const auto f = forward_dynamics_derivatives(model, work, q, v, tau);
  const Eigen::VectorXd v1 = v + dt * f.a;
  const auto move = integrate_derivatives(model, work, q, v1, dt);
  // δv1 = δv + dt δa, and δq1 = (∂q1/∂q) δq + (∂q1/∂v1) δv1
  A.bottomLeftCorner(nv, nv) = dt * f.da_dq;
  A.bottomRightCorner(nv, nv) = Matrix::Identity(nv, nv) + dt * f.da_dv;
  B.bottomRows(nv) = dt * f.M_inverse;
  A.topRows(nv).noalias() = move.dv * A.bottomRows(nv);
  B.topRows(nv).noalias() = move.dv * B.bottomRows(nv);
  A.topLeftCorner(nv, nv) += move.dq;
}
Linearization linearize(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& tau,
                        double dt) {
  auto x = of_size(model);
  linearize(model, work, q, v, tau, dt, x.A, x.B);
  return x;
}

}  // namespace lissom
