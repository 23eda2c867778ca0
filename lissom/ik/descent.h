#pragma once
// From a start down towards the nearest configuration that meets the targets: Levenberg–Marquardt within joint limits,
// for as many robots at once as an evaluator has lanes. Lanes know nothing of each other: each has its own places,
// start and end, and a lane that has come to an end is begun anew while the others go on.
//
// The damping is μ = c Σ e². Proportional to the squared residual, it lets steps be whole near a solution, also at a
// singular one (Fan and Yuan, 2005; for robots Sugihara, 2011), and c grows where a step makes things worse.
#include <vector>

#include "lissom/ik/evaluator.h"

namespace lissom::ik {

// How a descent stands.
enum class DescentState {
  idle,  // nothing was begun
  running,
  converged,  // every target within its tolerance
  stalled     // it gets no better worth the time, most likely near a minimum that is no solution
};

class Descent {
 public:
  explicit Descent(Evaluator& evaluator);

  // From q (nq numbers, within the limits), with so many iterations at most.
  void begin(int lane, const double* q, int iterations);
  void rest(int lane) { lanes_[std::size_t(lane)].state = DescentState::idle; }
  // One iteration in every lane that is on.
  void advance();

  DescentState state(int lane) const { return lanes_[std::size_t(lane)].state; }
  int iterations(int lane) const { return lanes_[std::size_t(lane)].iterations; }
  double cost(int lane) const { return lanes_[std::size_t(lane)].cost; }
  // Where the lanes are.
  const Iterate& here() const { return here_; }
  const Evaluator& evaluator() const { return *evaluator_; }

 private:
  struct Lane {
    DescentState state = DescentState::idle;
    bool fresh = true;  // its start is not evaluated yet
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
