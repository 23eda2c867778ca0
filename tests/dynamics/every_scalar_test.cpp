// Every algorithm in float, in lanes of every width with another robot state in each lane, and on dual numbers, against
// the same in double.
#include "kernel_results.h"
#include "scalar_tables.h"

namespace lissom::test::every_scalar {
namespace {

const TreeOptions trees{.max_joints = 20, .armature = 0.2, .mimic = 0.2};
// In float, the condition of a long tree takes too many of the seven digits.
const TreeOptions short_trees{.max_joints = 8, .armature = 0.2, .mimic = 0.2};

TEST(EveryScalar, TheLibrarysLanesOfDoubles) {
  const auto& table = lane_kernels<double>();
  compare(table, table.width, table.width, single_kernels(), trees, 1e-11, 1e-8);
}
TEST(EveryScalar, DualNumbers) {
  compare(table_dual(), 2, 1, single_kernels(), trees, 1e-11, 1e-8);
}
TEST(EveryScalar, Float) {
  compare(table_float(), 1, 1, single_kernels(), short_trees, 1e-4, 2e-2);
}
TEST(EveryScalar, TheLibrarysLanesOfFloats) {
  const auto& table = lane_kernels<float>();
  compare(table, table.width, table.width, single_kernels(), short_trees, 1e-4, 2e-2);
}
#ifdef LISSOM_TEST_LANES
TEST(EveryScalar, LanesOfTwoDoubles) {
  compare(table_lanes_f64_2(), 2, 2, single_kernels(), trees, 1e-11, 1e-8);
}
TEST(EveryScalar, LanesOfFourDoubles) {
  compare(table_lanes_f64_4(), 4, 4, single_kernels(), trees, 1e-11, 1e-8);
}
TEST(EveryScalar, LanesOfFourFloats) {
  compare(table_lanes_f32_4(), 4, 4, single_kernels(), short_trees, 1e-4, 2e-2);
}
TEST(EveryScalar, LanesOfEightFloats) {
  compare(table_lanes_f32_8(), 8, 8, single_kernels(), short_trees, 1e-4, 2e-2);
}
#endif
#ifdef LISSOM_TEST_WIDE_LANES
TEST(EveryScalar, LanesOfEightDoubles) {
  compare(table_lanes_f64_8(), 8, 8, single_kernels(), trees, 1e-11, 1e-8);
}
TEST(EveryScalar, LanesOfSixteenFloats) {
  compare(table_lanes_f32_16(), 16, 16, single_kernels(), short_trees, 1e-4, 2e-2);
}
#endif

}  // namespace
}  // namespace lissom::test::every_scalar
