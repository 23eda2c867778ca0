#include "lissom/formulations/mirtich.h"

#include "lissom/formulations/com_frames.h"
#include "lissom/math/dense.h"

namespace lissom::formulations {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// X̂ from frame F to G: R takes components along F's axes to G's, and r is the vector from F's origin to G's, along G's
// axes.
Matrix6 spatial_transform(const Matrix3d& R, const Vector3d& r) {
  Matrix6 X = Matrix6::Zero();
  X.topLeftCorner<3, 3>() = X.bottomRightCorner<3, 3>() = R;
  X.bottomLeftCorner<3, 3>() = -cross_matrix(r) * R;
  return X;
}
Matrix6 inverse_transform(const Matrix3d& R, const Vector3d& r) {
  return spatial_transform(R.transpose(), -R.transpose() * r);
}
// (a; b)' = (bᵀ aᵀ), column by column.
MatrixXd spatial_transpose(const Matrix6X& s) {
  MatrixXd t(s.cols(), 6);
  t << s.bottomRows<3>().transpose(), s.topRows<3>().transpose();
  return t;
}

}  // namespace

VectorXd forward_dynamics_mirtich(const Mechanism& mechanism, const VectorIn& q, const VectorIn& v,
                                  const VectorIn& tau) {
  if (mechanism.coupled)
    throw Error("the robot has mimic joints, which Mirtich's form cannot have; build the model with mimic = false");
  check_vector(tau, mechanism.nv, "tau");
  const auto& links = mechanism.links;
  const std::size_t n = links.size();
  const auto frame = com_frames(mechanism, q, v);  // ComputeSerialLinkVelocities

  // Each link alone: f = m a + (-m g), τ = I α + ω × I ω.
  std::vector<Matrix6> I_A(n, Matrix6::Zero());
  std::vector<Vector6> Z_A(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vector3d g = frame[i].R_W.transpose() * mechanism.gravity;
    I_A[i].topRightCorner<3, 3>() = links[i].mass * Matrix3d::Identity();
    I_A[i].bottomLeftCorner<3, 3>() = links[i].inertia;
    Z_A[i] << -links[i].mass * g, frame[i].omega.cross(links[i].inertia * frame[i].omega);
  }

  // Inward pass: the articulated inertia and bias force of each link, through its joint, to the parent.
  std::vector<MatrixXd> D_inverse(n), s_I(n);
  std::vector<VectorXd> u(n);
  for (std::size_t i = n; i-- > 0;) {
    const auto& s = frame[i].s;
    const Matrix6X I_s = I_A[i] * s;
    const MatrixXd s_t = spatial_transpose(s);
    const Vector6 Z = Z_A[i] + I_A[i] * frame[i].c;
    const MatrixXd joint_inertia = s_t * I_s + links[i].armature * MatrixXd::Identity(s.cols(), s.cols());  // s' I s
    D_inverse[i] = dense::inverse(joint_inertia);
    s_I[i] = s_t * I_A[i];
    u[i] = tau.segment(links[i].v_index, s.cols()) - s_t * Z;
    if (links[i].parent < 0) continue;
    const auto p = std::size_t(links[i].parent);
    const auto to_parent = inverse_transform(frame[i].R, frame[i].r);
    const auto from_parent = spatial_transform(frame[i].R, frame[i].r);
    I_A[p] += to_parent * (I_A[i] - I_s * D_inverse[i] * s_I[i]) * from_parent;
    Z_A[p] += to_parent * (Z + I_s * D_inverse[i] * u[i]);
  }

  // Outward pass: accelerations. The world does not accelerate; gravity is in Z.
  VectorXd a = VectorXd::Zero(mechanism.nv);
  std::vector<Vector6> a_hat(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vector6 carried =
        links[i].parent < 0 ? Vector6(Vector6::Zero())
                            : Vector6(spatial_transform(frame[i].R, frame[i].r) * a_hat[std::size_t(links[i].parent)]);
    const auto& s = frame[i].s;
    const VectorXd qdd = D_inverse[i] * (u[i] - s_I[i] * carried);
    a.segment(links[i].v_index, s.cols()) = qdd;
    a_hat[i] = carried + frame[i].c + s * qdd;
  }
  return a;
}

}  // namespace lissom::formulations
