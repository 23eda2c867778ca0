// Chooses the table for the processor at hand, as lissom/kernels/dispatch.cpp does.
#include <cstdlib>
#include <string_view>

#include "lissom/qp/tables.h"

namespace lissom::qp {
namespace {

const Kernels& choose() {
#ifdef LISSOM_DISPATCH
  const char* const asked = std::getenv("LISSOM_MAX_ISA");
  const std::string_view most = asked ? asked : "avx512";
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && most != "baseline";
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") && most != "avx2";
  if (avx512) return avx512::kernel_table();
  if (avx2) return avx2::kernel_table();
  return baseline::kernel_table();
#else
  return LISSOM_ISA_NAMESPACE::kernel_table();
#endif
}

}  // namespace

const Kernels& kernels() {
  static const Kernels& table = choose();
  return table;
}

}  // namespace lissom::qp
