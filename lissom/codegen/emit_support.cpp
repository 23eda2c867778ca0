// The part of generated headers that is the same for every robot.
#include "lissom/codegen/emit_support.h"

namespace lissom::codegen {

const std::string_view cpp_includes = R"(
#include <cmath>
#include <type_traits>
#include <utility>

#ifndef LISSOM_GENERATED_RESTRICT
#if defined(__GNUC__)
#define LISSOM_GENERATED_RESTRICT __restrict__
#define LISSOM_GENERATED_APART __attribute__((noinline))
#elif defined(_MSC_VER)
#define LISSOM_GENERATED_RESTRICT __restrict
#define LISSOM_GENERATED_APART __declspec(noinline)
#else
#define LISSOM_GENERATED_RESTRICT
#define LISSOM_GENERATED_APART
#endif
#endif
)";

const std::string_view cpp_support = R"(namespace detail {

// The number type inside of T, and how many numbers T holds; 0 if it is no vector.
template <class T, class = void>
struct Traits {
  using Number = T;
  static constexpr int lanes = 0;
};
#if defined(__GNUC__)
template <class T>
struct Traits<T, std::enable_if_t<std::is_floating_point<std::decay_t<decltype(std::declval<T&>()[0])>>::value &&
                                  !std::is_pointer<T>::value>> {
  using Number = std::decay_t<decltype(std::declval<T&>()[0])>;
  static constexpr int lanes = int(sizeof(T) / sizeof(Number));
};
#endif
template <class T>
using Number = typename Traits<T>::Number;

template <class T, class F>
inline T in_every_lane(const T& x, F f) {
  T y = x;
  for (int i = 0; i < Traits<T>::lanes; ++i) y[i] = f(x[i]);
  return y;
}
template <class T>
inline T sqrt(const T& x) {
  using std::sqrt;
  if constexpr (Traits<T>::lanes > 0)
    return in_every_lane(x, [](Number<T> e) { return std::sqrt(e); });
  else
    return sqrt(x);
}
template <class T>
inline T abs(const T& x) {
  using std::abs;
  if constexpr (Traits<T>::lanes > 0)
    return in_every_lane(x, [](Number<T> e) { return std::abs(e); });
  else
    return abs(x);
}
template <class T>
inline T atan2(const T& y, const T& x) {
  using std::atan2;
  if constexpr (Traits<T>::lanes > 0) {
    T r = y;
    for (int i = 0; i < Traits<T>::lanes; ++i) r[i] = std::atan2(y[i], x[i]);
    return r;
  } else {
    return atan2(y, x);
  }
}

// Sine and cosine by the C library, lane by lane.
template <class T>
inline void library_sincos(const T& x, T& s, T& c) {
  using std::cos;
  using std::sin;
  if constexpr (Traits<T>::lanes > 0) {
    s = in_every_lane(x, [](Number<T> e) { return std::sin(e); });
    c = in_every_lane(x, [](Number<T> e) { return std::cos(e); });
  } else {
    s = sin(x);
    c = cos(x);
  }
}

#if defined(__GNUC__) && !defined(__FAST_MATH__)
// Sine and cosine of all lanes at once, at most 2 ulp off for arguments up to `limit`: the nearest multiple of pi/2 is
// subtracted in parts, each of which has so few digits that its products are exact; then polynomials.
template <class S>
struct Sine;
template <>
struct Sine<double> {
  static constexpr double limit = 32768, rounder = 6755399441055744.0;
  static constexpr double part[] = {0x1.921fb5444p+0, 0x1.68c234c4cp-39, 0x1.98a2e03707345p-77};
  template <class V>
  static V sine(const V& r, const V& z) {
    V p = 1.58969099521155010221e-10 * z - 2.50507602534068634195e-08;
    p = p * z + 2.75573137070700676789e-06;
    p = p * z - 1.98412698298579493134e-04;
    p = p * z + 8.33333333332248946124e-03;
    p = p * z - 1.66666666666666324348e-01;
    return r + r * z * p;
  }
  template <class V>
  static V cosine(const V& z) {
    V p = -1.13596475577881948265e-11 * z + 2.08757232129817482790e-09;
    p = p * z - 2.75573143513906633035e-07;
    p = p * z + 2.48015872894767294178e-05;
    p = p * z - 1.38888888888741095749e-03;
    p = p * z + 4.16666666666666019037e-02;
    return (1.0 - 0.5 * z) + z * z * p;
  }
};
template <>
struct Sine<float> {
  static constexpr float limit = 512, rounder = 12582912.0f;
  static constexpr float part[] = {0x1.921cp+0f, 0x1.daap-15f, 0x1.10b4p-30f, 0x1.84698ap-48f};
  template <class V>
  static V sine(const V& r, const V& z) {
    V p = -1.9515295891e-4f * z + 8.3321608736e-3f;
    p = p * z - 1.6666654611e-1f;
    return r + r * z * p;
  }
  template <class V>
  static V cosine(const V& z) {
    V p = 2.443315711809948e-5f * z - 1.388731625493765e-3f;
    p = p * z + 4.166664568298827e-2f;
    return (1.0f - 0.5f * z) + z * z * p;
  }
};
template <class V>
inline void quick_sincos(const V& x, V& sine, V& cosine) {
  using S = Number<V>;
  using P = Sine<S>;
  using Mask = decltype(x < x);
  const V rounded = x * S(0.63661977236758134308) + P::rounder;
  const V k = rounded - P::rounder;
  const Mask quadrant = (Mask)rounded;  // its low bits are those of k
  V r = x - k * P::part[0], lost = V{};
  constexpr int last = int(sizeof(P::part) / sizeof(P::part[0])) - 1;
  for (int i = 1; i <= last; ++i) {
    const V take = k * P::part[i] - lost;
    const V next = r - take;
    lost = (r - next) - take;
    r = next;
  }
  const V z = r * r;
  const Mask s = (Mask)P::sine(r, z), c = (Mask)P::cosine(z), odd = -(quadrant & 1);
  constexpr int to_sign = int(sizeof(S)) * 8 - 2;
  sine = (V)(((odd & c) | (~odd & s)) ^ ((quadrant & 2) << to_sign));
  cosine = (V)(((odd & s) | (~odd & c)) ^ (((quadrant + 1) & 2) << to_sign));
}
template <class V>
inline bool all_small(const V& largest) {
  bool small = true;
  for (int i = 0; i < Traits<V>::lanes; ++i) small = small && largest[i] <= Sine<Number<V>>::limit;
  return small;
}
// The lanes of one robot's angles.
#if defined(__AVX__)
constexpr int block_bytes = 32;
#else
constexpr int block_bytes = 16;
#endif
template <class S>
struct Block {
  typedef S type __attribute__((vector_size(block_bytes), may_alias, aligned(alignof(S))));
  typedef S value __attribute__((vector_size(block_bytes)));
};
template <class T>
inline constexpr bool has_own_sincos =
    std::is_same<Number<T>, float>::value || std::is_same<Number<T>, double>::value;
#else
template <class T>
inline constexpr bool has_own_sincos = false;
#endif

/// How long an array of n angles has to be.
template <class T>
constexpr int padded(int n) {
#if defined(__GNUC__) && !defined(__FAST_MATH__)
  if constexpr (std::is_floating_point<T>::value) {
    constexpr int width = block_bytes / int(sizeof(T)) > 0 ? block_bytes / int(sizeof(T)) : 1;
    return (n + width - 1) / width * width;
  }
#endif
  return n;
}

template <class T>
inline void sincos(const T& x, T& s, T& c) {
#if defined(__GNUC__) && !defined(__FAST_MATH__)
  if constexpr (has_own_sincos<T> && Traits<T>::lanes > 0) {
    if (all_small(T(x < T{} ? -x : x))) return quick_sincos(x, s, c);
  }
#endif
  library_sincos(x, s, c);
}
template <class T, int N>
inline void sincos_of_all(const T* angle, T* s, T* c) {
#if defined(__GNUC__) && !defined(__FAST_MATH__)
  if constexpr (has_own_sincos<T> && Traits<T>::lanes > 0) {
    T largest{};
    for (int k = 0; k < N; ++k) {
      const T size = angle[k] < T{} ? -angle[k] : angle[k];
      largest = size > largest ? size : largest;
      quick_sincos(angle[k], s[k], c[k]);
    }
    if (all_small(largest)) return;
  } else if constexpr (has_own_sincos<T>) {
    using Memory = typename Block<T>::type;
    using V = typename Block<T>::value;
    constexpr int width = block_bytes / int(sizeof(T));
    V largest{};
    for (int k = 0; k < N; k += width) {
      const V x = *reinterpret_cast<const Memory*>(angle + k);
      const V size = x < V{} ? -x : x;
      largest = size > largest ? size : largest;
      V sine, cosine;
      quick_sincos(x, sine, cosine);
      *reinterpret_cast<Memory*>(s + k) = sine;
      *reinterpret_cast<Memory*>(c + k) = cosine;
    }
    if (all_small(largest)) return;
  }
#endif
  for (int k = 0; k < N; ++k) library_sincos(angle[k], s[k], c[k]);
}

}  // namespace detail

)";

const std::string_view c_includes = R"(
#include <math.h>

#ifndef LISSOM_GENERATED_C_RESTRICT
#if defined(__GNUC__)
#define LISSOM_GENERATED_C_RESTRICT __restrict__
#define LISSOM_GENERATED_C_APART static __attribute__((noinline, unused))
#else
#define LISSOM_GENERATED_C_RESTRICT
#define LISSOM_GENERATED_C_APART static
#endif
#endif
)";

}  // namespace lissom::codegen
