// Chooses the tables for the processor at hand.
#include "lissom/kernels/tables.h"

namespace lissom {

const Kernels<double>& single_kernels() {
  static const auto& table = LISSOM_CHOSEN(single_table)();
  return table;
}
const MotionKernels& motion_kernels() {
  static const auto& table = LISSOM_CHOSEN(motion_table)();
  return table;
}
template <>
const Kernels<double>& lane_kernels<double>() {
  static const auto& table = LISSOM_CHOSEN(double_lanes_table)();
  return table;
}
template <>
const Kernels<float>& lane_kernels<float>() {
  static const auto& table = LISSOM_CHOSEN(float_lanes_table)();
  return table;
}

}  // namespace lissom
