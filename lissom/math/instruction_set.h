#pragma once
/// The instruction sets that a library built with run-time dispatch holds kernels for.
namespace lissom {

enum class InstructionSet { baseline, avx2, avx512 };

/// The best one that the processor has; LISSOM_MAX_ISA=baseline or avx2 in the environment asks for less, for tests and
/// comparisons. Asked for once; the same from then on.
InstructionSet best_instruction_set();

/// The choice among tables of kernels, one for each set.
template <class Table>
Table choose(Table baseline, Table avx2, Table avx512) {
  const auto best = best_instruction_set();
  return best == InstructionSet::avx512 ? avx512 : best == InstructionSet::avx2 ? avx2 : baseline;
}

}  // namespace lissom
