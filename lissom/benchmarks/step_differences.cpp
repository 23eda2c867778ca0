#include "lissom/benchmarks/step_differences.h"

#include <cmath>

#include "lissom/api/state.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::benchmarks {
namespace {

// q ⊕ δ of a body or robot, and the δ between two of them, which is small.
Eigen::VectorXd moved(const Model* robot, const Eigen::VectorXd& q, const Eigen::VectorXd& delta) {
  if (robot) return integrate(*robot, q, delta, 1);
  Eigen::VectorXd to = q;
  to.head<3>() += delta.head<3>();
  const auto turned =
      normalized(Quaternion<double>{q[3], q[4], q[5], q[6]} * exponential(Vec3<double>{delta[3], delta[4], delta[5]}));
  to.tail<4>() << turned.w, turned.x, turned.y, turned.z;
  return to;
}
Eigen::VectorXd between(const Model* robot, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1) {
  if (robot) return difference(*robot, q0, q1);
  Eigen::VectorXd delta(6);
  delta.head<3>() = q1.head<3>() - q0.head<3>();
  const auto R = transpose(matrix(q0[3], q0[4], q0[5], q0[6])) * matrix(q1[3], q1[4], q1[5], q1[6]);
  delta.tail<3>() << .5 * (R.zy - R.yz), .5 * (R.xz - R.zx), .5 * (R.yx - R.xy);
  return delta;
}

}  // namespace

StepDifferences::StepDifferences(const World& world, double h, double width)
    : world_(world.clone()), start_(world_.state()), h_(h), width_(width) {
  for (const auto& name : world_.moving()) robots_.push_back(world_.robot(name));
  // What robots carry is their momentum up to rounding; held, it would hold their velocities.
  start_.momentum.assign(start_.q.size(), {});
  for (const auto& v : start_.v) total_ += int(v.size());
}

Eigen::VectorXd StepDifferences::column(int k) {
  const auto at = [&](double by) {
    auto state = start_;
    int i = k % total_;
    std::size_t unit = 0;
    for (; i >= state.v[unit].size(); ++unit) i -= int(state.v[unit].size());
    if (k < total_)
      state.q[unit] = moved(robots_[unit], state.q[unit], by * Eigen::VectorXd::Unit(state.v[unit].size(), i));
    else
      (k < 2 * total_ ? state.v : state.tau)[unit][i] += by;
    return after(world_, state);
  };
  const double width = k < 2 * total_ ? width_ : 1e3 * width_;
  return change(at(width), at(-width)) / (2 * width);
}

Eigen::VectorXd StepDifferences::parameter(const std::function<void(World&, double)>& alter) {
  const auto at = [&](double by) {
    auto other = world_.clone();
    alter(other, by);
    return after(other, start_);
  };
  return change(at(width_), at(-width_)) / (2 * width_);
}

double StepDifferences::error(const StepDerivatives& d) {
  double worst = 0;
  for (int k = 0; k < 3 * total_; ++k) {
    const Eigen::VectorXd expected = column(k);
    const Eigen::VectorXd found = k < 2 * total_ ? d.A.col(k) : d.B.col(k - 2 * total_);
    const double e = (found - expected).cwiseAbs().maxCoeff() / std::max(1e-3, expected.cwiseAbs().maxCoeff());
    worst = std::isnan(e) ? e : std::max(worst, e);
  }
  return worst;
}

World::State StepDifferences::after(World& world, const World::State& state) {
  world.restore(state);
  all_converged_ &= world.step(h_).converged;
  return world.state();
}

Eigen::VectorXd StepDifferences::change(const World::State& to, const World::State& from) const {
  Eigen::VectorXd delta(2 * total_);
  int first = 0;
  for (std::size_t i = 0; i < from.q.size(); ++i) {
    const auto n = int(from.v[i].size());
    delta.segment(first, n) = between(robots_[i], from.q[i], to.q[i]);
    delta.segment(total_ + first, n) = to.v[i] - from.v[i];
    first += n;
  }
  return delta;
}

}  // namespace lissom::benchmarks
