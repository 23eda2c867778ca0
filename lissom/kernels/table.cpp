// One table of kernels, for the scalar that LISSOM_KERNEL_SCALAR names and the instruction set this file is compiled
// for. CMake compiles it once for each pair.
#include "lissom/kernels/calls.h"
#include "lissom/kernels/tables.h"

namespace lissom {

#define LISSOM_SINGLE 1
#define LISSOM_LANES_F64 2
#define LISSOM_LANES_F32 3
#if LISSOM_KERNEL_SCALAR == LISSOM_SINGLE
const Kernels<double>& LISSOM_ISA_NAMESPACE::single_table() {
  return Calls<double>::table();
}
#elif LISSOM_KERNEL_SCALAR == LISSOM_LANES_F64
const Kernels<double>& LISSOM_ISA_NAMESPACE::double_lanes_table() {
  return Calls<Lanes<double, batch_lanes<double>>>::table();
}
#elif LISSOM_KERNEL_SCALAR == LISSOM_LANES_F32
const Kernels<float>& LISSOM_ISA_NAMESPACE::float_lanes_table() {
  return Calls<Lanes<float, batch_lanes<float>>>::table();
}
#endif

}  // namespace lissom
