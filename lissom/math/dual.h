#pragma once
// Dual numbers a + b ε, ε² = 0: an algorithm run on them gives its value and, exactly, its derivative in one direction.
#include "lissom/math/lanes.h"

namespace lissom {

template <class T = double>
struct Dual {
  T value, slope;

  Dual() = default;
  LISSOM_INLINE Dual(T v, T s) : value(v), slope(s) {}
  LISSOM_INLINE Dual(Number<T> v) : value(v), slope(Number<T>(0)) {}

  LISSOM_INLINE Dual& operator+=(const Dual& b) { return *this = *this + b; }
  LISSOM_INLINE Dual& operator-=(const Dual& b) { return *this = *this - b; }
  LISSOM_INLINE Dual& operator*=(const Dual& b) { return *this = *this * b; }
  LISSOM_INLINE friend Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
  LISSOM_INLINE friend Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
  LISSOM_INLINE friend Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }
  LISSOM_INLINE friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope};
  }
  LISSOM_INLINE friend Dual operator/(const Dual& a, const Dual& b) {
    const T ratio = a.value / b.value;
    return {ratio, (a.slope - ratio * b.slope) / b.value};
  }
  LISSOM_INLINE friend auto operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  LISSOM_INLINE friend auto operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  LISSOM_INLINE friend auto operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  LISSOM_INLINE friend auto operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }

  template <class Mask>
  LISSOM_INLINE friend Dual select(Mask m, const Dual& a, const Dual& b) {
    using lissom::select;
    return {select(m, a.value, b.value), select(m, a.slope, b.slope)};
  }
};

template <class T>
struct ScalarTraits<Dual<T>> {
  using Number = lissom::Number<T>;
  static constexpr int lanes = lanes_of<T>;
};

}  // namespace lissom
