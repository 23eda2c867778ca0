#include "lissom/ik/search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lissom::ik {
namespace {

// Solutions closer than this (radians and meters, over all joints) are the same.
constexpr double same_solution = 1e-3;

void copy_q(const Iterate& iterate, SearchSpace::Lane at, Eigen::VectorXd& q) {
  for (int i = 0; i < int(q.size()); ++i) q[i] = iterate.q[at(i)];
}

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
  descent.evaluator().space().bring_inside(from_.data());
  result_.iterations = result_.starts = 0;
  min_cost_ = min_score_ = std::numeric_limits<double>::infinity();
  solved_ = false;
  begin_start(descent);
}

void Search::begin_start(Descent& descent) {
  start_ = from_;
  if (result_.starts > 0)
    descent.evaluator().space().draw(Random(options_->seed, std::uint64_t(result_.starts)), from_.data(),
                                     start_.data());
  ++result_.starts;
  descent.begin(lane_, start_.data(), options_->iterations);
}

bool Search::proceed(Descent& descent) {
  result_.iterations += descent.iterations(lane_);
  if (descent.state(lane_) == DescentState::converged) {
    note_solution(descent);
    if (options_->prefer == Prefer::first && !all_) return false;
  } else if (result_.starts == 1 || descent.cost(lane_) < min_cost_) {
    min_cost_ = descent.cost(lane_);
    copy_q(descent.here(), descent.evaluator().at(lane_), best_);
  }
  if (result_.starts >= options_->starts || (options_->stop && options_->stop(result_.starts))) return false;
  begin_start(descent);
  return true;
}

// Starts are abandoned early, but the best of them is followed to its minimum.
void Search::finish(Polish& polish, const Evaluator& evaluator) {
  const bool done = polish.run(best_.data(), options_->iterations);
  result_.iterations += polish.iterations();
  copy_q(polish.here(), evaluator.at(0), result_.q);
  measure(evaluator, polish.here(), 0, result_);
  result_.status = evaluator.meets(polish.here(), 0) ? Status::solved : done ? Status::closest : Status::stopped;
}

void Search::note_solution(const Descent& descent) {
  const auto& evaluator = descent.evaluator();
  copy_q(descent.here(), evaluator.at(lane_), found_);
  evaluator.space().unwind(posture().data(), found_.data());
  const double found = score(evaluator.space(), found_);
  if (!solved_ || found < min_score_) {
    min_score_ = found;
    result_.q = found_;
    result_.status = Status::solved;
    measure(evaluator, descent.here(), lane_, result_);
  }
  solved_ = true;
  if (!all_) return;
  const auto same = [&](const Result& other) {
    return evaluator.space().distance_squared(other.q.data(), found_.data(), false) < same_solution * same_solution;
  };
  if (std::ranges::any_of(*all_, same)) return;
  all_->push_back(result_);
  all_->back().q = found_;
  measure(evaluator, descent.here(), lane_, all_->back());
}

void Search::measure(const Evaluator& evaluator, const Iterate& iterate, int lane, Result& result) const {
  for (std::size_t i = 0; i < result.residuals.size(); ++i) result.residuals[i] = evaluator.residual(iterate, lane, i);
  result.extra_residual = iterate.extra;
  result.error = std::sqrt(evaluator.cost(iterate, lane));
}

double Search::score(const SearchSpace& space, const Eigen::VectorXd& q) const {
  if (options_->prefer == Prefer::first) return 0;
  if (options_->prefer == Prefer::central) return -space.relative_distance_to_limits(q.data());
  return space.distance_squared(posture().data(), q.data(), true);
}

}  // namespace lissom::ik
