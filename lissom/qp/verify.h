#pragma once
// What an answer is worth, found on the data as they were given and not on any factor of them.
#include "lissom/qp/constraints.h"

namespace lissom::qp {

struct Errors {
  double stationarity = 0;    // largest of the residual's components, in proportion to the largest of its terms
  double equality_error = 0;  // largest |A x - b|
  double row_error = 0;       // largest distance of a hard row of C, or of x, from its bounds
  // In proportion to the length of the row where that is more than 1: what the tolerances are for.
  double scaled_equality_error = 0, scaled_row_error = 0;
  double misplaced = 0;  // largest multiplier, times length, of a row that is not at that bound; in proportion as above
  double objective = 0;
};

class Verifier {
 public:
  explicit Verifier(const Sizes& largest);
  // values: n·x of all rows. moved: by how much the bounds are moved; pinned: not 0 where the moved bound (lower: 1,
  // upper: -1) is met as an equality; null: none.
  Errors errors(Constraints& rows, const Hessian& hessian, const VectorIn& g, const double* x, const double* values,
                const double* multipliers, const double* moved = nullptr, const signed char* pinned = nullptr);
  // H x + g - Nᵀ ζ; and that of the last call.
  const double* residual(Constraints& rows, const Hessian& hessian, const VectorIn& g, const double* x,
                         const double* multipliers);
  const double* residual() const { return residual_; }

 private:
  const Kernels& k_;
  Numbers Hx_, residual_;
};

}  // namespace lissom::qp
