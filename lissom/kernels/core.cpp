// The core table for the kind of scalars that LISSOM_KERNEL_SCALAR names and the instruction set this file is compiled
// for. CMake compiles it once for each pair.
#include "lissom/kernels/core_calls.h"
#include "lissom/kernels/tables.h"

namespace lissom {

template <>
const CoreKernels<LISSOM_KERNEL_SCALAR::Number>& LISSOM_ISA_NAMESPACE::core_table<LISSOM_KERNEL_SCALAR>() {
  static const auto table = CoreCalls<ScalarOf<LISSOM_KERNEL_SCALAR>::type>::table();
  return table;
}

}  // namespace lissom
