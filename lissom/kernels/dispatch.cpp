// Chooses the tables for the processor at hand. LISSOM_DISPATCH: built for several instruction sets; otherwise for one.
#include "lissom/kernels/tables.h"
#include "lissom/math/instruction_set.h"

namespace lissom {
namespace {

#ifdef LISSOM_DISPATCH
#define LISSOM_CHOOSE(table) choose(&baseline::table, &avx2::table, &avx512::table)()
#else
#define LISSOM_CHOOSE(table) LISSOM_ISA_NAMESPACE::table()
#endif

template <class Kind>
const Kernels<typename Kind::Number>& kernels_for() {
  static const Kernels<typename Kind::Number> all{LISSOM_CHOOSE(core_table<Kind>), LISSOM_CHOOSE(matrix_table<Kind>)};
  return all;
}

}  // namespace

const Kernels<double>& single_kernels() {
  return kernels_for<OneRobot>();
}
template <>
const Kernels<double>& lane_kernels<double>() {
  return kernels_for<DoubleLanes>();
}
template <>
const Kernels<float>& lane_kernels<float>() {
  return kernels_for<FloatLanes>();
}
const IntegratorKernels& integrator_kernels() {
  return LISSOM_CHOOSE(integrator_table);
}

}  // namespace lissom
