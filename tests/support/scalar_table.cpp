// One table of kernels, for the scalar TEST_SCALAR, under the name TEST_TABLE. CMake compiles it once for each.
#include "lissom/kernels/core_calls.h"
#include "lissom/kernels/derivatives.h"
#include "lissom/kernels/matrices.h"
#include "scalar_tables.h"

namespace lissom::test {

using F64Lanes2 = Lanes<double, 2>;
using F64Lanes4 = Lanes<double, 4>;
using F64Lanes8 = Lanes<double, 8>;
using F32Lanes4 = Lanes<float, 4>;
using F32Lanes8 = Lanes<float, 8>;
using F32Lanes16 = Lanes<float, 16>;
using DualNumber = Dual<double>;

const Kernels<Number<TEST_SCALAR>>& TEST_TABLE() {
  static const Kernels<Number<TEST_SCALAR>> all{CoreCalls<TEST_SCALAR>::table(), MatrixCalls<TEST_SCALAR>::table(),
                                                DerivativeCalls<TEST_SCALAR>::table()};
  return all;
}

}  // namespace lissom::test
