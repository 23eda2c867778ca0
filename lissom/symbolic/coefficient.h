#pragma once
// The numbers in closed forms: fractions of 64-bit integers as long as these suffice, doubles beyond. 1/3 + 1/6 is 1/2,
// and what cancels vanishes, which doubles alone would not give.
#include <bit>
#include <compare>
#include <cstdint>

namespace lissom::symbolic {

/// A rational number where that is exact, otherwise a double.
class Coefficient {
 public:
  constexpr Coefficient() = default;
  constexpr Coefficient(std::int64_t whole) : numerator_(whole) {}
  /// numerator / denominator in lowest terms; the denominator is not zero.
  Coefficient(std::int64_t numerator, std::int64_t denominator);
  /// The fraction with a small denominator that x is within rounding, or x itself.
  static Coefficient recognized(double x);

  bool is_exact() const { return denominator_ != 0; }
  bool is_zero() const { return is_exact() ? numerator_ == 0 : value() == 0; }
  bool is_one() const { return is_exact() && numerator_ == 1 && denominator_ == 1; }
  bool is_negative() const { return value() < 0; }
  double value() const {
    return is_exact() ? double(numerator_) / double(denominator_) : std::bit_cast<double>(numerator_);
  }
  /// Exact numbers are numerator over denominator.
  std::int64_t numerator() const { return numerator_; }
  std::int64_t denominator() const { return denominator_; }

  Coefficient operator-() const;
  friend Coefficient operator+(const Coefficient& a, const Coefficient& b);
  friend Coefficient operator-(const Coefficient& a, const Coefficient& b) { return a + -b; }
  friend Coefficient operator*(const Coefficient& a, const Coefficient& b);
  friend Coefficient operator/(const Coefficient& a, const Coefficient& b);
  bool operator==(const Coefficient&) const = default;

 private:
  static Coefficient inexact(double x);
  std::int64_t numerator_ = 0, denominator_ = 1;  // denominator 0: the numerator has the bits of a double
};

/// Whether a is b but for rounding.
bool nearly_equal(const Coefficient& a, const Coefficient& b);

}  // namespace lissom::symbolic
