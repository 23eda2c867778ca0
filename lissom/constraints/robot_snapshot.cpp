#include "lissom/constraints/robot_snapshot.h"

#include <cmath>

#include "lissom/api/state.h"

namespace lissom {

const char* invalid_state(const Model& model, const VectorIn& q, const VectorIn& v) {
  if (q.size() != model.nq()) return "q has not as many numbers as the model";
  if (v.size() != model.nv()) return "v has not as many numbers as the model";
  if (!q.allFinite()) return "q holds what is no number";
  if (!v.allFinite()) return "v holds what is no number";
  for (int i : model.quaternions())
    if (std::abs(q.segment<4>(i).norm() - 1) > 1e-6) return "a quaternion in q has not length 1";
  return nullptr;
}

RobotSnapshot::RobotSnapshot(const Model& m)
    : model(m),
      q(neutral(m)),
      v(Eigen::VectorXd::Zero(m.nv())),
      M(m.nv(), m.nv()),
      h(m.nv()),
      A(6, m.nv()),
      mass(m.mass()),
      work_(m),
      zero_(Eigen::VectorXd::Zero(m.nv())),
      J_from_(6, m.nv()) {
  update(neutral(m), zero_);
}

void RobotSnapshot::update(const VectorIn& new_q, const VectorIn& new_v) {
  q = new_q;
  v = new_v;
  M = mass_matrix(model, work_, q);
  h = bias_forces(model, work_, q, v);
  A = centroidal_map(model, work_, q);
  momentum.noalias() = A * v;
  momentum_rate = centroidal_momentum_rate(model, work_, q, v, zero_);
  com = center_of_mass(model, work_, q);
  forward_kinematics(model, work_, q, v, zero_);
}

Pose<double> RobotSnapshot::placement(FrameId frame) const {
  return lissom::placement(model, work_, frame);
}
SpatialVector RobotSnapshot::velocity(FrameId frame, const Vec3<double>& at) const {
  return lissom::velocity(model, work_, frame, Point{world_frame, at});
}
SpatialVector RobotSnapshot::acceleration(FrameId frame, const Vec3<double>& at) const {
  return lissom::acceleration(model, work_, frame, Point{world_frame, at});
}

void RobotSnapshot::jacobian(FrameId frame, const Vec3<double>& at, const Mat3<double>& R, Columns6& J) const {
  body_jacobian(model, work_, body(frame), at, R, J);
}
PointMotion<double> RobotSnapshot::motion(FrameId frame, const Vec3<double>& at) const {
  const auto V = velocity(frame, at), A_0 = acceleration(frame, at);
  return {V.linear, V.angular, A_0.linear, A_0.angular};
}

RobotSnapshot::Relative RobotSnapshot::relative(FrameId frame, FrameId from, const Vec3<double>& at,
                                                const Mat3<double>& R, Columns6& J) {
  const auto X_F = placement(from);
  const auto axes = X_F.R * R;
  relative_jacobian(model, work_, body(frame), body(from), at, axes, J, J_from_);
  auto m = motion(frame, at);
  if (body(from) != 0) m = relative_motion(motion(from, at), m);
  return {.X = inverse(X_F) * placement(frame),
          .velocity = {transpose_times(axes, m.v), transpose_times(axes, m.omega)},
          .rate = {transpose_times(axes, m.a), transpose_times(axes, m.alpha)}};
}

}  // namespace lissom
