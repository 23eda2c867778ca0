// The equation of motion about a state, from the derivatives of forward dynamics and of integrate.
#include "lissom/api/derivatives.h"
#include "lissom/api/state.h"
#include "lissom/model/arguments.h"
#include "lissom/tree/manifold.h"

namespace lissom {
namespace {

// The error of q moves with the robot: after the time dt it is Ad exp(-dt v) δq + dt δv, so that at dt = 0 its time
// derivative is δv - ad_v δq. With v = (u, ω), ad_v (δp, δφ) = (ω × δp + u × δφ, ω × δφ).
void subtract_brackets(const Model& model, const VectorIn& v, Matrix& A) {
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

}  // namespace

Linearization linearization_of(const Model& model, const VectorIn& v, const MatrixIn& da_dq, const MatrixIn& da_dv,
                               const MatrixIn& da_dtau) {
  const int nv = model.nv();
  Linearization x{Matrix::Zero(2 * nv, 2 * nv), Matrix::Zero(2 * nv, nv)};
  subtract_brackets(model, v, x.A);
  x.A.topRightCorner(nv, nv).setIdentity();
  x.A.bottomLeftCorner(nv, nv) = da_dq;
  x.A.bottomRightCorner(nv, nv) = da_dv;
  x.B.bottomRows(nv) = da_dtau;
  return x;
}

Linearization linearize(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v,
                        const VectorIn& tau) {
  const auto f = forward_dynamics_derivatives(model, work, q, v, tau);
  return linearization_of(model, v, f.da_dq, f.da_dv, f.M_inverse);
}

Linearization linearize(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v, const VectorIn& tau,
                        double dt) {
  if (!(dt > 0)) throw Error("dt is " + std::to_string(dt) + " s, expected a positive number");
  const int nv = model.nv();
  const auto f = forward_dynamics_derivatives(model, work, q, v, tau);
  const Eigen::VectorXd v1 = v + dt * f.a;
  const auto move = integrate_derivatives(model, work, q, v1, dt);
  Linearization x{Matrix::Zero(2 * nv, 2 * nv), Matrix::Zero(2 * nv, nv)};
  // δv1 = δv + dt δa, and δq1 = (∂q1/∂q) δq + (∂q1/∂v1) δv1
  x.A.bottomLeftCorner(nv, nv) = dt * f.da_dq;
  x.A.bottomRightCorner(nv, nv) = Matrix::Identity(nv, nv) + dt * f.da_dv;
  x.B.bottomRows(nv) = dt * f.M_inverse;
  // (Row by row: of whole matrices, Eigen would allocate blocks that it does not align for wide registers.)
  for (int i = 0; i < nv; ++i) {
    x.A.row(i).noalias() = move.dv.row(i) * x.A.bottomRows(nv);
    x.B.row(i).noalias() = move.dv.row(i) * x.B.bottomRows(nv);
  }
  x.A.topLeftCorner(nv, nv) += move.dq;
  return x;
}

}  // namespace lissom
