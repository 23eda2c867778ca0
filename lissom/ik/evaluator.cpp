#include "lissom/ik/evaluator.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "lissom/api/kinematics.h"

namespace lissom::ik {
namespace {

int count_rows(std::span<const TargetRows<double>> targets, const ExtraRows* extra) {
  int rows = extra ? extra->count : 0;
  for (const auto& target : targets) rows += rows_of(target.kind);
  return rows;
}

}  // namespace

Array<double> lane_array(int n, int width) {
  return Array<double>(std::size_t((n + padding) * width));
}

Evaluator::Evaluator(const Model& model, const IkKernels<double>& kernels, std::span<const TargetRows<double>> targets,
                     const ExtraRows* extra, const std::vector<bool>& locked)
    : model_(model),
      kernels_(kernels),
      targets_(targets.begin(), targets.end()),
      extra_(extra),
      space_(model, targets, extra != nullptr, locked),
      height_(count_rows(targets, extra)),
      scratch_(kernels.scratch(ModelView<double>(model))),
      target_poses_(lane_array(12 * int(targets.size()), kernels.width)) {
  if (!extra) return;
  work_ = std::make_unique<Workspace>(model);
  extra_q_.resize(model.nq());
  extra_residual_.resize(extra->count);
  extra_jacobian_.resize(extra->count, model.nv());
}

void Evaluator::set_target_pose(int lane, std::size_t target, const Pose<double>& pose) {
  const auto* const elements = reinterpret_cast<const double*>(&pose);
  for (int i = 0; i < 12; ++i) target_poses_[at(lane)(12 * int(target) + i)] = elements[i];
}

void Evaluator::set_weights(std::size_t target, const Vec3<double>& linear, const Vec3<double>& angular) {
  targets_[target].linear_weight = linear, targets_[target].angular_weight = angular;
}

Iterate Evaluator::make_iterate() const {
  const int w = width();
  Iterate iterate{lane_array(nq(), w), lane_array(height_, w), lane_array(height_ * columns(), w),
                  lane_array(2 * int(targets_.size()), w)};
  // Unused lanes are computed too, so they need valid quaternions.
  for (const int i : model_.quaternions()) std::fill_n(iterate.q.data() + i * w, w, 1.0);
  return iterate;
}

void Evaluator::evaluate(Iterate& iterate) {
  const ModelView<double> view(model_);
  const ChosenColumns chosen{space_.index().data(), columns(), height_};
  kernels_.placements(view, *scratch_, iterate.q.data());
  int row = 0;
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const int w = width();
    kernels_.target_rows(view, *scratch_, targets_[i], target_poses_.data() + 12 * w * int(i), chosen,
                         iterate.e.data() + row * w, iterate.J.data() + row * w, iterate.error.data() + 2 * w * int(i));
    row += rows_of(targets_[i].kind);
  }
  if (extra_) evaluate_extra(iterate);
  for (int l = 0; l < width(); ++l) space_.rotate_columns(iterate.q.data(), iterate.J.data(), height_, at(l));
}

void Evaluator::evaluate_extra(Iterate& iterate) {
  std::memcpy(extra_q_.data(), iterate.q.data(), std::size_t(nq()) * sizeof(double));
  forward_kinematics(model_, *work_, extra_q_);
  extra_->evaluate(model_, *work_, extra_q_, extra_residual_, extra_jacobian_);
  const int first = height_ - extra_->count;
  for (int r = 0; r < extra_->count; ++r) {
    iterate.e[first + r] = extra_residual_[r];
    for (int c = 0; c < columns(); ++c)
      iterate.J[c * height_ + first + r] = extra_jacobian_(r, space_.index()[std::size_t(c)]);
  }
  iterate.extra = extra_residual_.norm();
}

double Evaluator::cost(const Iterate& iterate, int lane) const {
  double sum = 0;
  for (int r = 0; r < height_; ++r) sum += iterate.e[at(lane)(r)] * iterate.e[at(lane)(r)];
  return sum;
}

bool Evaluator::meets(const Iterate& iterate, int lane) const {
  const double p = tolerance_.position * tolerance_.position, a = tolerance_.angle * tolerance_.angle;
  for (int i = 0; i < int(targets_.size()); ++i)
    if (!(iterate.error[at(lane)(2 * i)] <= p && iterate.error[at(lane)(2 * i + 1)] <= a)) return false;
  return !extra_ || iterate.extra <= extra_->tolerance;
}

Residual Evaluator::residual(const Iterate& iterate, int lane, std::size_t target) const {
  const int i = 2 * int(target);
  const double distance = std::sqrt(iterate.error[at(lane)(i)]), angle = std::sqrt(iterate.error[at(lane)(i + 1)]);
  if (targets_[target].kind != TargetKind::look_at) return {distance, angle};
  return {0, 2 * std::asin(std::min(1.0, angle / 2))};
}

}  // namespace lissom::ik
