#pragma once
// What the algorithms ask of a scalar type T: arithmetic with itself and with plain numbers, comparison that gives a
// mask, select by a mask, and the functions of functions.h and sincos.h. double, float, Lanes<S, N> and Dual<T>
// qualify.
//
// Nothing in an algorithm branches on a value of type T: lanes hold many robots at once, so both sides are computed and
// select(mask, a, b) keeps what applies.
#include <concepts>
#include <type_traits>

#include "lissom/math/inline.h"

namespace lissom {

// The plain number inside a scalar type, and how many of them it holds.
template <class T>
struct ScalarTraits {
  using Number = T;
  static constexpr int lanes = 1;
};
template <class T>
using Number = typename ScalarTraits<T>::Number;
template <class T>
inline constexpr int lanes_of = ScalarTraits<T>::lanes;

// Whether T is one plain number, of which several (columns of a matrix, angles of one robot) fill a register. Lanes
// hold a robot in each place instead, and other scalars, dual numbers say, come one by one.
template <class T>
inline constexpr bool is_packable = std::is_same_v<T, double> || std::is_same_v<T, float>;
template <class T>
concept Packable = is_packable<T>;

template <class T>
LISSOM_INLINE T zero() {
  return T(Number<T>(0));
}
template <class T>
LISSOM_INLINE T one() {
  return T(Number<T>(1));
}
template <class T>
LISSOM_INLINE T inverse(T a) {
  return Number<T>(1) / a;
}

// select(m, a, b): a where m holds, else b. For lanes, lane by lane.
template <std::floating_point S>
LISSOM_INLINE S select(bool m, S a, S b) {
  return m ? a : b;
}
LISSOM_INLINE bool any(bool m) {
  return m;
}
LISSOM_INLINE bool all(bool m) {
  return m;
}

template <class T>
concept Scalar = requires(T a, T b, Number<T> s) {
  { T(s) };
  { a + b } -> std::convertible_to<T>;
  { a - b } -> std::convertible_to<T>;
  { a* b } -> std::convertible_to<T>;
  { a / b } -> std::convertible_to<T>;
  { s* a } -> std::convertible_to<T>;
  { s / a } -> std::convertible_to<T>;
  { -a } -> std::convertible_to<T>;
  { select(a < b, a, b) } -> std::convertible_to<T>;
};

}  // namespace lissom
