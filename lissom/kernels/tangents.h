#pragma once
// Derivatives by dual numbers, in as many directions at once as fill the registers.
#include "lissom/kernels/kernels.h"

namespace lissom {

struct Tangents {
  std::unique_ptr<KernelScratch> (*scratch)(const ModelView<double>&);
  // The matrix of Newton's method for an implicit step: R = ∂/∂v1 of the inverse dynamics at its end,
  //   rnea(q1, v1, (v1 - v0) / dt),  q1 = q0 exp(dt v1).
  // nv rows, `stride` numbers apart.
  void (*implicit_step)(const ModelView<double>&, KernelScratch&, const double* q0, const double* v0, const double* v1,
                        double dt, double* R, int stride);
};

const Tangents& tangents();

}  // namespace lissom
