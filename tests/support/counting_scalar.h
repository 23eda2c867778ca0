#pragma once
// A number that counts the operations on it: additions, multiplications and divisions, all alike; and how often a sine
// and cosine were computed. Running an algorithm on it gives its cost, the same on every machine.
#include <cmath>

#include "lissom/math/functions.h"
#include "lissom/math/sincos.h"

namespace lissom::test {

struct Counted {
  double value;
  static inline long operations = 0, sines = 0;

  Counted() = default;
  Counted(double v) : value(v) {}
  static Counted did(double v) {
    ++operations;
    return v;
  }
  friend Counted operator-(Counted a) { return -a.value; }
  friend Counted operator+(Counted a, Counted b) { return did(a.value + b.value); }
  friend Counted operator-(Counted a, Counted b) { return did(a.value - b.value); }
  friend Counted operator*(Counted a, Counted b) { return did(a.value * b.value); }
  friend Counted operator/(Counted a, Counted b) { return did(a.value / b.value); }
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }
  Counted& operator*=(Counted b) { return *this = *this * b; }
  friend bool operator<(Counted a, Counted b) { return a.value < b.value; }
  friend bool operator>(Counted a, Counted b) { return a.value > b.value; }
  friend bool operator<=(Counted a, Counted b) { return a.value <= b.value; }
  friend bool operator>=(Counted a, Counted b) { return a.value >= b.value; }
  friend Counted select(bool m, Counted a, Counted b) { return m ? a : b; }
};

}  // namespace lissom::test

namespace lissom {

template <>
struct ScalarTraits<test::Counted> {
  using Number = double;
  static constexpr int lanes = 1;
};
inline SinCos<test::Counted> sincos(test::Counted x) {
  ++test::Counted::sines;
  return {std::sin(x.value), std::cos(x.value)};
}

}  // namespace lissom
