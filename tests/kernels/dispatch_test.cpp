// Which set of kernels a program takes: the widest that the processor has and LISSOM_MAX_ISA allows.
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "lissom/kernels/kernels.h"

namespace lissom::test::dispatch {
namespace {

bool processor_has(const std::string& set) {
  if (set == "avx512") return __builtin_cpu_supports("x86-64-v4");
  return set == "baseline" || __builtin_cpu_supports("x86-64-v3");
}

TEST(Dispatch, TakesWhatIsAllowed) {
  const char* const asked = std::getenv("LISSOM_MAX_ISA");
  std::string expected = asked ? asked : "avx512";
  if (asked && !processor_has(expected))
    GTEST_SKIP() << "this processor has no " << expected << ": whether it is taken where it is allowed was not tested";
  if (!processor_has(expected)) expected = "avx2";
  if (!processor_has(expected)) expected = "baseline";
  EXPECT_EQ(single_kernels().instruction_set, expected);
  EXPECT_EQ(lane_kernels<double>().instruction_set, expected);
  EXPECT_EQ(lane_kernels<float>().instruction_set, expected);
  const int bytes = expected == "avx512" ? 64 : expected == "avx2" ? 32 : 16;
  EXPECT_EQ(lane_kernels<double>().width, bytes / 8);
  EXPECT_EQ(lane_kernels<float>().width, bytes / 4);
}

}  // namespace
}  // namespace lissom::test::dispatch
