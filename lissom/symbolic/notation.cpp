#include "lissom/symbolic/notation.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace lissom {

std::string Symbol::text() const {
  const std::string dot = is_rate ? "\u0307" : "";
  return base + dot + (number > 0 ? std::to_string(number) : "") + (has_suffix ? suffix : "");
}

std::string Symbol::latex() const {
  std::string letter = base == "ω" ? "\\omega" : base;
  if (is_rate) letter = "\\dot " + letter;
  // A base of several letters: the others belong to the subscript.
  std::string below;
  if (base.size() > 1 && base != "ω") {
    letter = (is_rate ? "\\dot " : "") + base.substr(0, 1);
    below = "\\mathrm{" + base.substr(1) + "}";
  }
  for (const auto& part : {number > 0 ? std::to_string(number) : std::string(), has_suffix ? suffix : std::string()})
    if (!part.empty()) below += (below.empty() ? "" : ",") + part;
  if (below.empty()) return letter;
  return letter + "_" + (below.size() == 1 ? below : "{" + below + "}");
}

namespace symbolic {
namespace {

// Fractions that read better than decimals: halves, thirds, quarters, …, but not fifths and tenths.
bool is_small_fraction(const Coefficient& c) {
  const auto d = c.denominator();
  return c.is_exact() && d > 1 && std::llabs(c.numerator()) < 1000 &&
         ((d <= 16 && d % 5 != 0) || d == 15 || d == 24 || d == 32 || d == 48 || d == 64);
}

Coefficient magnitude(const Coefficient& c) {
  const auto positive = c.is_negative() ? -c : c;
  return positive.is_exact() ? positive : Coefficient::recognized(positive.value());
}

}  // namespace

std::string number_decimal(double x, int digits) {
  std::array<char, 40> text{};
  double rounded = 0;
  auto end = std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::general, digits).ptr;
  std::from_chars(text.data(), end, rounded);
  end = std::to_chars(text.data(), text.data() + text.size(), rounded).ptr;
  return {text.data(), end};
}

std::string number_text(const Coefficient& c, int digits) {
  const auto x = magnitude(c);
  if (x == Coefficient(1, 2)) return "½";
  if (is_small_fraction(x)) return std::to_string(x.numerator()) + "/" + std::to_string(x.denominator());
  return number_decimal(x.value(), digits);
}

std::string number_latex(const Coefficient& c, int digits) {
  const auto x = magnitude(c);
  if (is_small_fraction(x))
    return "\\tfrac{" + std::to_string(x.numerator()) + "}{" + std::to_string(x.denominator()) + "}";
  auto text = number_decimal(x.value(), digits);
  if (const auto e = text.find('e'); e != std::string::npos)
    text = text.substr(0, e) + " \\cdot 10^{" + std::to_string(std::atoi(text.c_str() + e + 1)) + "}";
  return text;
}

}  // namespace symbolic
}  // namespace lissom
