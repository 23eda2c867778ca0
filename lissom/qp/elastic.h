#pragma once
// Rows that contradict each other: the smallest relaxation under which they do not, and the best point under it.
//
//   v* = argmin ½ Σ (v_i / |n_i|)²   over all v for which   lower ≤ N x + v ≤ upper   has a solution,
//   x* = argmin ½ xᵀ H x + gᵀ x   subject to   lower ≤ N x + v* ≤ upper.
//
// Every v is counted in proportion to the length of its row, so that multiplying a row by a number changes nothing.
// Soft rows stay what they are.
//
// The method of multipliers finds both (Chiche and Gilbert 2016: on rows that contradict each other it converges to
// exactly this): every row gets a slack with stiffness σ, s = (ζ - ζ') / σ, where ζ' are the multipliers of the round
// before. The rows then always have a solution; with each round x comes nearer to x* by a factor that σ makes small,
// and s tends to v*. A round changes bounds only: the active rows and their factor remain. It ends when |v| has settled
// to nine digits; x then is the best among the points that miss the rows least, to so many digits.
#include "lissom/qp/dual.h"

namespace lissom::qp {

class Relaxation {
 public:
  Relaxation(Dual& dual, const Constraints& rows) : dual_(dual), rows_(rows) {}

  // Every row gets its slack; from the active rows at which the dual method stopped.
  // gradient: the largest component of g.
  void begin(const Hessian& hessian, double gradient);
  // After a round of the dual method: measures v. True: it has settled.
  bool settled();
  bool none() const;  // so small that it is none
  // Bounds for the next round.
  void next();

 private:
  Dual& dual_;
  const Constraints& rows_;
  double before_ = -1, now_ = 0;  // |v|, with the rows' lengths taken for one
};

}  // namespace lissom::qp
