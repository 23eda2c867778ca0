#include "lissom/math/instruction_set.h"

#include <cstdlib>
#include <string_view>

namespace lissom {
namespace {

InstructionSet look() {
#if defined(__x86_64__)
  const char* const asked = std::getenv("LISSOM_MAX_ISA");
  const std::string_view most = asked ? asked : "avx512";
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && most != "baseline";
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") && most != "avx2";
  return avx512 ? InstructionSet::avx512 : avx2 ? InstructionSet::avx2 : InstructionSet::baseline;
#else
  return InstructionSet::baseline;
#endif
}

}  // namespace

InstructionSet best_instruction_set() {
  static const InstructionSet best = look();
  return best;
}

}  // namespace lissom
