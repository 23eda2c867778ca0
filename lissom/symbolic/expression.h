#pragma once
// Closed forms as they are printed: sums and products of numbers, symbols, and sines and cosines of sums of angles.
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lissom/symbolic/notation.h"

namespace lissom::symbolic {

/// Σ ratio · coordinate + offset: the argument of a sine or cosine.
struct AngleSum {
  std::vector<std::pair<int, Coefficient>> coordinates;  ///< symbol, ratio; sorted, the first ratio is positive
  Coefficient offset;
  bool operator==(const AngleSum&) const = default;
};

struct Expression {
  enum class Kind { number, symbol, sine, cosine, product, sum };
  Kind kind = Kind::number;
  Coefficient number;             ///< a number, or the factor in front of a product
  int symbol = 0;                 ///< index in the list of symbols
  AngleSum angle;                 ///< of a sine or cosine
  int exponent = 1;               ///< of a symbol, sine, cosine or sum
  std::vector<Expression> parts;  ///< of a product or sum
};

/// The value for given values of all symbols.
double evaluate(const Expression& e, std::span<const double> values);
/// Sets used[i] for each symbol i that occurs.
void mark_symbols(const Expression& e, std::vector<bool>& used);
/// How many terms are printed: those of all sums, also of sums in parentheses.
std::size_t term_count(const Expression& e);

/// Decimals have this many significant digits.
std::string text(const Expression& e, std::span<const Symbol> symbols, int digits);
std::string latex(const Expression& e, std::span<const Symbol> symbols, int digits);

}  // namespace lissom::symbolic
