#pragma once
// Terms as they are printed: a number times powers of symbols and of sines and cosines of sums of angles. `folded`
// makes them of a polynomial, `factored` makes an expression of them, with common factors before parentheses.
#include <compare>
#include <map>
#include <vector>

#include "lissom/symbolic/expression.h"
#include "lissom/symbolic/polynomial.h"
#include "lissom/symbolic/trigonometry.h"

namespace lissom::symbolic {

/// What a term is a product of, in the order in which it is printed.
struct Factor {
  enum class Rank { mass, inertia, length, gravity, coordinate, velocity, trigonometric } rank = Rank::mass;
  int symbol = -1;  ///< of all but the last rank
  TrigFunction function = {};
  auto operator<=>(const Factor&) const = default;
  /// Whether it is constant in time, and no common factor of all of mechanics such as g.
  bool is_parameter() const { return rank <= Rank::length; }
};
using Factors = std::map<Factor, int>;  // with their exponents
struct Term {
  Coefficient coefficient;
  Factors factors;
};

/// The terms of a polynomial, in the order of textbooks, with sines and cosines in their shortest form.
std::vector<Term> folded(const Arena& arena, Polynomial polynomial, std::span<const Symbol> symbols,
                         const ParallelAxes& axes);
Expression factored(const std::vector<Term>& terms, const std::vector<Angle>& angles);
/// The same, collected by velocities: (…) q̇1² + (…) q̇1 q̇2 + …, as energies are written.
Expression collected_by_velocities(const std::vector<Term>& terms, const std::vector<Angle>& angles);

}  // namespace lissom::symbolic
