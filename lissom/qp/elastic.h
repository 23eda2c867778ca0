#pragma once
// Rows that contradict each other: the smallest relaxation under which they do not.
//
//   v* = argmin ½ Σ (v_i / |n_i|)²   over all v for which   lower ≤ N x + v ≤ upper   has a solution.
//
// Every v is counted in proportion to the length of its row, so that multiplying a row by a number changes nothing.
// Soft rows take no part.
//
// At a given x the smallest v are the distances from the bounds; so what is to be found is a minimum of
//
//   f(x) = ½ Σ (distance of n_i·x from its bounds / |n_i|)²,
//
// convex, without constraints, and nothing in it of H and g: the answer does not depend on how well H can be factored.
// The proximal point method finds it: x ← argmin f + ½ ε |x - x_before|² is a problem for the dual method in which each
// row has a slack, and always has an answer. Where f falls little by little these steps alone would take forever: they
// are the directions of a search by conjugate gradients, each to where f is smallest along it.
//
// The answer proves itself: the slope of f there is ε (x_before - x), and as f is convex |v| is larger than |v*| by no
// more than |x - x*| |slope| / |v|.
#include "lissom/qp/dual_active_set.h"
#include "lissom/qp/verify.h"

namespace lissom::qp {

class Relaxation {
 public:
  explicit Relaxation(const Sizes& largest);

  // The Hessian and the dual method have to be set again afterwards. last: an answer from which to begin, or null.
  // False: not found within the iterations.
  bool find(DualActiveSet& dual, Constraints& rows, Hessian& hessian, Verifier& verifier, int limit,
            const double* last);
  // Of all rows: how far they lie above (+) or below (-) their bounds.
  const double* amounts() const { return v_; }

 private:
  void begin_at(const Constraints& rows, const double* here, const double* last);
  double measure(const Constraints& rows, const double* values);
  double farthest(const Constraints& rows);
  void find_slope(Constraints& rows, double* slope);
  bool proven(Constraints& rows, const double* x, double v);
  void search(Constraints& rows);

  const Kernels& k_;
  Numbers v_, x_, step_, direction_, slope_, slope_before_, gradient_, gradient_at_x_, values_, along_;
  // A row along the direction: its value, how fast that grows, its bounds, all by its length.
  struct Line {
    double value, along, lower, upper;
  };
  std::vector<Line> line_;
  double steepness_ = 0;  // step · slope
};

}  // namespace lissom::qp
