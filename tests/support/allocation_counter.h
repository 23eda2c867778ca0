#pragma once
// Counts heap allocations: operator new, also the aligned one, and Eigen end in these functions of the C library. All
// allocations of a program that links this file are counted.
#include <atomic>
#include <cstdlib>

namespace lissom::test {

extern std::atomic<long> allocations, allocated_bytes;
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
inline constexpr bool counting_allocations = true;
#else
inline constexpr bool counting_allocations = false;
#endif

}  // namespace lissom::test
