#include "lissom/ik/descent.h"

#include <algorithm>
#include <utility>

namespace lissom::ik {
namespace {

// The scale c of the damping: initial, minimum and maximum value; its factors after a rejected and an accepted step.
// (Tuned on the robots of bench/ik.)
constexpr double first_scale = 0.1, min_scale = 1e-6, max_scale = 1e10, penalty = 4, relief = 0.8;
// Guards against rounding where the residual vanishes.
constexpr double damping_floor = 1e-14;
// A start is abandoned if its squared residual has not dropped to this fraction within this many iterations.
constexpr int between_milestones = 4;
constexpr double worth_going_on = 0.7;

}  // namespace

Descent::Descent(Evaluator& evaluator)
    : evaluator_(&evaluator),
      here_(evaluator.make_iterate()),
      trial_(evaluator.make_iterate()),
      lanes_(std::size_t(evaluator.width())),
      accepted_(std::size_t(evaluator.width())) {
  const int n = evaluator.columns(), w = evaluator.width();
  lower_ = lane_array(n, w), upper_ = lane_array(n, w), step_ = lane_array(n, w), damping_ = lane_array(1, w);
  buffer_ = lane_array(damped_step_buffer_size(evaluator.height(), n), w);
}

void Descent::begin(int lane, const double* q, int max_iterations) {
  auto& l = lanes_[std::size_t(lane)];
  l = {};
  l.state = DescentState::running, l.scale = first_scale, l.max_iterations = max_iterations;
  const auto at = evaluator_->at(lane);
  for (int i = 0; i < evaluator_->nq(); ++i) here_.q[at(i)] = trial_.q[at(i)] = q[i];
}

void Descent::choose_steps() {
  const auto& space = evaluator_->space();
  const int width = evaluator_->width();
  bool all_fresh = true;
  for (int l = 0; l < width; ++l) {
    const auto& lane = lanes_[std::size_t(l)];
    space.bounds(here_.q.data(), lower_.data(), upper_.data(), evaluator_->at(l));
    damping_[l] = lane.scale * lane.cost + damping_floor;
    all_fresh = all_fresh && lane.fresh;
  }
  if (!all_fresh)
    evaluator_->kernels().damped_step({evaluator_->height(), evaluator_->columns(), here_.J.data(), here_.e.data(),
                                       lower_.data(), upper_.data(), damping_.data(), buffer_.data(), step_.data()});
  for (int l = 0; l < width; ++l)
    if (lanes_[std::size_t(l)].state == DescentState::running && !lanes_[std::size_t(l)].fresh)
      space.move(here_.q.data(), step_.data(), trial_.q.data(), evaluator_->at(l));
}

// Returns whether the lane's trial is better, and updates its state.
bool Descent::judge(int l) {
  auto& lane = lanes_[std::size_t(l)];
  const double cost = evaluator_->cost(trial_, l);
  const bool better = lane.fresh || cost < lane.cost;
  ++lane.iterations;
  if (better) {
    if (!lane.fresh) lane.scale = std::max(lane.scale * relief, min_scale);
    lane.cost = cost, lane.fresh = false;
    if (evaluator_->meets(trial_, l)) lane.state = DescentState::converged;
  } else {
    lane.scale *= penalty;
  }
  if (lane.state == DescentState::converged) return better;
  if (lane.scale > max_scale || lane.iterations >= lane.max_iterations || evaluator_->columns() == 0)
    lane.state = DescentState::stalled;
  if (lane.iterations % between_milestones == 0) {
    if (lane.iterations > between_milestones && !(lane.cost <= worth_going_on * lane.milestone))
      lane.state = DescentState::stalled;
    lane.milestone = lane.cost;
  }
  return better;
}

// Lanes whose trial is better take it as their iterate.
void Descent::take_trials() {
  if (std::ranges::all_of(accepted_, [](char a) { return a != 0; })) return std::swap(here_, trial_);
  here_.extra = accepted_[0] ? trial_.extra : here_.extra;
  for (int l = 0; l < evaluator_->width(); ++l) {
    if (!accepted_[std::size_t(l)]) continue;
    const auto at = evaluator_->at(l);
    const auto copy = [&](const Array<double>& from, Array<double>& to, int n) {
      for (int i = 0; i < n; ++i) to[at(i)] = from[at(i)];
    };
    copy(trial_.q, here_.q, evaluator_->nq());
    copy(trial_.e, here_.e, evaluator_->height());
    copy(trial_.J, here_.J, evaluator_->height() * evaluator_->columns());
    copy(trial_.error, here_.error, 2 * int(evaluator_->targets()));
  }
}

void Descent::advance() {
  choose_steps();
  evaluator_->evaluate(trial_);
  for (int l = 0; l < evaluator_->width(); ++l)
    accepted_[std::size_t(l)] = lanes_[std::size_t(l)].state == DescentState::running && judge(l);
  take_trials();
}

}  // namespace lissom::ik
