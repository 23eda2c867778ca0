#include "lissom/constraints/loop_derivatives.h"

#include <algorithm>

namespace lissom {
namespace {

// The rows of a loop, in the order of LoopRows. put(c) takes each of them.
template <class T, class Axes, class Put>
void for_rows(const Loop& loop, const Axes& perpendicular_axes, const FrameMotion<T>& a, const FrameMotion<T>& b,
              const Put& put) {
  const RelativePosition<T> position(a, b);
  if (loop.kind == LoopKind::distance) return put(position.distance(*loop.length));
  for (int k = 0; k < 3; ++k)
    if (loop.axes.along[std::size_t(k)]) put(position.along(k));
  for (const auto& [k, axes] : perpendicular_axes) put(product_of_axes(a, b, axes.u, axes.w));
}

// The force and torque on b at its origin; a has the opposite ones at the same point.
template <class T>
struct Pair {
  Vec3<T> force, torque;
};
template <class T, class Axes>
Pair<T> constraint_force(const Loop& loop, const Axes& perpendicular_axes, const Pose<T>& a, const Pose<T>& b,
                         const double* lambda) {
  using std::sqrt;
  Pair<T> f{zero_vec3<T>(), zero_vec3<T>()};
  if (loop.kind == LoopKind::distance) {
    const auto r = b.p - a.p;
    f.force = (T(*lambda) / sqrt(dot(r, r))) * r;
    return f;
  }
  for (int k = 0; k < 3; ++k)
    if (loop.axes.along[std::size_t(k)]) f.force += T(*lambda++) * axis_of(a.R, k);
  for (const auto& [k, axes] : perpendicular_axes)
    f.torque += T(*lambda++) * cross(axis_of(b.R, axes.w), axis_of(a.R, axes.u));
  return f;
}

Force<double> slope_of(const Force<Slope>& f) {
  const auto slope = [](const Vec3<Slope>& x) { return Vec3<double>{x.x.slope, x.y.slope, x.z.slope}; };
  return {slope(f.angular), slope(f.linear)};
}
void add(const Force<Slope>& f, double* to) {
  const Slope values[] = {f.angular.x, f.angular.y, f.angular.z, f.linear.x, f.linear.y, f.linear.z};
  for (int i = 0; i < 6; ++i) to[i] += values[i].value;
}

// c0 + c1 x + …, with three derivatives.
struct Polynomial3 {
  double value = 0, slope = 0, curvature = 0, third = 0;
};
Polynomial3 polynomial_at(const std::vector<double>& coefficients, double x) {
  Polynomial3 p;
  for (std::size_t i = coefficients.size(); i-- > 0;) {
    p.third = p.third * x + 3 * p.curvature;
    p.curvature = p.curvature * x + 2 * p.slope;
    p.slope = p.slope * x + p.value;
    p.value = p.value * x + coefficients[i];
  }
  return p;
}

}  // namespace

LoopDerivatives::LoopDerivatives(const Model& model, const LoopRows& rows)
    : rate_dq_(Matrix::Zero(rows.count(), model.nv())),
      acceleration_dq_(rate_dq_),
      acceleration_dv_(rate_dq_),
      force_change_dq_(Eigen::MatrixXd::Zero(model.nv(), model.nv())),
      forces_(std::size_t(6 * (model.body_count() + 1)), 0.0),
      slopes_(model) {}

void LoopDerivatives::evaluate(const Model& model, const LoopRows& rows, const Eigen::VectorXd& q,
                               const Eigen::VectorXd& v, const Eigen::VectorXd& a, const Eigen::VectorXd& lambda) {
  slopes_.set_state(model, q.data(), v.data(), a.data());
  for (auto* const m : {&rate_dq_, &acceleration_dq_, &acceleration_dv_}) m->setZero();
  force_change_dq_.setZero();
  std::ranges::fill(forces_, 0.0);
  int row = 0;
  const auto on_loop = [&](const Loop& loop, const auto& axes) {
    const auto& frame_a = model.frames()[std::size_t(loop.a.frame.index)];
    const auto& frame_b = model.frames()[std::size_t(loop.b.frame.index)];
    slopes_.of(model, frame_a.body, a_);
    slopes_.of(model, frame_b.body, b_);
    const auto in_a = frame_a.placement * loop.a.placement, in_b = frame_b.placement * loop.b.placement;
    bool first = true;
    for (int j = 0; j < model.nv(); ++j) {
      if (!a_.moved_by(j) && !b_.moved_by(j)) continue;
      int at = row;
      const auto body_a = a_.along_q(j), body_b = b_.along_q(j);
      const auto end_a = body_a.frame(in_a), end_b = body_b.frame(in_b);
      for_rows(loop, axes, end_a, end_b, [&](const RowMotion<Slope>& c) {
        rate_dq_(at, j) = c.rate.slope, acceleration_dq_(at, j) = c.acceleration.slope;
        ++at;
      });
      at = row;
      for_rows(loop, axes, a_.along_v(j).frame(in_a), b_.along_v(j).frame(in_b),
               [&](const RowMotion<Slope>& c) { acceleration_dv_(at++, j) = c.acceleration.slope; });
      const auto f = constraint_force(loop, axes, end_a.X, end_b.X, lambda.data() + row);
      const auto on_a = on_body(body_a.X, -f.force, -f.torque, end_b.X.p);
      const auto on_b = on_body(body_b.X, f.force, f.torque, end_b.X.p);
      a_.add_generalized(slope_of(on_a), force_change_dq_.col(j));
      b_.add_generalized(slope_of(on_b), force_change_dq_.col(j));
      if (!first) continue;
      first = false;
      add(on_a, forces_.data() + 6 * frame_a.body);
      add(on_b, forces_.data() + 6 * frame_b.body);
    }
    row += loop.row_count();
  };
  const auto on_coupling = [&](const auto& relation, const std::vector<double>& coefficients) {
    if (const int of = relation.of_v; of >= 0) {
      const auto p = polynomial_at(coefficients, q[relation.of_q]);
      rate_dq_(row, of) = -p.curvature * v[of];
      acceleration_dq_(row, of) = -p.curvature * a[of] - p.third * v[of] * v[of];
      acceleration_dv_(row, of) = -2 * p.curvature * v[of];
      force_change_dq_(of, of) -= p.curvature * lambda[row];
    }
    ++row;
  };
  rows.for_each(on_loop, on_coupling);
}

}  // namespace lissom
