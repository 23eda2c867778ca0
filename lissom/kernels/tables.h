#pragma once
// The tables that table.cpp and motion.cpp define, by instruction set.
#include "lissom/kernels/kernels.h"
#include "lissom/kernels/motion.h"
#include "lissom/math/instruction_set.h"

namespace lissom {

LISSOM_DECLARE_FOR_SETS(const Kernels<double>& single_table(); const Kernels<double>& double_lanes_table();
                        const Kernels<float>& float_lanes_table(); const MotionKernels& motion_table();)

}  // namespace lissom
