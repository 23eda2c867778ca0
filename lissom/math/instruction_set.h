#pragma once
// The choice among functions that are compiled for several instruction sets (LISSOM_TARGET=dispatch in CMake, which
// defines LISSOM_DISPATCH); otherwise there is one set, and nothing to choose.
#include "lissom/math/inline.h"

#ifdef LISSOM_DISPATCH
namespace lissom {

/// Each set includes the one before it.
enum class InstructionSet { baseline, avx2, avx512 };

/// The widest set that this processor has and the environment allows: LISSOM_MAX_ISA=baseline or avx2 limits it, for
/// tests and comparisons. Throws std::runtime_error where LISSOM_MAX_ISA is not the name of a set.
InstructionSet instruction_set();

/// Returns that of the three functions which is compiled for instruction_set().
template <class Function>
Function* chosen(Function* baseline, Function* avx2, Function* avx512) {
  switch (instruction_set()) {
    case InstructionSet::avx512:
      return avx512;
    case InstructionSet::avx2:
      return avx2;
    case InstructionSet::baseline:
      break;
  }
  return baseline;
}

}  // namespace lissom

#define LISSOM_CHOSEN(function) ::lissom::chosen(baseline::function, avx2::function, avx512::function)
// The namespace of the set that a file is compiled for is inline, and must be declared inline each time.
#if LISSOM_REGISTER_BYTES == 64
#define LISSOM_OTHER_SETS(...) \
  namespace avx2 {             \
  __VA_ARGS__                  \
  }                            \
  namespace baseline {         \
  __VA_ARGS__                  \
  }
#elif LISSOM_REGISTER_BYTES == 32
#define LISSOM_OTHER_SETS(...) \
  namespace avx512 {           \
  __VA_ARGS__                  \
  }                            \
  namespace baseline {         \
  __VA_ARGS__                  \
  }
#else
#define LISSOM_OTHER_SETS(...) \
  namespace avx512 {           \
  __VA_ARGS__                  \
  }                            \
  namespace avx2 {             \
  __VA_ARGS__                  \
  }
#endif
#else
#define LISSOM_CHOSEN(function) (&LISSOM_ISA_NAMESPACE::function)
#define LISSOM_OTHER_SETS(...)
#endif
// Declares functions that are compiled once for each set, each time in the namespace of that set.
#define LISSOM_DECLARE_FOR_SETS(...)      \
  inline namespace LISSOM_ISA_NAMESPACE { \
  __VA_ARGS__                             \
  }                                       \
  LISSOM_OTHER_SETS(__VA_ARGS__)
