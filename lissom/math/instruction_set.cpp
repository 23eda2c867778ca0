#include "lissom/math/instruction_set.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace lissom {
namespace {

InstructionSet of_processor() {
  // These are the levels that lissom/CMakeLists.txt compiles for.
  if (__builtin_cpu_supports("x86-64-v4")) return InstructionSet::avx512;
  if (__builtin_cpu_supports("x86-64-v3")) return InstructionSet::avx2;
  return InstructionSet::baseline;
}

InstructionSet allowed() {
  const char* const asked = std::getenv("LISSOM_MAX_ISA");
  const std::string name = asked ? asked : "avx512";
  if (name == "avx512") return InstructionSet::avx512;
  if (name == "avx2") return InstructionSet::avx2;
  if (name == "baseline") return InstructionSet::baseline;
  throw std::runtime_error("environment variable LISSOM_MAX_ISA is '" + name + "', expected baseline, avx2 or avx512");
}

}  // namespace

InstructionSet instruction_set() {
  static const InstructionSet set = std::min(of_processor(), allowed());
  return set;
}

}  // namespace lissom
