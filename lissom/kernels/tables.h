#pragma once
// The tables that table.cpp and motion.cpp define, by instruction set. (The namespace of the set compiled for is the
// inline one.)
#include "lissom/kernels/kernels.h"
#include "lissom/kernels/motion.h"

namespace lissom {

#define LISSOM_DECLARE_TABLES                  \
  const Kernels<double>& single_table();       \
  const Kernels<double>& double_lanes_table(); \
  const Kernels<float>& float_lanes_table();   \
  const MotionKernels& motion_table();

inline namespace LISSOM_ISA_NAMESPACE {
LISSOM_DECLARE_TABLES
}
#ifdef LISSOM_DISPATCH
namespace avx512 {
LISSOM_DECLARE_TABLES
}
namespace avx2 {
LISSOM_DECLARE_TABLES
}
namespace baseline {
LISSOM_DECLARE_TABLES
}
#endif
#undef LISSOM_DECLARE_TABLES

}  // namespace lissom
