#include "lissom/sim/pull_spring.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lissom/api/kinematics.h"
#include "lissom/api/mass_matrix_factor.h"

namespace lissom::sim {

PullSpring pull_spring(const Model& model, const VectorIn& q, FrameId on, const Vec3<double>& point,
                       const Vec3<double>& to, double step) {
  Workspace work(model);
  MassMatrixFactor factor(model);
  factor.factorize(model, work, q);
  const Columns6& J = jacobian(model, work, q, on, {on, point});
  double mobility = 0;  // tr(J M⁻¹ Jᵀ) of the point
  for (int row = 0; row < 3; ++row) {
    Eigen::VectorXd x = J.row(row).transpose();
    mobility += x.dot(Eigen::VectorXd(factor.solve(x)));
  }
  PullSpring spring{on, point, to};
  if (!(mobility > 0) || !std::isfinite(mobility)) return spring;  // nothing moves there
  const double felt = 3 / mobility, rate = 2 * std::numbers::pi * 2;
  // h² k / m and h d / m at most .25 and .5.
  spring.stiffness = std::min(std::sqrt(felt * std::max(felt, model.mass())) * rate * rate, .25 * felt / (step * step));
  spring.damping = std::min(2 * std::sqrt(spring.stiffness * felt), .5 * felt / step);
  return spring;
}

ExternalForce force(const PullSpring& spring, const Instant& at) {
  forward_kinematics(at.model, at.work, at.q, at.v);
  const auto p = placement(at.model, at.work, spring.on) * spring.point;
  const auto v = velocity(at.model, at.work, spring.on, {spring.on, spring.point}).linear;
  return {.on = spring.on,
          .force = spring.stiffness * (spring.to - p) - spring.damping * v,
          .at = {spring.on, spring.point}};
}

void PullLaw::pull(FrameId on, const Vec3<double>& point, const Vec3<double>& to) {
  const auto moved = spring_ ? point - spring_->point : Vec3<double>{0, 0, 0};
  fits_ = fits_ && spring_ && spring_->on == on && dot(moved, moved) == 0;
  if (!spring_) spring_.emplace();
  spring_->on = on, spring_->point = point, spring_->to = to;
}

void PullLaw::operator()(const Instant& at, std::vector<ExternalForce>& forces) {
  constexpr double refit = .02;
  if (!spring_) return;
  if (!fits_ || std::abs(at.t - fitted_at_) > refit) {
    *spring_ = pull_spring(at.model, at.q, spring_->on, spring_->point, spring_->to, step_);
    fits_ = true, fitted_at_ = at.t;
  }
  forces.push_back(force(*spring_, at));
  applied_ = {spring_->on, placement(at.model, at.work, spring_->on) * spring_->point, forces.back().force};
}

}  // namespace lissom::sim
