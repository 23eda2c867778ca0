#pragma once
// Verifies a solution on the data as given, not on a factor of them. Not for users.
#include "lissom/qp/constraints.h"

namespace lissom::qp {

struct Errors {
  double stationarity =
      0;  // largest element of the residual, relative to the largest of its terms, in Hessian::units()
  double equality_error = 0;  // largest |A x - b|
  double row_error = 0;       // largest distance of a hard row of C, or of x, from its bounds
  // Relative to the norm of the row if that is more than 1; these are compared with the tolerances.
  double scaled_equality_error = 0, scaled_row_error = 0;
  double misplaced = 0;  // largest multiplier, times norm, of a row that is not at that bound; relative as stationarity
  double objective = 0;
  double max_term = 0;  // largest element of H x and g, in Hessian::units()
};

class Verifier {
 public:
  explicit Verifier(const Sizes& max_sizes);
  // values: n·x of all rows. moved: displacements of the bounds, or null. pinned: 1 or -1 for rows whose moved lower or
  // upper bound is an equality, 0 for others, or null.
  Errors errors(Constraints& rows, const Hessian& hessian, const VectorIn& g, const double* x, const double* values,
                const double* multipliers, const double* moved = nullptr, const signed char* pinned = nullptr);
  // Computes H x + g - Nᵀ ζ; returns the one of the last call.
  const double* residual(Constraints& rows, const Hessian& hessian, const VectorIn& g, const double* x,
                         const double* multipliers);
  const double* residual() const { return residual_; }

 private:
  double size_of_terms(const Constraints& rows, const double* unit, const VectorIn& g, const double* x,
                       const double* multipliers, double* inexact) const;

  const Kernels& k_;
  Numbers Hx_, residual_, ones_;
};

}  // namespace lissom::qp
