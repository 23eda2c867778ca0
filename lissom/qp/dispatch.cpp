// Chooses the table for the processor at hand, as lissom/kernels/dispatch.cpp does.
#include "lissom/math/instruction_set.h"
#include "lissom/qp/tables.h"

namespace lissom::qp {

const Kernels& kernels() {
#ifdef LISSOM_DISPATCH
  static const Kernels& table = choose(&baseline::kernel_table, &avx2::kernel_table, &avx512::kernel_table)();
#else
  static const Kernels& table = LISSOM_ISA_NAMESPACE::kernel_table();
#endif
  return table;
}

}  // namespace lissom::qp
