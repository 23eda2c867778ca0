// The tables of inverse kinematics for the instruction set this file is compiled for.
#include "lissom/ik/kernel_calls.h"
#include "lissom/ik/tables.h"

namespace lissom::ik {

const IkKernels<double>& LISSOM_ISA_NAMESPACE::single_ik_table() {
  static const auto table = IkCalls<double>::table();
  return table;
}
const IkKernels<double>& LISSOM_ISA_NAMESPACE::lane_ik_table() {
  static const auto table = IkCalls<Lanes<double, batch_lanes<double>>>::table();
  return table;
}

}  // namespace lissom::ik
