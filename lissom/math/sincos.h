#pragma once
// Sine and cosine for every scalar type, at most 2 ulp off for every finite argument.
//
// In lanes, the nearest multiple k of π/2 is subtracted by Cody and Waite's method, with π/2 split into parts; then the
// minimax polynomials of fdlibm (double) and Cephes (float) are evaluated on |r| <= π/4. Beyond `Reduction::limit` the
// parts are not precise enough, and the rare call goes to the C library, lane by lane.
#include <cmath>

#include "lissom/math/functions.h"

// Whether the compiler makes one fused operation of a product and a sum: without optimization it does not, whatever the
// processor can. (g++ -O1 needs -fexpensive-optimizations: cmake/flags.cmake.)
#if defined(__FMA__) && defined(__OPTIMIZE__)
#define LISSOM_FUSES
#endif

namespace lissom {

template <class T>
struct SinCos {
  T sin, cos;
};

/// Horner's rule, coefficients from the highest power down.
template <class V>
LISSOM_INLINE V horner(V, V sum) {
  return sum;
}
template <class V, class S, class... More>
LISSOM_INLINE V horner(V z, V sum, S c, More... more) {
  return horner(z, V(sum * z + c), more...);
}

// π/2 in parts, for fused operations and for products that have to be exact; `rounder` is a number whose last bit is
// worth 1, so that adding it rounds to an integer.
inline namespace LISSOM_ISA_NAMESPACE {
template <class S>
struct Reduction;
template <>
struct Reduction<double> {
  static constexpr double limit = 32768, rounder = 6755399441055744.0;
  static constexpr double fused[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
  static constexpr double exact[] = {0x1.921fb5444p+0, 0x1.68c234c4cp-39, 0x1.98a2e03707345p-77};
};
template <>
struct Reduction<float> {
  static constexpr float limit = 512, rounder = 12582912.0f;
  static constexpr float fused[] = {0x1.921fb6p+0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f};
  static constexpr float exact[] = {0x1.921cp+0f, 0x1.daap-15f, 0x1.10b4p-30f, 0x1.84698ap-48f};
};
}  // namespace LISSOM_ISA_NAMESPACE

/// r = x - k π/2
template <class L>
LISSOM_INLINE typename L::Vector reduced(L x, L k) {
  using P = Reduction<Number<L>>;
#ifdef LISSOM_FUSES
  // Each line is one fused operation and rounds once. (It is written with vectors, not Lanes, because compilers fuse
  // within one expression only.)
  static_assert(sizeof(P::fused) / sizeof(P::fused[0]) == 3);
  auto r = x.v - k.v * P::fused[0];
  r = r - k.v * P::fused[1];
  r = r - k.v * P::fused[2];
  return r;
#else
  // k times a part is exact, except for the last part. The rounding error of a subtraction is subtracted together with
  // the next part.
  L r = x - k * P::exact[0], lost = zero<L>();
  constexpr int last = int(sizeof(P::exact) / sizeof(P::exact[0])) - 1;
  for (int i = 1; i <= last; ++i) {
    const L take = k * P::exact[i] - lost;
    const L next = r - take;
    lost = (r - next) - take;
    r = next;
  }
  return r.v;
#endif
}

template <class V>
LISSOM_INLINE V sin_polynomial(V r, V z, double) {
  return r + r * z *
                 horner(z, 1.58969099521155010221e-10 - V{}, -2.50507602534068634195e-08, 2.75573137070700676789e-06,
                        -1.98412698298579493134e-04, 8.33333333332248946124e-03, -1.66666666666666324348e-01);
}
template <class V>
LISSOM_INLINE V cos_polynomial(V z, double) {
  return (1.0 - 0.5 * z) + z * z *
                               horner(z, -1.13596475577881948265e-11 - V{}, 2.08757232129817482790e-09,
                                      -2.75573143513906633035e-07, 2.48015872894767294178e-05,
                                      -1.38888888888741095749e-03, 4.16666666666666019037e-02);
}
template <class V>
LISSOM_INLINE V sin_polynomial(V r, V z, float) {
  return r + r * z * horner(z, -1.9515295891e-4f - V{}, 8.3321608736e-3f, -1.6666654611e-1f);
}
template <class V>
LISSOM_INLINE V cos_polynomial(V z, float) {
  return (1.0f - 0.5f * z) +
         z * z * horner(z, 2.443315711809948e-5f - V{}, -1.388731625493765e-3f, 4.166664568298827e-2f);
}

/// Whether x is outside of the range of quick_sincos.
template <class S, int N>
LISSOM_INLINE typename Lanes<S, N>::Mask is_huge(Lanes<S, N> x) {
  return abs(x) > Lanes<S, N>(Reduction<S>::limit);
}
/// Sine and cosine of arguments that are not huge.
template <class S, int N>
LISSOM_INLINE SinCos<Lanes<S, N>> quick_sincos(Lanes<S, N> x) {
  using L = Lanes<S, N>;
  using Vector = typename L::Vector;
  using Mask = typename L::Mask;
  const Vector rounded = x.v * S(0.63661977236758134308) + Reduction<S>::rounder;
  const L k(rounded - Reduction<S>::rounder);
  const Mask quadrant = (Mask)rounded;  // its low bits are those of k
  const Vector r = reduced(x, k), z = r * r;
  const Mask s = (Mask)sin_polynomial(r, z, S()), c = (Mask)cos_polynomial(z, S());

  const Mask odd = -(quadrant & 1);  // odd quadrants swap sine and cosine; the sign is a bit
  constexpr int to_sign_bit = sizeof(S) * 8 - 2;
  return {Vector(((odd & c) | (~odd & s)) ^ ((quadrant & 2) << to_sign_bit)),
          Vector(((odd & s) | (~odd & c)) ^ (((quadrant + 1) & 2) << to_sign_bit))};
}
// Lanes with a huge argument are computed by the C library; the others are left alone, so that no robot's result
// depends on its neighbors.
inline namespace LISSOM_ISA_NAMESPACE {
template <class S, int N>
[[gnu::noinline, gnu::cold]] SinCos<Lanes<S, N>> sincos_of_huge(Lanes<S, N> x) {
  auto a = quick_sincos(x);
  const auto huge = is_huge(x);
  for (int i = 0; i < N; ++i)
    if (huge[i]) a.sin.set(i, std::sin(x[i])), a.cos.set(i, std::cos(x[i]));
  return a;
}
}  // namespace LISSOM_ISA_NAMESPACE

template <class S, int N>
LISSOM_INLINE SinCos<Lanes<S, N>> sincos(Lanes<S, N> x) {
  if (any(is_huge(x))) [[unlikely]]
    return sincos_of_huge(x);
  return quick_sincos(x);
}

/// One number is computed with the same polynomials, so that a single robot and a robot in lanes get the same sines and
/// cosines.
template <std::floating_point S>
LISSOM_INLINE SinCos<S> sincos(S x) {
  const auto a = sincos(Lanes<S, int(16 / sizeof(S))>(x));
  return {a.sin.v[0], a.cos.v[0]};
}
/// In extended precision, for precise residuals.
LISSOM_INLINE SinCos<long double> sincos(long double x) {
  return {std::sin(x), std::cos(x)};
}
template <class T>
LISSOM_INLINE SinCos<Dual<T>> sincos(const Dual<T>& x) {
  const auto a = sincos(x.value);
  return {{a.sin, x.slope * a.cos}, {a.cos, -(x.slope * a.sin)}};
}

}  // namespace lissom
