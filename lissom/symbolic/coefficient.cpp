#include "lissom/symbolic/coefficient.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace lissom::symbolic {
namespace {

// Relative; some dozen roundings of a double. Sums that cancel that far are zero.
constexpr double rounding = 1e-13;
constexpr std::int64_t max_denominator = 100'000;

bool multiply(std::int64_t a, std::int64_t b, std::int64_t& product) {
  return !__builtin_mul_overflow(a, b, &product) && product != std::numeric_limits<std::int64_t>::min();
}
bool add(std::int64_t a, std::int64_t b, std::int64_t& sum) {
  return !__builtin_add_overflow(a, b, &sum) && sum != std::numeric_limits<std::int64_t>::min();
}

}  // namespace

Coefficient::Coefficient(std::int64_t numerator, std::int64_t denominator) {
  const auto common = std::gcd(numerator, denominator) * (denominator < 0 ? -1 : 1);
  numerator_ = numerator / common, denominator_ = denominator / common;
}

Coefficient Coefficient::inexact(double x) {
  Coefficient c;
  c.numerator_ = std::bit_cast<std::int64_t>(x), c.denominator_ = 0;
  return c;
}

// By continued fractions: each convergent is the best approximation with a denominator as small as its own.
Coefficient Coefficient::recognized(double x) {
  if (x == 0) return {};
  if (!std::isfinite(x) || std::abs(x) > 1e12) return inexact(x);
  double rest = std::abs(x);
  std::int64_t n = 1, d = 0, previous_n = 0, previous_d = 1;
  for (int i = 0; i < 40; ++i) {
    const double whole = std::floor(rest);
    if (whole > 1e13) break;
    previous_n = std::exchange(n, std::int64_t(whole) * n + previous_n);
    previous_d = std::exchange(d, std::int64_t(whole) * d + previous_d);
    if (d > max_denominator) break;
    if (std::abs(double(n) / double(d) - std::abs(x)) <= rounding * std::abs(x)) return {x < 0 ? -n : n, d};
    if (rest == whole) break;
    rest = 1 / (rest - whole);
  }
  return inexact(x);
}

Coefficient Coefficient::operator-() const {
  if (!is_exact()) return inexact(-value());
  Coefficient c = *this;
  c.numerator_ = -numerator_;
  return c;
}

Coefficient operator+(const Coefficient& a, const Coefficient& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  if (a.is_exact() && b.is_exact()) {
    const auto common = std::gcd(a.denominator_, b.denominator_);
    std::int64_t left = 0, right = 0, sum = 0, denominator = 0;
    if (multiply(a.numerator_, b.denominator_ / common, left) &&
        multiply(b.numerator_, a.denominator_ / common, right) && add(left, right, sum) &&
        multiply(a.denominator_, b.denominator_ / common, denominator))
      return {sum, denominator};
  }
  const double x = a.value(), y = b.value(), sum = x + y;
  if (std::abs(sum) <= rounding * (std::abs(x) + std::abs(y))) return {};
  return Coefficient::inexact(sum);
}

Coefficient operator*(const Coefficient& a, const Coefficient& b) {
  if (a.is_zero() || b.is_zero()) return {};
  if (a.is_exact() && b.is_exact()) {
    const Coefficient left(a.numerator_, b.denominator_), right(b.numerator_, a.denominator_);
    std::int64_t numerator = 0, denominator = 0;
    if (multiply(left.numerator_, right.numerator_, numerator) &&
        multiply(left.denominator_, right.denominator_, denominator))
      return {numerator, denominator};
  }
  return Coefficient::inexact(a.value() * b.value());
}

Coefficient operator/(const Coefficient& a, const Coefficient& b) {
  if (a.is_exact() && b.is_exact()) return a * Coefficient(b.denominator_, b.numerator_);
  return Coefficient::inexact(a.value() / b.value());
}

bool nearly_equal(const Coefficient& a, const Coefficient& b) {
  return std::abs(a.value() - b.value()) <= rounding * (std::abs(a.value()) + std::abs(b.value()));
}

}  // namespace lissom::symbolic
