// Lets a kernel be compiled for the processor: included before its source. Threads are run one after another, so what a
// kernel does with shared memory must not depend on other threads.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#define LISSOM_ON_CPU
#define __global__
#define __constant__ static const
#define __device__ static
#define __shared__
#define __restrict__ __restrict
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)

namespace {
struct Index {
  unsigned x;
};
Index threadIdx, blockIdx;

inline void __syncthreads() {}
inline float __int_as_float(int i) {
  float x;
  std::memcpy(&x, &i, sizeof x);
  return x;
}
inline int __float_as_int(float x) {
  int i;
  std::memcpy(&i, &x, sizeof i);
  return i;
}
inline double __longlong_as_double(long long i) {
  double x;
  std::memcpy(&x, &i, sizeof x);
  return x;
}
inline int __double2loint(double x) {
  long long i;
  std::memcpy(&i, &x, sizeof i);
  return int(i);
}
template <class T>
T min(T a, T b) {
  return a < b ? a : b;
}
using std::fabs;
using std::fma;
using std::fmaf;

// Calls a kernel with arguments as the driver gets them: the address of each.
template <class... A, std::size_t... i>
void call(void (*kernel)(A...), void** arguments, std::index_sequence<i...>) {
  kernel(*static_cast<std::remove_reference_t<A>*>(arguments[i])...);
}
template <class... A>
void call(void (*kernel)(A...), void** arguments) {
  call(kernel, arguments, std::index_sequence_for<A...>());
}
}  // namespace

extern "C" {
// What a block of threads shares.
alignas(16) char shared_bytes[1 << 20];
}
