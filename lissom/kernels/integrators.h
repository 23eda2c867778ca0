#pragma once
// The kernels that only integrators use, for one robot in double. They are compiled for each instruction set as the
// other tables are, but not for lanes.
#include "lissom/kernels/kernels.h"

namespace lissom {

struct IntegratorKernels {
  std::unique_ptr<KernelScratch> (*scratch)(const ModelView<double>&);
  // Discrete mechanics (dynamics/discrete_momentum.h): the momenta, as generalized forces, with which a step from q0 to
  // q1 = q0 exp(dt v) begins and, unless end is nullptr, ends.
  void (*discrete_momenta)(const ModelView<double>&, KernelScratch&, const double* q0, const double* q1,
                           const double* v, double dt, double* begin, double* end);
};

const IntegratorKernels& integrator_kernels();

}  // namespace lissom
