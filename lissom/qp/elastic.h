#pragma once
// The smallest relaxation that makes an infeasible problem feasible.
//
//   v* = argmin ½ Σ (v_i / |n_i|)²   over all v for which   lower ≤ N x + v ≤ upper   has a solution.
//
// Every v is measured relative to the norm of its row, so that scaling a row changes nothing. Soft rows are left out.
//
// At a given x the smallest v are the distances from the bounds; so the task is to minimize
//
//   f(x) = ½ Σ (distance of n_i·x from its bounds / |n_i|)²,
//
// which is convex, has no constraints, and does not involve H and g: the result does not depend on how well H can be
// factored. The proximal point method minimizes it: x ← argmin f + ½ ε |x - x_before|² is a problem for the dual method
// in which each row has a slack, and which always has a solution. Where f decreases slowly, these steps alone would
// take too long: they serve as directions of a conjugate-gradient search, with an exact line search along each.
//
// The result comes with a proof: the gradient of f there is ε (x_before - x), and because f is convex, |v| exceeds |v*|
// by no more than |x - x*| |gradient| / |v|. Not for users.
#include "lissom/qp/dual_active_set.h"
#include "lissom/qp/verify.h"

namespace lissom::qp {

class Relaxation {
 public:
  explicit Relaxation(const Sizes& max_sizes);

  // Begins at zero, so that the answer does not depend on problems before. The Hessian and the dual method have to be
  // set again afterwards. Returns false if the relaxation was not found before the work of the dual method reached the
  // limit.
  bool find(DualActiveSet& dual, Constraints& rows, Hessian& hessian, Verifier& verifier, int limit);
  // How far each row lies above (+) or below (-) its bounds.
  const double* amounts() const { return v_; }

 private:
  double measure(const Constraints& rows, const double* values);
  double line_minimum(const Constraints& rows);
  void find_slope(Constraints& rows, double* slope);
  bool proven(Constraints& rows, const double* x, double v);
  void search(Constraints& rows);

  const Kernels& k_;
  Numbers v_, x_, step_, direction_, slope_, slope_before_, gradient_, gradient_at_x_, values_, along_;
  // A row along the direction: its value, the derivative of its value, its bounds, all divided by its norm.
  struct Line {
    double value, along, lower, upper;
  };
  std::vector<Line> line_;
  double steepness_ = 0;  // step · slope
};

}  // namespace lissom::qp
