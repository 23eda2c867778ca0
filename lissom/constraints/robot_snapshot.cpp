#include "lissom/constraints/robot_snapshot.h"

#include "lissom/api/state.h"
#include "lissom/api/unchecked.h"
#include "lissom/model/arguments.h"

namespace lissom {

bool invalid_state(const Model& model, const VectorIn& q, const VectorIn& v, ShortMessage* reason) {
  ShortMessage unused;
  ShortMessage& why = reason ? *reason : unused;
  return describe_wrong_size(why, "q", q.size(), model.nq()) || describe_wrong_size(why, "v", v.size(), model.nv()) ||
         describe_not_finite(why, "q", q.data(), q.size()) || describe_not_finite(why, "v", v.data(), v.size()) ||
         describe_not_unit(why, "q", model, q.data());
}

RobotSnapshot::RobotSnapshot(const Model& m)
    : work_(m),
      model(m),
      q(neutral(m)),
      v(Eigen::VectorXd::Zero(m.nv())),
      M(Unchecked(m, work_).full_M()),
      h(m.nv()),
      A(6, m.nv()),
      mass(m.mass()),
      J_from_(6, m.nv()) {
  update(neutral(m), Eigen::VectorXd::Zero(m.nv()));
}

bool RobotSnapshot::update(const VectorIn& new_q, const VectorIn& new_v) {
  valid_ = !invalid_state(model, new_q, new_v, &invalid_because_);
  if (!valid_) return false;
  q = new_q;
  v = new_v;
  Unchecked kernels(model, work_);
  kernels.all_terms(q.data(), v.data(), h.data(), A.data(), momentum.data(), momentum_rate.data());
  kernels.full_M();  // M sees it
  com = kernels.center_of_mass();
  return true;
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
                                                const Mat3<double>& R, Columns6& J) const {
  const auto X_F = placement(from);
  const auto axes = X_F.R * R;
  relative_jacobian(model, work_, body(frame), body(from), at, axes, J, J_from_);
  auto m = motion(frame, at);
  if (body(from) != 0) m = relative_motion(motion(from, at), m);
  return {.X = inverse(X_F) * placement(frame),
          .velocity = {transpose_times(axes, m.v), transpose_times(axes, m.omega)},
          .Jdot_v = {transpose_times(axes, m.a), transpose_times(axes, m.alpha)}};
}

}  // namespace lissom
