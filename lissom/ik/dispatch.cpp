// Chooses the tables for the processor at hand, as lissom/kernels/dispatch.cpp does.
#include "lissom/ik/tables.h"
#include "lissom/math/instruction_set.h"

namespace lissom::ik {

#ifdef LISSOM_DISPATCH
#define LISSOM_CHOOSE(table) choose(&baseline::table, &avx2::table, &avx512::table)()
#else
#define LISSOM_CHOOSE(table) LISSOM_ISA_NAMESPACE::table()
#endif

const IkKernels<double>& single_ik_kernels() {
  return LISSOM_CHOOSE(single_ik_table);
}
const IkKernels<double>& lane_ik_kernels() {
  return LISSOM_CHOOSE(lane_ik_table);
}

}  // namespace lissom::ik
