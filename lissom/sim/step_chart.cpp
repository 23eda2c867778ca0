#include <cmath>

#include "lissom/kernels/kernels.h"
#include "lissom/sim/integrators.h"
#include "lissom/spatial/rotation_checks.h"

namespace lissom::sim {

StepChart::StepChart(const Model& model, const IntegratorOptions& options)
    : attitude_(options.attitude),
      size_(attitude_ == Attitude::exponential ? model.nv() : model.nq()),
      moved_(Eigen::VectorXd::Zero(model.nq())) {
  if (attitude_ != Attitude::chart) return;
  chart_ = chart(options.chart);
  size_ = 0;
  for (const auto& [kind, q, v, count] : model.manifold().pieces) {
    const bool free = kind == ManifoldKind::se3;
    if (free || kind == ManifoldKind::so3) {
      orientations_.push_back({q, v, size_, free});
      size_ += (free ? 3 : 0) + chart_->size();
    } else {
      (kind == ManifoldKind::flat ? plain_ : planar_).push_back({q, v, size_, count});
      size_ += count;
    }
  }
}

int StepChart::size() const {
  return size_;
}

Eigen::VectorXd StepChart::coordinates(const Eigen::VectorXd& q0, const Orientation& o,
                                       const Eigen::VectorXd& u) const {
  const int skip = o.free ? 3 : 0;
  return chart_->coordinates(matrix(read_quaternion(q0.data() + o.q + skip))) + u.segment(o.u + skip, chart_->size());
}

void StepChart::point(const Model& model, const Eigen::VectorXd& q0, const Eigen::VectorXd& u, Eigen::VectorXd& q) {
  if (attitude_ == Attitude::exponential) {
    single_kernels().integrate(ModelView<double>(model), q0.data(), u.data(), 1, q.data());
    return;
  }
  if (attitude_ == Attitude::quaternion) {
    q = q0 + u;
    for (const int at : model.quaternions()) q.segment<4>(at).normalize();
    return;
  }
  for (const auto* list : {&plain_, &planar_})
    for (const auto& p : *list) q.segment(p.q, p.count) = q0.segment(p.q, p.count) + u.segment(p.u, p.count);
  for (const auto& o : orientations_) {
    if (o.free) q.segment<3>(o.q) = q0.segment<3>(o.q) + u.segment<3>(o.u);
    const auto rotation = normalized(quaternion_of(chart_->rotation(coordinates(q0, o, u))));
    const int at = o.q + (o.free ? 3 : 0);
    q.segment<4>(at) << rotation.w, rotation.x, rotation.y, rotation.z;
    if (q.segment<4>(at).dot(q0.segment<4>(at)) < 0)
      q.segment<4>(at) *= -1;  // of ±quaternion, the one nearer to that of q0
  }
}

void StepChart::rate(const Model& model, const Eigen::VectorXd& q0, const Eigen::VectorXd& u, const Eigen::VectorXd& v,
                     Eigen::VectorXd& u_dot) {
  const ModelView<double> view(model);
  if (attitude_ == Attitude::exponential) {
    single_kernels().increment_rate(view, u.data(), v.data(), u_dot.data());
    return;
  }
  if (attitude_ == Attitude::quaternion) {
    moved_ = q0 + u;
    single_kernels().coordinate_rate(view, moved_.data(), v.data(), u_dot.data());
    return;
  }
  for (const auto& p : plain_) u_dot.segment(p.u, p.count) = v.segment(p.v, p.count);
  for (const auto& p : planar_) {
    const double angle = q0[p.q + 2] + u[p.u + 2], c = std::cos(angle), s = std::sin(angle);
    u_dot.segment<3>(p.u) << c * v[p.v] - s * v[p.v + 1], s * v[p.v] + c * v[p.v + 1], v[p.v + 2];
  }
  for (const auto& o : orientations_) {
    const int skip = o.free ? 3 : 0;
    const Eigen::VectorXd theta = coordinates(q0, o, u);
    if (o.free) {
      const auto linear = chart_->rotation(theta) * Vec3<double>{v[o.v], v[o.v + 1], v[o.v + 2]};
      u_dot.segment<3>(o.u) << linear.x, linear.y, linear.z;
    }
    const Vec3<double> omega{v[o.v + skip], v[o.v + skip + 1], v[o.v + skip + 2]};
    u_dot.segment(o.u + skip, chart_->size()) = chart_->rates(theta, omega, ExpressedIn::body_axes);
  }
}

}  // namespace lissom::sim
