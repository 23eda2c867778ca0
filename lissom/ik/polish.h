#pragma once
// From near a minimum to the minimum, where the targets cannot be met: Newton's method within joint limits (projected,
// as Bertsekas, 1982). Levenberg–Marquardt leaves out what the curvature of the residual adds, and crawls where the
// residual stays large, as with a hand that reaches for what is meters away. The second derivatives are differences of
// gradients: one evaluation for each joint, which is cheap for the one configuration that is followed.
#include "lissom/ik/evaluator.h"

namespace lissom::ik {

class Polish {
 public:
  // An evaluator of one lane.
  explicit Polish(Evaluator& evaluator);
  // From q (nq numbers, within the limits). True: at a minimum (or at a solution), false: out of iterations.
  bool run(const double* q, int iterations);
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
  std::vector<int> free_;  // columns that no limit holds
  double cost_ = 0;
  int iterations_ = 0;
};

}  // namespace lissom::ik
