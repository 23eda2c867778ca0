// Chooses the tables for the processor at hand.
#include "lissom/kernels/motion_slopes.h"
#include "lissom/kernels/second_order_lanes.h"
#include "lissom/kernels/tables.h"

namespace lissom {
namespace {

template <class Kind>
const Kernels<typename Kind::Number>& kernels_for() {
  static const Kernels<typename Kind::Number> all{
      LISSOM_CHOSEN(core_table<Kind>)(), LISSOM_CHOSEN(matrix_table<Kind>)(), LISSOM_CHOSEN(derivative_table<Kind>)()};
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
  return LISSOM_CHOSEN(integrator_table)();
}
template <>
const SecondOrderLaneKernels<double>& second_order_lane_kernels<double>() {
  return LISSOM_CHOSEN(second_order_lane_table<DoubleLanes>)();
}
template <>
const SecondOrderLaneKernels<float>& second_order_lane_kernels<float>() {
  return LISSOM_CHOSEN(second_order_lane_table<FloatLanes>)();
}
const MotionSlopesKernels& motion_slopes_kernels() {
  return LISSOM_CHOSEN(motion_slopes_table)();
}
const SecondOrderKernels& second_order_kernels() {
  return LISSOM_CHOSEN(second_order_table)();
}

}  // namespace lissom
