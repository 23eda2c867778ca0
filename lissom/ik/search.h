#pragma once
// The search of one robot over several starts: descents from the given configuration, then from random ones, until one
// meets the targets or all starts are used up; then the best is followed to its minimum. A search uses one lane of a
// Descent, so that one robot alone and many side by side are solved in the same way. Not for users.
#include <vector>

#include "lissom/ik/descent.h"
#include "lissom/ik/polish.h"
#include "lissom/ik/result.h"

namespace lissom::ik {

class Search {
 public:
  Search(const Model& model, std::size_t targets);

  // Starts from a configuration, in a lane of a descent whose target poses are set. `options` must outlive the search.
  void begin(Descent& descent, int lane, const double* from, const Options& options);
  // After a descent of this lane has ended: begins the next one. Returns false if no start is left; the result is then
  // final, unless it needs polish.
  bool proceed(Descent& descent);
  bool needs_polish() const { return !solved_; }
  // The evaluator of `polish` must have the same target poses as the lane.
  void finish(Polish& polish, const Evaluator& evaluator);

  const Result& result() const { return result_; }
  // Every distinct solution is also appended to `all`, and all starts are tried; null: no.
  void collect_into(std::vector<Result>* all) { all_ = all; }
  // The preferred solution is the one with the lowest score.
  double score(const SearchSpace& space, const Eigen::VectorXd& q) const;

 private:
  void begin_start(Descent& descent);
  void note_solution(const Descent& descent);
  void measure(const Evaluator& evaluator, const Iterate& iterate, int lane, Result& result) const;
  const Eigen::VectorXd& posture() const { return options_->posture.size() > 0 ? options_->posture : from_; }

  int lane_ = 0;
  const Options* options_ = nullptr;
  std::vector<Result>* all_ = nullptr;
  Result result_;
  Eigen::VectorXd from_, start_, found_, best_;
  double min_cost_ = 0, min_score_ = 0;
  bool solved_ = false;
};

}  // namespace lissom::ik
