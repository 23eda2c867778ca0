#pragma once
// The algorithms require of a scalar type T: arithmetic with itself and with plain numbers, comparison that gives a
// mask, select by a mask, and the functions of functions.h and sincos.h. double, float, Lanes<S, N> and Dual<T>
// qualify.
//
// No algorithm branches on a value of type T: lanes hold many robots at once, so both sides are computed and
// select(mask, a, b) keeps the one that applies.
#include <concepts>
#include <type_traits>

#include "lissom/math/inline.h"

namespace lissom {

/// The plain number type inside a scalar type, and how many numbers it holds.
template <class T>
struct ScalarTraits {
  using Number = T;
  static constexpr int lanes = 1;
};
template <class T>
using Number = typename ScalarTraits<T>::Number;
template <class T>
inline constexpr int lanes_of = ScalarTraits<T>::lanes;

/// Whether T is a plain number, so that several of them (columns of a matrix, angles of one robot) can share a
/// register. Lanes hold another robot in each lane instead, and other scalars, such as dual numbers, are computed one
/// by one.
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

/// a where m holds, else b; for lanes, lane by lane.
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
