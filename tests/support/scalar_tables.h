#pragma once
// The algorithms compiled for every kind of scalar, one translation unit (scalar_table.cpp) for each.
#include "lissom/kernels/kernels.h"

namespace lissom::test {

const Kernels<double>& table_lanes_f64_2();
const Kernels<double>& table_lanes_f64_4();
const Kernels<double>& table_lanes_f64_8();
const Kernels<float>& table_float();
const Kernels<float>& table_lanes_f32_4();
const Kernels<float>& table_lanes_f32_8();
const Kernels<float>& table_lanes_f32_16();
// Every element of an array is a pair (value, slope).
const Kernels<double>& table_dual();

}  // namespace lissom::test
