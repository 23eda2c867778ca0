#include "lissom/symbolic/expression.h"

#include <cmath>
#include <cstdlib>

namespace lissom::symbolic {

double evaluate(const Expression& e, std::span<const double> values) {
  const auto power = [&](double x) { return std::pow(x, e.exponent); };
  const auto angle = [&] {
    double sum = e.angle.offset.value();
    for (const auto& [symbol, ratio] : e.angle.coordinates) sum += ratio.value() * values[std::size_t(symbol)];
    return sum;
  };
  switch (e.kind) {
    case Expression::Kind::number:
      return e.number.value();
    case Expression::Kind::symbol:
      return power(values[std::size_t(e.symbol)]);
    case Expression::Kind::sine:
      return power(std::sin(angle()));
    case Expression::Kind::cosine:
      return power(std::cos(angle()));
    case Expression::Kind::product: {
      double product = e.number.value();
      for (const auto& part : e.parts) product *= evaluate(part, values);
      return product;
    }
    case Expression::Kind::sum: {
      double sum = 0;
      for (const auto& part : e.parts) sum += evaluate(part, values);
      return power(sum);
    }
  }
  return 0;
}

void mark_symbols(const Expression& e, std::vector<bool>& used) {
  if (e.kind == Expression::Kind::symbol) used[std::size_t(e.symbol)] = true;
  for (const auto& [symbol, ratio] : e.angle.coordinates) used[std::size_t(symbol)] = true;
  for (const auto& part : e.parts) mark_symbols(part, used);
}

std::size_t term_count(const Expression& e) {
  if (e.kind == Expression::Kind::number) return e.number.is_zero() ? 0 : 1;
  std::size_t count = e.kind == Expression::Kind::sum ? 0 : 1;
  if (e.kind == Expression::Kind::sum)
    for (const auto& part : e.parts) count += term_count(part);
  if (e.kind == Expression::Kind::product)
    for (const auto& part : e.parts)
      if (part.kind == Expression::Kind::sum) count += term_count(part) - 1;
  return count;
}

namespace {

const char* const superscripts[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
std::string raised(int exponent) {
  if (exponent == 1) return "";
  std::string text;
  for (const char digit : std::to_string(exponent)) text += superscripts[digit - '0'];
  return text;
}

// How text and LaTeX differ.
struct TextStyle {
  static std::string number(const Coefficient& c, int digits) { return number_text(c, digits); }
  static std::string name(const Symbol& s) { return s.text(); }
  static std::string power(int exponent) { return raised(exponent); }
  static constexpr const char *sine = "sin", *cosine = "cos", *minus = "−", *open = "(", *close = ")";
};
struct LatexStyle {
  static std::string number(const Coefficient& c, int digits) { return number_latex(c, digits); }
  static std::string name(const Symbol& s) { return s.latex(); }
  static std::string power(int exponent) {
    if (exponent == 1) return "";
    return exponent < 10 ? "^" + std::to_string(exponent) : "^{" + std::to_string(exponent) + "}";
  }
  static constexpr const char *sine = "\\sin", *cosine = "\\cos", *minus = "-", *open = "\\left(", *close = "\\right)";
};

template <class Style>
class Printer {
 public:
  Printer(std::span<const Symbol> symbols, int digits) : symbols_(symbols), digits_(digits) {}

  std::string print(const Expression& e) const {
    const auto words = magnitude(e);
    return is_negative(e) ? Style::minus + words : words;
  }

 private:
  static bool is_negative(const Expression& e) {
    return (e.kind == Expression::Kind::number || e.kind == Expression::Kind::product) && e.number.is_negative();
  }
  // Without its sign.
  std::string magnitude(const Expression& e) const {
    switch (e.kind) {
      case Expression::Kind::number:
        return Style::number(e.number, digits_);
      case Expression::Kind::symbol:
        return Style::name(symbols_[std::size_t(e.symbol)]) + Style::power(e.exponent);
      case Expression::Kind::sine:
      case Expression::Kind::cosine:
        return (e.kind == Expression::Kind::sine ? Style::sine : Style::cosine) + Style::power(e.exponent) +
               angle(e.angle);
      case Expression::Kind::product:
        return product(e);
      case Expression::Kind::sum:
        return e.exponent == 1 ? sum(e) : Style::open + sum(e) + Style::close + Style::power(e.exponent);
    }
    return "";
  }
  std::string product(const Expression& e) const {
    std::string words;
    const auto size = e.number.is_negative() ? -e.number : e.number;
    if (!size.is_one() || e.parts.empty()) words = Style::number(e.number, digits_);
    for (const auto& part : e.parts) {
      if (!words.empty()) words += " ";
      words += part.kind == Expression::Kind::sum ? Style::open + sum(part) + Style::close + Style::power(part.exponent)
                                                  : magnitude(part);
    }
    return words;
  }
  std::string sum(const Expression& e) const {
    std::string words;
    for (const auto& part : e.parts) {
      if (words.empty())
        words = print(part);
      else
        words += (is_negative(part) ? std::string(" ") + Style::minus + " " : std::string(" + ")) + magnitude(part);
    }
    return words.empty() ? "0" : words;
  }
  // " q1", "(q1 + q2)", "(2 q1 − q2 + 0.1)"
  std::string angle(const AngleSum& a) const {
    std::string words;
    const auto add = [&](const Coefficient& c, const std::string& name) {
      const auto size = c.is_negative() ? -c : c;
      if (!words.empty())
        words += c.is_negative() ? std::string(" ") + Style::minus + " " : std::string(" + ");
      else if (c.is_negative())
        words += Style::minus;
      if (name.empty() || !size.is_one()) words += Style::number(c, digits_) + (name.empty() ? "" : " ");
      words += name;
    };
    for (const auto& [symbol, ratio] : a.coordinates) add(ratio, Style::name(symbols_[std::size_t(symbol)]));
    if (!a.offset.is_zero()) add(a.offset, "");
    const bool single = a.coordinates.size() == 1 && a.coordinates[0].second.is_one() && a.offset.is_zero();
    return single ? " " + words : "(" + words + ")";
  }

  std::span<const Symbol> symbols_;
  int digits_;
};

}  // namespace

std::string text(const Expression& e, std::span<const Symbol> symbols, int digits) {
  return Printer<TextStyle>(symbols, digits).print(e);
}
std::string latex(const Expression& e, std::span<const Symbol> symbols, int digits) {
  return Printer<LatexStyle>(symbols, digits).print(e);
}

}  // namespace lissom::symbolic
