// Chooses the tables for the processor at hand. LISSOM_DISPATCH: built for several instruction sets; otherwise for one.
#include <cstdlib>
#include <string_view>

#include "lissom/kernels/tables.h"

namespace lissom {
namespace {

struct Tables {
  const Kernels<double>& (*single)();
  const Kernels<double>& (*lanes_f64)();
  const Kernels<float>& (*lanes_f32)();
  const MotionKernels& (*motion)();
};
#define LISSOM_TABLES(isa)                                                                \
  Tables {                                                                                \
    isa::single_table, isa::double_lanes_table, isa::float_lanes_table, isa::motion_table \
  }

Tables choose() {
#ifdef LISSOM_DISPATCH
  // LISSOM_MAX_ISA=baseline|avx2 in the environment asks for less than the processor has: for tests and comparisons.
  const char* const asked = std::getenv("LISSOM_MAX_ISA");
  const std::string_view most = asked ? asked : "avx512";
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && most != "baseline";
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") && most != "avx2";
  if (avx512) return LISSOM_TABLES(avx512);
  if (avx2) return LISSOM_TABLES(avx2);
  return LISSOM_TABLES(baseline);
#else
  return LISSOM_TABLES(LISSOM_ISA_NAMESPACE);
#endif
}

const Tables& chosen() {
  static const Tables tables = choose();
  return tables;
}

}  // namespace

const Kernels<double>& single_kernels() {
  return chosen().single();
}
const MotionKernels& motion_kernels() {
  return chosen().motion();
}
template <>
const Kernels<double>& lane_kernels<double>() {
  return chosen().lanes_f64();
}
template <>
const Kernels<float>& lane_kernels<float>() {
  return chosen().lanes_f32();
}

}  // namespace lissom
