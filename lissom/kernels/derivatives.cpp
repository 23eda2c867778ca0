// The table of derivatives for the kind of scalars that LISSOM_KERNEL_SCALAR names and the instruction set this file is
// compiled for. CMake compiles it once for each pair.
#include "lissom/kernels/derivatives.h"

#include "lissom/kernels/tables.h"

namespace lissom {

template <>
const DerivativeKernels<LISSOM_KERNEL_SCALAR::Number>& LISSOM_ISA_NAMESPACE::derivative_table<LISSOM_KERNEL_SCALAR>() {
  static const auto table = DerivativeCalls<ScalarOf<LISSOM_KERNEL_SCALAR>::type>::table();
  return table;
}

}  // namespace lissom
