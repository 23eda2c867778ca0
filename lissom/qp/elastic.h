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

// From the active rows at which the dual method stopped. False: the limit of steps was reached.
bool relax(Dual& dual, const Constraints& rows, const Hessian& hessian, const double* gradient, int limit);

}  // namespace lissom::qp
