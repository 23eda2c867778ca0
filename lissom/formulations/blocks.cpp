#include "lissom/formulations/blocks.h"

#include "lissom/api/kinematics.h"
#include "lissom/math/dense.h"
#include "lissom/model/arguments.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom::formulations {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

const Joint& base_joint(const Model& model) {
  if (model.joints().empty() || model.joints()[0].type != JointType::free || model.joints()[0].v_index != 0)
    throw Error("'" + model.name() + "' has no floating base; load it with Base::free (--base free)");
  const auto& base = model.joints()[0];
  const auto identity = [](const Pose<double>& X) {
    return X.R.xx == 1 && X.R.yy == 1 && X.R.zz == 1 && X.p.x == 0 && X.p.y == 0 && X.p.z == 0;
  };
  // The free joint of a file that floats already is as good if its frame is that of the world.
  for (const auto& joint : model.description().joints)
    if (joint.child == base.child && !(identity(joint.origin) && identity(model.link(joint.parent).placement)))
      throw Error("joint '" + base.name + "' of the base link '" + base.child +
                  "' has its own frame, expected the world's; load the model with Base::free, without this joint");
  return base;
}
void check_state(const Model& model, const VectorIn& q, const VectorIn& v) {
  base_joint(model);
  check_configuration(Mechanism(model), q);
  check_vector(v, model.nv(), "v");
}
Matrix3d base_rotation(const VectorIn& q) {
  return to_eigen(matrix(normalized(Quaternion<double>{q[3], q[4], q[5], q[6]})));
}
// The base link's own center of mass, in its frame.
Vector3d base_com(const Model& model) {
  return to_eigen(model.link_description(base_joint(model).child).com);
}

// v = P (v₁, ω₁): v is the velocity of the base's origin along its own axes, v₁ that of its center of mass along the
// world's.
Matrix6 base_map(const Matrix3d& R, const Vector3d& com) {
  Matrix6 P = Matrix6::Zero();
  P.topLeftCorner<3, 3>() = P.bottomRightCorner<3, 3>() = R.transpose();
  P.topRightCorner<3, 3>() = R.transpose() * cross_matrix(R * com);  // v_origin = v₁ + (R com) × ω₁
  return P;
}
// Ṗ (v₁, ω₁). Along the base's axes v = v₁ + com × ω, and the axes rotate: d/dt Rᵀ = -[ω] Rᵀ.
Vector6 base_map_rate(const Matrix3d& R, const Vector6& x) {
  const Vector3d v1 = R.transpose() * x.head<3>(), omega = R.transpose() * x.tail<3>();
  Vector6 rate;
  rate << -omega.cross(v1), Vector3d::Zero();
  return rate;
}

}  // namespace

FloatingBaseBlocks floating_base_blocks(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v) {
  base_joint(model);
  const int n = model.nv() - 6;
  const MatrixXd M = mass_matrix(model, work, q);
  const VectorXd g = gravity_forces(model, work, q);
  const VectorXd c = coriolis_forces(model, work, q, v);
  const Matrix3d R = base_rotation(q);
  const Vector3d com = base_com(model);
  const Matrix6 P = base_map(R, com);
  const Vector6 x = dense::solve(P, v.head<6>());
  VectorXd P_rate_x = VectorXd::Zero(model.nv());
  P_rate_x.head<6>() = base_map_rate(R, x);
  const VectorXd C = M * P_rate_x + c;  // v̇ = P ẍ + Ṗ ẋ

  FloatingBaseBlocks b;
  b.H1 = P.transpose() * M.topLeftCorner<6, 6>() * P;
  b.Hc = P.transpose() * M.topRightCorner(6, n);
  b.H = M.bottomRightCorner(n, n);
  b.C1 = P.transpose() * C.head<6>();
  b.C = C.tail(n);
  b.G1 = P.transpose() * g.head<6>();
  b.G = g.tail(n);
  return b;
}

FloatingBaseState to_floating_base(const Model& model, const VectorIn& q, const VectorIn& v) {
  check_state(model, q, v);
  FloatingBaseState s;
  s.R1 = base_rotation(q);
  const Vector3d com = base_com(model);
  s.p1 = q.head<3>() + s.R1 * com;
  s.Q1 = q.segment<4>(3).normalized();
  s.omega1 = s.R1 * v.segment<3>(3);
  s.v1 = s.R1 * v.head<3>() + s.omega1.cross(s.R1 * com);
  s.q = q.tail(q.size() - 7), s.q_rate = v.tail(v.size() - 6);
  return s;
}

void from_floating_base(const Model& model, const FloatingBaseState& s, VectorXd& q, VectorXd& v, Attitude attitude) {
  base_joint(model);
  check_vector(s.p1, 3, "p1");
  check_vector(s.v1, 3, "v1");
  check_vector(s.omega1, 3, "omega1");
  check_vector(s.q, model.nq() - 7, "q of the joints");
  check_vector(s.q_rate, model.nv() - 6, "q_rate of the joints");
  if (attitude == Attitude::quaternion && !(std::abs(s.Q1.norm() - 1) <= 1e-6))
    throw Error("quaternion Q1 of the floating-base state has norm " + std::to_string(s.Q1.norm()) + ", expected 1");
  const Matrix3d& r = s.R1;
  const Mat3<double> given{r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)};
  if (attitude == Attitude::rotation) expect_rotation("R1 of the floating-base state", given);
  const auto w = attitude == Attitude::rotation ? quaternion_of(orthonormal(given))
                                                : normalized(Quaternion<double>{s.Q1[0], s.Q1[1], s.Q1[2], s.Q1[3]});
  const Matrix3d R = to_eigen(matrix(w));
  const Vector3d com = base_com(model);
  VectorXd new_q(model.nq()), new_v(model.nv());
  new_q << s.p1 - R * com, w.w, w.x, w.y, w.z, s.q;
  new_v << R.transpose() * (s.v1 - s.omega1.cross(R * com)), R.transpose() * s.omega1, s.q_rate;
  q = new_q, v = new_v;
}

FloatingBaseAcceleration forward_dynamics(const FloatingBaseBlocks& b, const FloatingBaseForces& f) {
  const long n = b.H.rows();
  check_vector(f.W1, 6, "W1");
  check_vector(f.tau, int(n), "tau");
  MatrixXd H(6 + n, 6 + n);
  H << b.H1, b.Hc, b.Hc.transpose(), b.H;
  VectorXd right(6 + n);
  right << f.W1 - b.C1 - b.G1, f.tau - b.C - b.G;
  const VectorXd a = dense::solve(H, right);
  return {a.head<6>(), a.tail(n)};
}
FloatingBaseForces inverse_dynamics(const FloatingBaseBlocks& b, const FloatingBaseAcceleration& a) {
  check_vector(a.base, 6, "base");
  check_vector(a.joints, int(b.H.rows()), "joints");
  return {b.H1 * a.base + b.Hc * a.joints + b.C1 + b.G1, b.Hc.transpose() * a.base + b.H * a.joints + b.C + b.G};
}

FloatingBaseForces equivalent_forces(const Model& model, Workspace& work, const VectorIn& q,
                                     std::span<const ExternalForce> forces) {
  base_joint(model);
  const VectorXd rest = VectorXd::Zero(model.nv());
  const VectorXd with = inverse_dynamics(model, work, q, rest, rest, forces);
  const VectorXd without = gravity_forces(model, work, q);
  const VectorXd tau = without - with;
  return {base_map(base_rotation(q), base_com(model)).transpose() * tau.head<6>(), tau.tail(model.nv() - 6)};
}

VectorXd coriolis_forces(const Model& model, Workspace& work, const VectorIn& q, const VectorIn& v) {
  const VectorXd both = bias_forces(model, work, q, v);
  return both - gravity_forces(model, work, q);
}

}  // namespace lissom::formulations
