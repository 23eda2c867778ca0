#include "lissom/ik/descent.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "lissom/api/kinematics.h"

namespace lissom::ik {
namespace {

// Scales of the damping: at the start, the least and the most; how it changes after a bad step and after a good one. A
// patient descent gets bolder with every good step: at a minimum that is no solution the residual does not vanish, and
// with it not the damping. (Chosen by trying them on the robots of bench/ik.)
constexpr double first_scale = 0.1, least_scale = 1e-9, most_scale = 1e10;
constexpr double penalty = 4, relief = 0.8, bold_relief = 0.25;
// Against rounding where the residual vanishes.
constexpr double least_damping = 1e-14;
// A start that has not come down to this part of its squared residual within so many iterations is given up.
constexpr int between_milestones = 4;
constexpr double worth_going_on = 0.7;
// A minimum: no joint that may move would win more than this part of the residual per radian or metre.
constexpr double flat = 1e-8;

int count_rows(std::span<const TargetRows<double>> targets, const ExtraRows* extra) {
  int rows = extra ? extra->count : 0;
  for (const auto& target : targets) rows += rows_of(target.kind);
  return rows;
}

Array<double> lanes(int n, int width) {
  return Array<double>(std::size_t((n + padding) * width));
}

}  // namespace

Descent::Descent(const Model& model, const Kernels<double>& kernels, std::span<const TargetRows<double>> targets,
                 const ExtraRows* extra)
    : model_(model),
      kernels_(kernels),
      targets_(targets.begin(), targets.end()),
      extra_(extra),
      space_(model, targets, extra != nullptr),
      scratch_(kernels.scratch(ModelView<double>(model))),
      height_(count_rows(targets, extra)),
      lanes_(std::size_t(kernels.width)),
      accepted_(std::size_t(kernels.width)) {
  const int n = space_.columns(), w = kernels.width;
  for (auto* point : {&here_, &trial_}) {
    point->q = lanes(model.nq(), w);
    point->e = lanes(height_, w);
    point->J = lanes(height_ * n, w);
    point->error = lanes(2 * int(targets_.size()), w);
    // Lanes that are idle are computed too: let them hold numbers.
    for (const int at : model.quaternions())
      for (int l = 0; l < w; ++l) point->q[at * w + l] = 1;
  }
  places_ = lanes(12 * int(targets_.size()), w);
  lower_ = lanes(n, w), upper_ = lanes(n, w), step_ = lanes(n, w), damping_ = lanes(1, w);
  room_ = lanes(damped_step_room(height_, n), w);
  for (int i = 0; i < w; ++i) damping_[i] = 1;
  if (!extra) return;
  work_ = std::make_unique<Workspace>(model);
  extra_q_.resize(model.nq());
  extra_residual_.resize(extra->count);
  extra_jacobian_.resize(extra->count, model.nv());
}

void Descent::set_place(int lane, std::size_t target, const Pose<double>& place) {
  const auto* const numbers = reinterpret_cast<const double*>(&place);
  for (int i = 0; i < 12; ++i) places_[at(lane)(12 * int(target) + i)] = numbers[i];
}

void Descent::begin(int lane, const double* q, int iterations, bool patient) {
  auto& l = lanes_[std::size_t(lane)];
  l = {};
  l.state = Descending::on, l.scale = first_scale, l.patient = patient, l.most_iterations = iterations;
  for (int i = 0; i < model_.nq(); ++i) here_.q[at(lane)(i)] = trial_.q[at(lane)(i)] = q[i];
}

void Descent::choose_steps() {
  bool all_fresh = true;
  for (int l = 0; l < width(); ++l) {
    const auto& lane = lanes_[std::size_t(l)];
    space_.bounds(here_.q.data(), lower_.data(), upper_.data(), at(l));
    damping_[l] = lane.scale * lane.cost + least_damping;
    all_fresh = all_fresh && lane.fresh;
  }
  if (!all_fresh)
    kernels_.damped_step({height_, space_.columns(), here_.J.data(), here_.e.data(), lower_.data(), upper_.data(),
                          damping_.data(), room_.data(), step_.data()});
  for (int l = 0; l < width(); ++l)
    if (lanes_[std::size_t(l)].state == Descending::on && !lanes_[std::size_t(l)].fresh)
      space_.move(here_.q.data(), step_.data(), trial_.q.data(), at(l));
}

void Descent::evaluate(Point& point) {
  const ModelView<double> view(model_);
  const ChosenColumns columns{space_.index().data(), space_.columns(), height_};
  kernels_.placements(view, *scratch_, point.q.data());
  int row = 0;
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const int w = width();
    kernels_.target_rows(view, *scratch_, targets_[i], point.q.data(), places_.data() + 12 * w * int(i), columns,
                         point.e.data() + row * w, point.J.data() + row * w, point.error.data() + 2 * w * int(i));
    row += rows_of(targets_[i].kind);
  }
  if (extra_) evaluate_extra(point);
  for (int l = 0; l < width(); ++l) space_.turn_columns(point.q.data(), point.J.data(), height_, at(l));
}

// (One robot at a time: the solver sees to it that there is one lane.)
void Descent::evaluate_extra(Point& point) {
  std::memcpy(extra_q_.data(), point.q.data(), std::size_t(model_.nq()) * sizeof(double));
  forward_kinematics(model_, *work_, extra_q_);
  extra_->evaluate(model_, *work_, extra_q_, extra_residual_, extra_jacobian_);
  const int first = height_ - extra_->count;
  for (int r = 0; r < extra_->count; ++r) {
    point.e[first + r] = extra_residual_[r];
    for (int c = 0; c < space_.columns(); ++c)
      point.J[c * height_ + first + r] = extra_jacobian_(r, space_.index()[std::size_t(c)]);
  }
  point.extra = extra_residual_.norm();
}

double Descent::squares(const Point& point, int lane) const {
  double sum = 0;
  for (int r = 0; r < height_; ++r) sum += point.e[at(lane)(r)] * point.e[at(lane)(r)];
  return sum;
}

bool Descent::meets(const Point& point, int lane, double extra) const {
  const double p = tolerance_.position * tolerance_.position;
  const double a = tolerance_.angle * tolerance_.angle;
  for (int i = 0; i < int(targets_.size()); ++i)
    if (!(point.error[at(lane)(2 * i)] <= p && point.error[at(lane)(2 * i + 1)] <= a)) return false;
  return !extra_ || extra <= extra_->tolerance;
}

// Whether the slope of the residual's length is zero along all that is not held by a limit.
bool Descent::at_minimum(const Point& point, int lane) {
  space_.bounds(point.q.data(), lower_.data(), upper_.data(), at(lane));
  const double length = std::sqrt(squares(point, lane));
  for (int c = 0; c < space_.columns(); ++c) {
    double push = 0;
    for (int r = 0; r < height_; ++r) push -= point.J[at(lane)(c * height_ + r)] * point.e[at(lane)(r)];
    const double way = push > 0 ? upper_[at(lane)(c)] : -lower_[at(lane)(c)];
    if (way > 0 && std::abs(push) > flat * length) return false;
  }
  return true;
}

void Descent::judge(int l, double cost, double extra, bool& accepted) {
  auto& lane = lanes_[std::size_t(l)];
  accepted = lane.fresh || cost < lane.cost;
  const bool was_fresh = lane.fresh;
  ++lane.iterations;
  if (accepted) {
    lane.cost = cost, lane.extra = extra, lane.fresh = false;
    if (!was_fresh) lane.scale = std::max(lane.scale * (lane.patient ? bold_relief : relief), least_scale);
    if (meets(trial_, l, extra)) {
      lane.state = Descending::met;
      return;
    }
  } else {
    lane.scale *= penalty;
  }
  if (lane.scale > most_scale || (accepted && lane.patient && at_minimum(trial_, l)))
    lane.state = Descending::minimum;
  else if (lane.iterations >= lane.most_iterations)
    lane.state = Descending::spent;
  else if (!lane.patient && lane.iterations % between_milestones == 0) {
    if (lane.iterations > between_milestones && lane.cost > worth_going_on * lane.milestone)
      lane.state = Descending::stalled;
    lane.milestone = lane.cost;
  }
}

// Lanes whose trial is better go there.
void Descent::take(const std::vector<char>& accepted) {
  if (std::ranges::all_of(accepted, [](char a) { return a != 0; })) {
    std::swap(here_, trial_);
    return;
  }
  const auto copy = [&](const Array<double>& from, Array<double>& to, int n, int lane) {
    for (int i = 0; i < n; ++i) to[at(lane)(i)] = from[at(lane)(i)];
  };
  for (int l = 0; l < width(); ++l) {
    if (!accepted[std::size_t(l)]) continue;
    copy(trial_.q, here_.q, model_.nq(), l);
    copy(trial_.e, here_.e, height_, l);
    copy(trial_.J, here_.J, height_ * space_.columns(), l);
    copy(trial_.error, here_.error, 2 * int(targets_.size()), l);
  }
}

void Descent::advance() {
  choose_steps();
  evaluate(trial_);
  for (int l = 0; l < width(); ++l) {
    bool accepted = false;
    if (lanes_[std::size_t(l)].state == Descending::on) judge(l, squares(trial_, l), trial_.extra, accepted);
    accepted_[std::size_t(l)] = accepted;
  }
  take(accepted_);
}

Residual Descent::left(int lane, std::size_t target) const {
  const double p = here_.error[at(lane)(2 * int(target))], a = here_.error[at(lane)(2 * int(target) + 1)];
  const double angle = std::sqrt(a);
  if (targets_[target].kind != TargetKind::look_at) return {std::sqrt(p), angle};
  return {0, 2 * std::asin(std::min(1.0, angle / 2))};
}

void Descent::copy_q(int lane, double* q) const {
  for (int i = 0; i < model_.nq(); ++i) q[i] = here_.q[at(lane)(i)];
}

}  // namespace lissom::ik
