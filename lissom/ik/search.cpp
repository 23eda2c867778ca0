#include "lissom/ik/search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lissom::ik {
namespace {

// The best of all starts is followed to its minimum with this many times the iterations of a start.
constexpr int patience = 10;
// Solutions closer than this (radians and metres, over all joints) are the same.
constexpr double same_solution = 1e-3;
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

const char* to_string(Status status) {
  return status == Status::solved ? "solved" : status == Status::closest ? "closest" : "stopped";
}

Search::Search(const Model& model, std::size_t targets)
    : from_(model.nq()), start_(model.nq()), found_(model.nq()), best_(model.nq()) {
  result_.q.resize(model.nq());
  result_.residuals.resize(targets);
}

void Search::begin(Descent& descent, int lane, const double* from, const Options& options) {
  lane_ = lane, options_ = &options;
  std::copy_n(from, from_.size(), from_.data());
  descent.space().bring_inside(from_.data());
  result_.iterations = result_.starts = 0;
  least_cost_ = least_score_ = infinity;
  solved_ = finishing_ = false;
  begin_start(descent);
}

void Search::begin_start(Descent& descent) {
  start_ = from_;
  if (result_.starts > 0)
    descent.space().draw(Random(options_->seed, std::uint64_t(result_.starts)), from_.data(), start_.data());
  ++result_.starts;
  descent.begin(lane_, start_.data(), options_->iterations, false);
}

bool Search::proceed(Descent& descent) {
  const auto end = descent.state(lane_);
  result_.iterations += descent.iterations(lane_);
  if (finishing_) {
    descent.copy_q(lane_, result_.q.data());
    note(descent, end == Descending::met       ? Status::solved
                  : end == Descending::minimum ? Status::closest
                                               : Status::stopped);
    return false;
  }
  if (end == Descending::met) {
    note_solution(descent);
    if (options_->prefer == Prefer::first && !all_) return false;
  } else if (result_.starts == 1 || descent.cost(lane_) < least_cost_) {
    least_cost_ = descent.cost(lane_);
    descent.copy_q(lane_, best_.data());
  }
  if (result_.starts < options_->starts) {
    begin_start(descent);
    return true;
  }
  if (solved_) return false;
  // Starts are given up early; the best of them is not.
  finishing_ = true;
  descent.begin(lane_, best_.data(), patience * options_->iterations, true);
  return true;
}

void Search::note_solution(const Descent& descent) {
  descent.copy_q(lane_, found_.data());
  descent.space().unwind(posture().data(), found_.data());
  const double found = score(descent.space(), found_);
  if (!solved_ || found < least_score_) {
    least_score_ = found;
    result_.q = found_;
    note(descent, Status::solved);
  }
  solved_ = true;
  if (!all_) return;
  const auto same = [&](const Result& other) {
    return descent.space().distance_squared(other.q.data(), found_.data(), false) < same_solution * same_solution;
  };
  if (std::ranges::any_of(*all_, same)) return;
  all_->push_back(result_);
  all_->back().q = found_;
  measure(descent, all_->back());
}

void Search::measure(const Descent& descent, Result& result) const {
  for (std::size_t i = 0; i < result.residuals.size(); ++i) result.residuals[i] = descent.left(lane_, i);
  result.extra_residual = descent.extra_left(lane_);
  result.error = std::sqrt(descent.cost(lane_));
}

void Search::note(const Descent& descent, Status status) {
  result_.status = status;
  measure(descent, result_);
}

double Search::score(const SearchSpace& space, const Eigen::VectorXd& q) const {
  if (options_->prefer == Prefer::first) return 0;
  if (options_->prefer == Prefer::central) return -space.room(q.data());
  return space.distance_squared(posture().data(), q.data(), true);
}

}  // namespace lissom::ik
