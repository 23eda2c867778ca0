#pragma once
// The tables that kernels.cpp defines, by instruction set.
#include "lissom/ik/kernels.h"
#include "lissom/math/inline.h"

namespace lissom::ik {

#define LISSOM_DECLARE_TABLES                 \
  const IkKernels<double>& single_ik_table(); \
  const IkKernels<double>& lane_ik_table();

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

}  // namespace lissom::ik
