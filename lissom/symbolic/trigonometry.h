#pragma once
// Polynomials in the sines and cosines of several angles, and the forms in which they can be written: powers
// (cos² q2), sums of angles (cos(q1 + q2)), or both, where some axes are parallel and others are not
// (cos q1 cos(q2 + q3)).
//
// Products of cosines and sines become cosines and sines of sums of angles, linear combinations of which are unique
// (Fourier series). From there each form follows by its own rules, and the shortest one is taken. What is even or odd
// in the multiples of each angle stays so in all forms; so each class of such terms gets its own form.
#include <compare>
#include <map>
#include <vector>

#include "lissom/symbolic/coefficient.h"
#include "lissom/symbolic/symbolic_model.h"

namespace lissom::symbolic {

/// Multiples of the angles, and which function of their sum.
struct TrigFunction {
  std::vector<int> multiples;  ///< for each angle; the first that is not zero is positive
  bool sine = false;
  auto operator<=>(const TrigFunction&) const = default;
};
struct TrigPower {
  TrigFunction of;
  int exponent = 1;
  auto operator<=>(const TrigPower&) const = default;
};
using TrigProduct = std::vector<TrigPower>;  // sorted; empty: 1
using TrigSum = std::map<TrigProduct, Coefficient>;

/// sin^a cos^b of each angle: the exponents a, b of angle i are at 2 i, 2 i + 1.
using Exponents = std::vector<int>;
using TrigPolynomial = std::map<Exponents, Coefficient>;

/// The shortest form.
TrigSum shortest_form(const TrigPolynomial& polynomial, const ParallelAxes& axes);

}  // namespace lissom::symbolic
