#pragma once
// What every kernel begins with: functions for either precision, in CUDA. LISSOM_ON_CPU is defined by the tests, which
// compile kernels for the processor. Not for users.

namespace lissom::gpu {

inline constexpr const char* kernel_prelude = R"cuda(
#ifdef LISSOM_ON_CPU
#define LISSOM_FUNCTION static inline
#else
#define LISSOM_FUNCTION static __device__ __forceinline__
#endif

// Row i of an array.
template <class T>
LISSOM_FUNCTION T* row(T* array, int pitch, int i) {
  return (T*)((unsigned long long)array + (long long)pitch * i);
}

#ifdef LISSOM_ON_CPU
LISSOM_FUNCTION Real load(const Real* from) { return *from; }
LISSOM_FUNCTION Real load_if(bool yes, const Real* from) { return yes ? *from : 0; }
LISSOM_FUNCTION void store(Real* to, Real x) { *to = x; }
LISSOM_FUNCTION Real inverse(Real x) { return 1 / x; }
#else
// Numbers are read and written once: they need not stay in the caches.
LISSOM_FUNCTION float load(const float* from) {
  float x;
  asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(x) : "l"(from));
  return x;
}
LISSOM_FUNCTION double load(const double* from) {
  double x;
  asm volatile("ld.global.cs.f64 %0, [%1];" : "=d"(x) : "l"(from));
  return x;
}
// 0 where it is not wanted; without a branch.
LISSOM_FUNCTION float load_if(bool yes, const float* from) {
  float x;
  asm volatile("{.reg .pred p; setp.ne.s32 p, %2, 0; mov.f32 %0, 0f00000000; @p ld.global.cs.f32 %0, [%1];}"
               : "=&f"(x) : "l"(from), "r"((int)yes));
  return x;
}
LISSOM_FUNCTION double load_if(bool yes, const double* from) {
  double x;
  asm volatile("{.reg .pred p; setp.ne.s32 p, %2, 0; mov.f64 %0, 0d0000000000000000; @p ld.global.cs.f64 %0, [%1];}"
               : "=&d"(x) : "l"(from), "r"((int)yes));
  return x;
}
LISSOM_FUNCTION void store(float* to, float x) { asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(to), "f"(x) : "memory"); }
LISSOM_FUNCTION void store(double* to, double x) {
  asm volatile("st.global.cs.f64 [%0], %1;" ::"l"(to), "d"(x) : "memory");
}
// An approximation, at most one unit in the last place off; in double, improved twice by Newton's method.
LISSOM_FUNCTION float inverse(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
LISSOM_FUNCTION double inverse(double x) {
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  y = fma(y, fma(-x, y, 1.0), y);
  return fma(y, fma(-x, y, 1.0), y);
}
#endif

// Cody and Waite's reduction by multiples of pi/2, and the polynomials of lissom/math/sincos.h. NaN beyond angles for
// which the reduction holds.
#ifdef LISSOM_SINGLE
LISSOM_FUNCTION void sine_and_cosine(float x, float& sine, float& cosine) {
  const float rounded = fmaf(x, 0.636619772f, 12582912.0f), k = rounded - 12582912.0f;
  float r = fmaf(k, -0x1.921fb6p+0f, x);
  r = fmaf(k, 0x1.777a5cp-25f, r);
  r = fabsf(x) <= 65536.0f ? r : __int_as_float(0x7fffffff);
  const float z = r * r;
  const float s = fmaf(r * z, fmaf(z, fmaf(z, -1.9515295891e-4f, 8.3321608736e-3f), -1.6666654611e-1f), r);
  const float c = fmaf(z * z, fmaf(z, fmaf(z, 2.443315711809948e-5f, -1.388731625493765e-3f), 4.166664568298827e-2f),
                       fmaf(-0.5f, z, 1.0f));
  const int quadrant = __float_as_int(rounded);
  const bool odd = quadrant & 1;
  sine = __int_as_float(__float_as_int(odd ? c : s) ^ ((quadrant & 2) << 30));
  cosine = __int_as_float(__float_as_int(odd ? s : c) ^ (((quadrant + 1) & 2) << 30));
}
#else
LISSOM_FUNCTION void sine_and_cosine(double x, double& sine, double& cosine) {
  const double rounded = fma(x, 0.63661977236758134308, 6755399441055744.0), k = rounded - 6755399441055744.0;
  double r = fma(k, -0x1.921fb54442d18p+0, x);
  r = fma(k, -0x1.1a62633145c07p-54, r);
  r = fabs(x) <= 1e9 ? r : __longlong_as_double(0x7fffffffffffffffll);
  const double z = r * r;
  double p = 1.58969099521155010221e-10;
  p = fma(p, z, -2.50507602534068634195e-08);
  p = fma(p, z, 2.75573137070700676789e-06);
  p = fma(p, z, -1.98412698298579493134e-04);
  p = fma(p, z, 8.33333333332248946124e-03);
  p = fma(p, z, -1.66666666666666324348e-01);
  const double s = fma(r * z, p, r);
  p = -1.13596475577881948265e-11;
  p = fma(p, z, 2.08757232129817482790e-09);
  p = fma(p, z, -2.75573143513906633035e-07);
  p = fma(p, z, 2.48015872894767294178e-05);
  p = fma(p, z, -1.38888888888741095749e-03);
  p = fma(p, z, 4.16666666666666019037e-02);
  const double c = fma(z * z, p, fma(-0.5, z, 1.0));
  const int quadrant = __double2loint(rounded);
  const bool odd = quadrant & 1;
  sine = quadrant & 2 ? -(odd ? c : s) : (odd ? c : s);
  cosine = (quadrant + 1) & 2 ? -(odd ? s : c) : (odd ? s : c);
}
#endif
)cuda";

// Copies rows of a block's robots into shared memory, 16 bytes at a time, past the registers. Columns beyond the last
// robot are left out.
inline constexpr const char* tile_prelude = R"cuda(
#ifdef LISSOM_ON_CPU
LISSOM_FUNCTION void copy_rows(Real* tile, const Real* from, int pitch, int rows, int first, int count) {
  if (first + (int)threadIdx.x >= count) return;
  for (int i = 0; i < rows; ++i) tile[i * THREADS + threadIdx.x] = row(from, pitch, i)[first + threadIdx.x];
}
#else
LISSOM_FUNCTION void copy_rows(Real* tile, const Real* from, int pitch, int rows, int first, int count) {
  constexpr int wide = 16 / int(sizeof(Real)), chunks = THREADS / wide;
#pragma unroll 2
  for (int k = threadIdx.x; k < rows * chunks; k += THREADS) {
    const int i = k / chunks, column = k % chunks * wide;
    if (first + column >= count) continue;
    const unsigned to = (unsigned)__cvta_generic_to_shared(tile + i * THREADS + column);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(row(from, pitch, i) + first + column)
                 : "memory");
  }
}
#endif
LISSOM_FUNCTION void wait_for_rows() {
#ifndef LISSOM_ON_CPU
  asm volatile("cp.async.commit_group;\n  cp.async.wait_group 0;" ::: "memory");
#endif
  __syncthreads();
}
)cuda";

// Copies single numbers into shared memory, past the registers, so that many are on their way at a time.
inline constexpr const char* shared_copy_prelude = R"cuda(
#ifdef LISSOM_ON_CPU
LISSOM_FUNCTION void copy_to_shared(volatile Real* to, const Real* from) { *to = *from; }
LISSOM_FUNCTION void wait_for_copies() {}
#else
LISSOM_FUNCTION void copy_to_shared(volatile Real* to, const Real* from) {
  const unsigned address = (unsigned)__cvta_generic_to_shared((const void*)to);
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(address), "l"(from), "n"(sizeof(Real)) : "memory");
}
// Waits for those of this thread.
LISSOM_FUNCTION void wait_for_copies() {
  asm volatile("cp.async.commit_group;\n  cp.async.wait_group 0;" ::: "memory");
}
#endif
)cuda";

}  // namespace lissom::gpu
