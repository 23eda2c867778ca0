#pragma once
// The tables that kernels.cpp defines, by instruction set. (The namespace of the set compiled for is the inline one.)
#include "lissom/math/inline.h"
#include "lissom/qp/kernels.h"

namespace lissom::qp {

inline namespace LISSOM_ISA_NAMESPACE {
const Kernels& kernel_table();
}
#ifdef LISSOM_DISPATCH
namespace avx512 {
const Kernels& kernel_table();
}
namespace avx2 {
const Kernels& kernel_table();
}
namespace baseline {
const Kernels& kernel_table();
}
#endif

}  // namespace lissom::qp
