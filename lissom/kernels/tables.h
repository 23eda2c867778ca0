#pragma once
// The tables that core.cpp, matrices.cpp and integrators.cpp define, by instruction set. (The namespace of the set
// compiled for is the inline one.)
#include "lissom/kernels/integrators.h"
#include "lissom/kernels/kernels.h"
#include "lissom/math/lanes.h"

namespace lissom {

// The kinds of scalars that tables are made for: one robot; and as many as fill a register.
struct OneRobot {
  using Number = double;
};
struct DoubleLanes {
  using Number = double;
};
struct FloatLanes {
  using Number = float;
};

#define LISSOM_DECLARE_TABLES                                 \
  template <class Kind>                                       \
  const CoreKernels<typename Kind::Number>& core_table();     \
  template <class Kind>                                       \
  const MatrixKernels<typename Kind::Number>& matrix_table(); \
  const IntegratorKernels& integrator_table();

inline namespace LISSOM_ISA_NAMESPACE {
LISSOM_DECLARE_TABLES

template <class Kind>
struct ScalarOf {
  using type = Lanes<typename Kind::Number, batch_lanes<typename Kind::Number>>;
};
template <>
struct ScalarOf<OneRobot> {
  using type = double;
};
}  // namespace LISSOM_ISA_NAMESPACE
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
