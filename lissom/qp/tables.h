#pragma once
// The tables that kernels.cpp defines, by instruction set.
#include "lissom/math/instruction_set.h"
#include "lissom/qp/kernels.h"

namespace lissom::qp {

LISSOM_DECLARE_FOR_SETS(const Kernels& kernel_table();)

}  // namespace lissom::qp
