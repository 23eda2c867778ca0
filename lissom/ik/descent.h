#pragma once
// From a start down to the nearest configuration that meets the targets, or misses them least: Levenberg–Marquardt
// within joint limits, for as many robots at once as a table of kernels has lanes. Lanes know nothing of each other:
// each has its own places, start and end, and a lane that has come to an end is begun anew while the others go on.
//
// The damping is μ = c Σ e². Proportional to the squared residual, it lets steps be whole near a solution, also at a
// singular one (Fan and Yuan, 2005; for robots Sugihara, 2011), and c grows where a step makes things worse.
#include <memory>
#include <span>
#include <vector>

#include "lissom/ik/result.h"
#include "lissom/ik/search_space.h"
#include "lissom/ik/target.h"
#include "lissom/kernels/kernels.h"
#include "lissom/model/array.h"

namespace lissom::ik {

// How a descent stands.
enum class Descending {
  idle,     // nothing was begun
  on,       // going on
  met,      // every target within its tolerance
  stalled,  // it gets no better worth the time: most likely a minimum that is no solution
  minimum,  // no step makes it better
  spent     // as many iterations as allowed
};

class Descent {
 public:
  Descent(const Model& model, const Kernels<double>& kernels, std::span<const TargetRows<double>> targets,
          const ExtraRows* extra);

  int width() const { return kernels_.width; }
  const SearchSpace& space() const { return space_; }
  void set_tolerance(const Tolerance& tolerance) { tolerance_ = tolerance; }
  // Weights may change between descents; kinds and frames stay.
  TargetRows<double>& target(std::size_t i) { return targets_[i]; }

  void set_place(int lane, std::size_t target, const Pose<double>& place);
  // From q (nq numbers, within the limits), with so many iterations at most. Patient: goes on until it is at a
  // `minimum`, also where that is far.
  void begin(int lane, const double* q, int iterations, bool patient);
  void rest(int lane) { lanes_[std::size_t(lane)].state = Descending::idle; }
  // One iteration in every lane that is on.
  void advance();

  Descending state(int lane) const { return lanes_[std::size_t(lane)].state; }
  int iterations(int lane) const { return lanes_[std::size_t(lane)].iterations; }
  // Weighted sum of squares.
  double cost(int lane) const { return lanes_[std::size_t(lane)].cost; }
  // What is left of a target: distance and angle, unweighted; of the extra rows, their length.
  Residual left(int lane, std::size_t target) const;
  double extra_left(int lane) const { return lanes_[std::size_t(lane)].extra; }
  void copy_q(int lane, double* q) const;

 private:
  struct Lane {
    Descending state = Descending::idle;
    bool fresh = true, patient = false;
    int iterations = 0, most_iterations = 0;
    double cost = 0, scale = 1, extra = 0;
    double milestone = 0;  // the cost some iterations ago
  };
  // Residuals, their Jacobian, and what is left, at one configuration per lane.
  struct Point {
    Array<double> q, e, J, error;
    double extra = 0;
  };

  void choose_steps();
  void evaluate(Point& at);
  void evaluate_extra(Point& at);
  void judge(int lane, double cost, double extra, bool& accepted);
  bool meets(const Point& at, int lane, double extra) const;
  double squares(const Point& at, int lane) const;
  bool at_minimum(const Point& at, int lane);
  void take(const std::vector<char>& accepted);
  SearchSpace::Lane at(int lane) const { return {lane, kernels_.width}; }

  Model model_;
  const Kernels<double>& kernels_;
  std::vector<TargetRows<double>> targets_;
  const ExtraRows* extra_;
  SearchSpace space_;
  Tolerance tolerance_;
  std::unique_ptr<KernelScratch> scratch_;
  int height_;  // rows of all targets and extra equations
  Point here_, trial_;
  Array<double> places_, lower_, upper_, damping_, step_, room_;
  std::vector<Lane> lanes_;
  std::vector<char> accepted_;
  // For the extra equations alone.
  std::unique_ptr<Workspace> work_;
  Eigen::VectorXd extra_q_, extra_residual_;
  Matrix extra_jacobian_;
};

}  // namespace lissom::ik
