#pragma once
// Newton's method within joint limits (projected, as Bertsekas, 1982), from near a minimum to the minimum, if the
// targets cannot be met. Levenberg–Marquardt neglects the curvature of the residual, and converges slowly where the
// residual stays large, as for a hand that reaches for a point meters away. The second derivatives are finite
// differences of gradients: one evaluation for each joint, which is cheap for a single configuration.
#include "lissom/ik/evaluator.h"

namespace lissom::ik {

class Polish {
 public:
  // The evaluator must have one lane.
  explicit Polish(Evaluator& evaluator);
  // Starts from q, which has nq elements within the limits. Returns true at a minimum (or a solution), false if the
  // iterations are used up.
  bool run(const double* q, int max_iterations);
  const Iterate& here() const { return here_; }
  int iterations() const { return iterations_; }

 private:
  void find_gradient(const Iterate& iterate, Eigen::VectorXd& g) const;
  bool find_free();
  void find_hessian();
  bool choose_step(double damping);
  bool go(double& damping);

  Evaluator* evaluator_;
  Iterate here_, trial_;
  Eigen::VectorXd lower_, upper_, step_, gradient_, other_;
  Eigen::MatrixXd H_, L_;
  std::vector<int> free_;  // columns that are not fixed at a limit
  double cost_ = 0;
  int iterations_ = 0;
};

}  // namespace lissom::ik
