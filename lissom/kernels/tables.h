#pragma once
// The tables that core.cpp, matrices.cpp, derivatives.cpp, integrators.cpp and
// second_order.cpp define, by instruction set.
#include "lissom/kernels/integrators.h"
#include "lissom/kernels/kernels.h"
#include "lissom/kernels/second_order.h"
#include "lissom/math/instruction_set.h"
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

LISSOM_DECLARE_FOR_SETS(template <class Kind> const CoreKernels<typename Kind::Number>& core_table();
                        template <class Kind> const MatrixKernels<typename Kind::Number>& matrix_table();
                        template <class Kind> const DerivativeKernels<typename Kind::Number>& derivative_table();
                        const IntegratorKernels& integrator_table(); const SecondOrderKernels& second_order_table();)

inline namespace LISSOM_ISA_NAMESPACE {
template <class Kind>
struct ScalarOf {
  using type = Lanes<typename Kind::Number, batch_lanes<typename Kind::Number>>;
};
template <>
struct ScalarOf<OneRobot> {
  using type = double;
};
}  // namespace LISSOM_ISA_NAMESPACE

}  // namespace lissom
