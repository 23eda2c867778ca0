#include "lissom/control/moment.h"

#include <cmath>

#include "lissom/api/inside.h"
#include "lissom/api/state.h"

namespace lissom::control {

const char* complaint(const Model& model, const VectorIn& q, const VectorIn& v) {
  if (q.size() != model.nq()) return "q has not as many numbers as the model";
  if (v.size() != model.nv()) return "v has not as many numbers as the model";
  if (!q.allFinite()) return "q holds what is no number";
  if (!v.allFinite()) return "v holds what is no number";
  for (int i : model.quaternions())
    if (std::abs(q.segment<4>(i).norm() - 1) > 1e-6) return "a quaternion in q has not length 1";
  return nullptr;
}

Moment::Moment(const Model& m)
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

void Moment::update(const VectorIn& new_q, const VectorIn& new_v) {
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

Pose<double> Moment::placement(FrameId frame) const {
  return lissom::placement(model, work_, frame);
}
SpatialVector Moment::velocity(FrameId frame, const Vec3<double>& at) const {
  return lissom::velocity(model, work_, frame, Point{world_frame, at});
}
SpatialVector Moment::acceleration(FrameId frame, const Vec3<double>& at) const {
  return lissom::acceleration(model, work_, frame, Point{world_frame, at});
}

void Moment::jacobian(FrameId frame, const Vec3<double>& at, const Mat3<double>& R, Columns6& J) const {
  // The kernel itself: what kinematics the tick needs is there already.
  const auto& w = work_.inside();
  w.kernels.jacobian(ModelView<double>(model), *w.scratch, model.frames()[std::size_t(frame.index)].body, &at.x, &R.xx,
                     J.data());
}

// With p the point, ω the rate of `from`, and what is relative measured against the particle of `from` at p:
//   d/dt (v - v_from) seen from there = a - a_from - 2 ω × (v - v_from),   and likewise  α - α_from - ω × (ω_frame -
//   ω).
Moment::Relative Moment::relative(FrameId frame, FrameId from, const Vec3<double>& at, const Mat3<double>& R,
                                  Columns6& J) {
  const auto X_F = placement(from);
  const auto axes = X_F.R * R;
  const auto back = transpose(axes);
  const auto turn = [&](const SpatialVector& x) { return SpatialVector{back * x.linear, back * x.angular}; };
  Relative result;
  result.X = inverse(X_F) * placement(frame);
  auto velocity = this->velocity(frame, at), rate = acceleration(frame, at);
  jacobian(frame, at, axes, J);
  if (model.frames()[std::size_t(from.index)].body != world) {
    const auto v0 = this->velocity(from, at), a0 = acceleration(from, at);
    velocity = {velocity.linear - v0.linear, velocity.angular - v0.angular};
    rate = {rate.linear - a0.linear - 2.0 * cross(v0.angular, velocity.linear),
            rate.angular - a0.angular - cross(v0.angular, velocity.angular)};
    jacobian(from, at, axes, J_from_);
    J -= J_from_;
  }
  result.velocity = turn(velocity);
  result.rate = turn(rate);
  return result;
}

}  // namespace lissom::control
