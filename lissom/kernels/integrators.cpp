// The kernels of integrators, for the instruction set this file is compiled for.
#include "lissom/kernels/integrators.h"

#include "lissom/kernels/in_model_coordinates.h"
#include "lissom/kernels/tables.h"

namespace lissom {
inline namespace LISSOM_ISA_NAMESPACE {
namespace {

using View = const ModelView<double>&;

struct IntegratorScratch final : KernelScratch {
  in_model_coordinates::DiscreteMomentumInModel<double> momenta;
  explicit IntegratorScratch(View m) : momenta(m) {}
};

std::unique_ptr<KernelScratch> scratch(View m) {
  return std::make_unique<IntegratorScratch>(m);
}

void discrete_momenta(View m, KernelScratch& k, const double* q0, const double* q1, const double* v, double dt,
                      double* begin, double* end) {
  in_model_coordinates::discrete_momenta(m, static_cast<IntegratorScratch&>(k).momenta, q0, q1, v, dt, begin, end);
}

}  // namespace

const IntegratorKernels& integrator_table() {
  static const IntegratorKernels all{.scratch = scratch, .discrete_momenta = discrete_momenta};
  return all;
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
