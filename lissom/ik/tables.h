#pragma once
// The tables that kernels.cpp defines, by instruction set.
#include "lissom/ik/kernels.h"
#include "lissom/math/instruction_set.h"

namespace lissom::ik {

LISSOM_DECLARE_FOR_SETS(const IkKernels<double>& single_ik_table(); const IkKernels<double>& lane_ik_table();)

}  // namespace lissom::ik
