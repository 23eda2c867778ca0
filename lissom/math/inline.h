#pragma once
// The small algebra must vanish into the recursions, also where a compiler's size heuristics say no. Not so where
// sanitizers look at every access: a whole recursion in one function would then take a compiler minutes.
#ifdef LISSOM_SANITIZED
#define LISSOM_INLINE constexpr
#define LISSOM_FLATTEN
#else
#define LISSOM_INLINE [[gnu::always_inline]] constexpr
#define LISSOM_FLATTEN [[gnu::flatten]]
#endif
// g++ inlines all that LISSOM_FLATTEN on an algorithm covers; clang wants to be told at the call.
#if defined(__clang__) && !defined(LISSOM_SANITIZED)
#define LISSOM_INLINE_CALL [[clang::always_inline]]
#else
#define LISSOM_INLINE_CALL
#endif
// Before a loop of at most four turns over an array that shall live in registers.
#ifdef __clang__
#define LISSOM_UNROLL _Pragma("clang loop unroll(full)")
#else
#define LISSOM_UNROLL _Pragma("GCC unroll 4")
#endif

// One binary may hold the algorithms compiled for several instruction sets (see kernels/). What is not inlined away, or
// depends on the width of registers, lives in an inline namespace named after the set, so that the linker never takes
// one for another.
// This is the only place that asks for a set: the rest asks for LISSOM_REGISTER_BYTES.
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
