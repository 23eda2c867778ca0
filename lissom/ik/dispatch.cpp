// Chooses the tables for the processor that the program runs on.
#include "lissom/ik/tables.h"

namespace lissom::ik {

const IkKernels<double>& single_ik_kernels() {
  static const auto& table = LISSOM_CHOSEN(single_ik_table)();
  return table;
}
const IkKernels<double>& lane_ik_kernels() {
  static const auto& table = LISSOM_CHOSEN(lane_ik_table)();
  return table;
}

}  // namespace lissom::ik
