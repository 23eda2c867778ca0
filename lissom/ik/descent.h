#pragma once
// Levenberg–Marquardt within joint limits, from a start to the nearest configuration that meets the targets, for as
// many robots at once as an evaluator has lanes. Lanes are independent: each has its own target poses, start and end,
// and a lane that has ended is started again while the others continue.
//
// The damping is μ = c Σ e². Because it is proportional to the squared residual, steps are full Gauss–Newton steps near
// a solution, also a singular one (Fan and Yuan, 2005; for robots Sugihara, 2011); c grows if a step raises the cost.
#include <vector>

#include "lissom/ik/evaluator.h"

namespace lissom::ik {

enum class DescentState {
  idle,  // not started, or stopped
  running,
  converged,  // every target is met within its tolerance
  stalled     // progress is too slow, most likely near a minimum that is not a solution
};

class Descent {
 public:
  explicit Descent(Evaluator& evaluator);

  // Starts from q, which has nq elements within the limits, with at most this many iterations.
  void begin(int lane, const double* q, int max_iterations);
  void stop(int lane) { lanes_[std::size_t(lane)].state = DescentState::idle; }
  // One iteration in every lane that is running.
  void advance();

  DescentState state(int lane) const { return lanes_[std::size_t(lane)].state; }
  int iterations(int lane) const { return lanes_[std::size_t(lane)].iterations; }
  double cost(int lane) const { return lanes_[std::size_t(lane)].cost; }
  // The current iterates of the lanes.
  const Iterate& here() const { return here_; }
  const Evaluator& evaluator() const { return *evaluator_; }

 private:
  struct Lane {
    DescentState state = DescentState::idle;
    bool fresh = true;  // the start is not evaluated yet
    int iterations = 0, max_iterations = 0;
    double cost = 0, scale = 1;
    double milestone = 0;  // the cost some iterations ago
  };

  void choose_steps();
  bool judge(int lane);
  void take_trials();

  Evaluator* evaluator_;
  Iterate here_, trial_;
  Array<double> lower_, upper_, damping_, step_, buffer_;
  std::vector<Lane> lanes_;
  std::vector<char> accepted_;
};

}  // namespace lissom::ik
