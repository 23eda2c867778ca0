#pragma once
// The elementary functions on dual numbers that NumPy's functions call on objects (np.sin(x) calls x.sin()).
#include <cmath>
#include <cstdlib>

#include "lissom/math/dual.h"

namespace lissom::python {

inline double value_of_dual(double x) {
  return x;
}
template <class T>
double value_of_dual(const Dual<T>& x) {
  return value_of_dual(x.value);
}

// LISSOM_DUAL_FUNCTION(f, derivative): f of a number and of dual numbers of any order; the derivative is an expression
// of x and y = f(x) in the scalar type T of the value.
#define LISSOM_DUAL_FUNCTION(f, on_double, derivative) \
  inline double f(double x) {                          \
    return on_double(x);                               \
  }                                                    \
  template <class T>                                   \
  Dual<T> f(const Dual<T>& dual) {                     \
    const T x = dual.value, y = f(x);                  \
    (void)y;                                           \
    return {y, (derivative) * dual.slope};             \
  }

inline double cosine(double x);
template <class T>
Dual<T> cosine(const Dual<T>& dual);
inline double hyperbolic_cosine(double x);
template <class T>
Dual<T> hyperbolic_cosine(const Dual<T>& dual);

LISSOM_DUAL_FUNCTION(sine, std::sin, cosine(x))
LISSOM_DUAL_FUNCTION(cosine, std::cos, -sine(x))
LISSOM_DUAL_FUNCTION(tangent, std::tan, T(1.0) + y * y)
LISSOM_DUAL_FUNCTION(square_root, std::sqrt, T(0.5) / y)
LISSOM_DUAL_FUNCTION(exponential, std::exp, y)
LISSOM_DUAL_FUNCTION(logarithm, std::log, T(1.0) / x)
LISSOM_DUAL_FUNCTION(arc_sine, std::asin, T(1.0) / square_root(T(1.0) - x * x))
LISSOM_DUAL_FUNCTION(arc_cosine, std::acos, T(-1.0) / square_root(T(1.0) - x * x))
LISSOM_DUAL_FUNCTION(arc_tangent, std::atan, T(1.0) / (T(1.0) + x * x))
LISSOM_DUAL_FUNCTION(hyperbolic_sine, std::sinh, hyperbolic_cosine(x))
LISSOM_DUAL_FUNCTION(hyperbolic_cosine, std::cosh, hyperbolic_sine(x))
LISSOM_DUAL_FUNCTION(hyperbolic_tangent, std::tanh, T(1.0) - y * y)
#undef LISSOM_DUAL_FUNCTION

inline double arc_tangent2(double y, double x) {
  return std::atan2(y, x);
}
template <class T>
Dual<T> arc_tangent2(const Dual<T>& y, const Dual<T>& x) {
  return {arc_tangent2(y.value, x.value),
          (x.value * y.slope - y.value * x.slope) / (x.value * x.value + y.value * y.value)};
}

inline double power(double x, double n) {
  return std::pow(x, n);
}
/// x to a constant power: also for negative x and whole n, and for x = 0 where the derivative exists.
template <class T>
Dual<T> power(const Dual<T>& x, double n) {
  if (n == 0) return Dual<T>(1.0);
  return {power(x.value, n), T(n) * power(x.value, n - 1) * x.slope};
}
template <class T>
Dual<T> power(const Dual<T>& x, const Dual<T>& n) {
  return exponential(n * logarithm(x));
}

}  // namespace lissom::python
