#pragma once
// The small algebra must be inlined into the recursions, also where a compiler's size heuristics decide against it.
// LISSOM_NO_FORCED_INLINING leaves that to the compiler: for sanitizers, which instrument every access, so that a whole
// recursion in one function would take minutes to compile; and for tests, whose own code need not be fast.
#ifdef LISSOM_NO_FORCED_INLINING
#define LISSOM_INLINE constexpr
#define LISSOM_FLATTEN
#else
#define LISSOM_INLINE [[gnu::always_inline]] constexpr
#define LISSOM_FLATTEN [[gnu::flatten]]
#endif
// g++ inlines every call inside a function marked LISSOM_FLATTEN; clang needs an attribute at the call.
#if defined(__clang__) && !defined(LISSOM_NO_FORCED_INLINING)
#define LISSOM_INLINE_CALL [[clang::always_inline]]
#else
#define LISSOM_INLINE_CALL
#endif
// Stands before a loop of at most four iterations over an array that should stay in registers.
#ifdef __clang__
#define LISSOM_UNROLL _Pragma("clang loop unroll(full)")
#else
#define LISSOM_UNROLL _Pragma("GCC unroll 4")
#endif

// One binary may hold the algorithms compiled for several instruction sets (see kernels/). Code that is not always
// inlined, or that depends on the width of registers, lives in an inline namespace named after the set, so that the
// linker never takes the code of one set for that of another.
// This is the only place that tests for a set; other code tests LISSOM_REGISTER_BYTES.
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define LISSOM_ISA_NAMESPACE avx512
#define LISSOM_REGISTER_BYTES 64
#elif defined(__AVX2__) && defined(__FMA__)
#define LISSOM_ISA_NAMESPACE avx2
#define LISSOM_REGISTER_BYTES 32
#else
#define LISSOM_ISA_NAMESPACE baseline
#define LISSOM_REGISTER_BYTES 16
#endif
#define LISSOM_STRINGIFY(name) #name
#define LISSOM_NAME_OF(name) LISSOM_STRINGIFY(name)
#define LISSOM_ISA_NAME LISSOM_NAME_OF(LISSOM_ISA_NAMESPACE)
