#include "lissom/io/xacro/operators.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/model/text.h"

namespace lissom::io::xacro {

void fail_overflow() {
  throw Failure("limit", "an integer has more than 64 bits",
                "use floating-point numbers: write 10.0 ** 30, or 1e30, not 10 ** 30");
}

std::int64_t to_integer(double number) {
  if (std::isnan(number) || std::isinf(number)) fail_expression("NaN and infinity are no integers");
  if (!(number >= -9223372036854775808.0 && number < 9223372036854775808.0)) fail_overflow();
  return static_cast<std::int64_t>(number);
}

namespace {

[[noreturn]] void fail_types(std::string_view symbol, const Value& a, const Value& b) {
  const bool text = a.is_text() != b.is_text() && symbol == "+";
  fail_expression(
      "the operator " + std::string(symbol) + " has no meaning between " + type_name(a) + " and " + type_name(b),
      text ? "write str(…) around the number, or write the text outside of ${…}" : "check the types of the operands");
}

[[noreturn]] void fail_zero() {
  fail_expression("division by zero", "check the divisor");
}

std::int64_t divide_integers(std::int64_t a, std::int64_t b) {
  if (b == 0) fail_zero();
  if (b == -1) {
    if (a == std::numeric_limits<std::int64_t>::min()) fail_overflow();
    return -a;
  }
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// The remainder has the sign of the divisor.
double remainder_of(double a, double b) {
  if (b == 0) fail_zero();
  double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  if ((b < 0) != (rest < 0)) rest += b;
  return rest;
}

double divide_down(double a, double b) {
  const double rest = remainder_of(a, b);
  const double quotient = (a - rest) / b;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double whole = std::floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

double divide(const Value& a, const Value& b) {
  if (b.is_integer() ? b.integer() == 0 : b.real() == 0) fail_zero();
  if (a.is_integer() && b.is_integer())  // exact operands, also beyond 2^53
    return static_cast<double>(static_cast<long double>(a.integer()) / static_cast<long double>(b.integer()));
  return a.real() / b.real();
}

std::int64_t integer_power(std::int64_t base, std::int64_t exponent) {
  if (base == 1 || exponent == 0) return 1;
  if (base == 0) return 0;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  if (exponent > 64) fail_overflow();
  std::int64_t result = 1;
  for (std::int64_t i = 0; i < exponent; ++i)
    if (__builtin_mul_overflow(result, base, &result)) fail_overflow();
  return result;
}

Value repeated(const Value& value, std::int64_t count, Budget& budget) {
  const auto times = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
  const auto check = [&](std::size_t size, std::size_t bytes) {
    if (size > 0 && times > limits::xacro_bytes / bytes / size) budget.take(limits::xacro_bytes + 1);
    budget.step(size * times);
  };
  if (value.is_text()) {
    check(value.text().size(), 1);
    std::string text;
    if (!value.text().empty())
      for (std::size_t i = 0; i < times; ++i) text += value.text();
    return make_text(std::move(text), budget);
  }
  const Sequence& from = value.sequence();
  check(from.items.size(), sizeof(Value));
  Values items;
  if (!from.items.empty())
    for (std::size_t i = 0; i < times; ++i) items.insert(items.end(), from.items.begin(), from.items.end());
  return make_sequence(from.kind, std::move(items), budget);
}

bool repeats(const Value& value) {
  return value.is_text() || (value.is(Kind::sequence) && value.sequence().kind <= SequenceKind::tuple);
}

Value multiply(const Value& a, const Value& b, Budget& budget) {
  if (a.is_integer() && b.is_integer()) {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(a.integer(), b.integer(), &result)) fail_overflow();
    return result;
  }
  if (a.is_number() && b.is_number()) return a.real() * b.real();
  if (repeats(a) && b.is_integer()) return repeated(a, b.integer(), budget);
  if (a.is_integer() && repeats(b)) return repeated(b, a.integer(), budget);
  fail_types("*", a, b);
}

Value add(const Value& a, const Value& b, Budget& budget) {
  if (a.is_integer() && b.is_integer()) {
    std::int64_t result = 0;
    if (__builtin_add_overflow(a.integer(), b.integer(), &result)) fail_overflow();
    return result;
  }
  if (a.is_number() && b.is_number()) return a.real() + b.real();
  if (a.is_text() && b.is_text()) return make_text(a.text() + b.text(), budget);
  if (repeats(a) && a.is(Kind::sequence) && b.is(Kind::sequence) && a.sequence().kind == b.sequence().kind) {
    Values items = a.sequence().items;
    items.insert(items.end(), b.sequence().items.begin(), b.sequence().items.end());
    budget.step(items.size());
    return make_sequence(a.sequence().kind, std::move(items), budget);
  }
  fail_types("+", a, b);
}

Value subtract(const Value& a, const Value& b, Budget& budget) {
  if (a.is_integer() && b.is_integer()) {
    std::int64_t result = 0;
    if (__builtin_sub_overflow(a.integer(), b.integer(), &result)) fail_overflow();
    return result;
  }
  if (a.is_number() && b.is_number()) return a.real() - b.real();
  const auto is_set = [](const Value& value) {
    return value.is(Kind::sequence) && value.sequence().kind == SequenceKind::set;
  };
  if (!is_set(a) || !is_set(b)) fail_types("-", a, b);
  Values items;
  for (const Value& item : a.sequence().items)
    if (!apply_comparison("in", item, b, budget)) items.push_back(item);
  return make_sequence(SequenceKind::set, std::move(items), budget);
}

Value shift(std::string_view symbol, std::int64_t a, std::int64_t count) {
  if (count < 0)
    fail_expression("an integer is shifted by " + std::to_string(count) + " bits", "give a positive count");
  if (symbol == ">>") return a >> std::min<std::int64_t>(count, 63);
  if (a != 0 && (count > 62 || ((a << count) >> count) != a)) fail_overflow();
  return a == 0 ? 0 : a << count;
}

Value apply_bits(std::string_view symbol, const Value& a, const Value& b, Budget& budget) {
  if (a.is(Kind::boolean) && b.is(Kind::boolean) && symbol.size() == 1) {
    const bool x = a.boolean(), y = b.boolean();
    return symbol == "|" ? (x || y) : symbol == "&" ? (x && y) : x != y;
  }
  if (a.is_integer() && b.is_integer()) {
    const std::int64_t x = a.integer(), y = b.integer();
    if (symbol.size() == 2) return shift(symbol, x, y);
    return symbol == "|" ? x | y : symbol == "&" ? x & y : x ^ y;
  }
  if (symbol == "|" && a.is(Kind::dict) && b.is(Kind::dict)) {
    Dict joined = a.dict();
    for (const auto& [key, value] : b.dict().items) joined.set(key, value, budget);
    budget.step(joined.items.size());
    return make_dict(std::move(joined), budget);
  }
  if ((symbol == "|" || symbol == "&") && type_name(a) == "set" && type_name(b) == "set") {
    Values items;
    for (const Value& item : a.sequence().items)
      if (symbol == "|" || apply_comparison("in", item, b, budget)) items.push_back(item);
    if (symbol == "|") items.insert(items.end(), b.sequence().items.begin(), b.sequence().items.end());
    return make_set(std::move(items), budget);
  }
  fail_types(symbol, a, b);
}

bool contains(const Value& container, const Value& item, Budget& budget) {
  if (container.is_text()) {
    if (!item.is_text()) fail_types("in", item, container);
    budget.step(container.text().size());
    return container.text().find(item.text()) != std::string::npos;
  }
  if (container.is(Kind::dict)) return container.dict().find(item, budget) != nullptr;
  if (!container.is(Kind::sequence)) fail_types("in", item, container);
  const Values& items = container.sequence().items;
  budget.step(items.size());
  return std::any_of(items.begin(), items.end(), [&](const Value& other) { return equal(item, other, budget); });
}

bool identical(const Value& a, const Value& b, Budget& budget) {
  if (a.kind() != b.kind()) return false;
  if (a.is(Kind::sequence)) return &a.sequence() == &b.sequence();
  if (a.is(Kind::dict)) return &a.dict() == &b.dict();
  return equal(a, b, budget);
}

}  // namespace

Value floor_divide(const Value& a, const Value& b) {
  if (!a.is_number() || !b.is_number()) fail_types("//", a, b);
  if (a.is_integer() && b.is_integer()) return divide_integers(a.integer(), b.integer());
  return divide_down(a.real(), b.real());
}

Value modulo(const Value& a, const Value& b) {
  if (!a.is_number() || !b.is_number()) fail_types("%", a, b);
  if (!a.is_integer() || !b.is_integer()) return remainder_of(a.real(), b.real());
  if (b.integer() == -1) return 0;
  return a.integer() - divide_integers(a.integer(), b.integer()) * b.integer();
}

Value power(const Value& base, const Value& exponent) {
  if (!base.is_number() || !exponent.is_number()) fail_types("**", base, exponent);
  if (base.is_integer() && exponent.is_integer() && exponent.integer() >= 0)
    return integer_power(base.integer(), exponent.integer());
  const double x = base.real(), y = exponent.real();
  if (x == 0 && y < 0) fail_expression("zero is raised to a negative power", "check the base");
  if (x < 0 && !std::isinf(x) && !std::isinf(y) && y != std::floor(y))
    fail_expression("a negative number is raised to a power that is no integer", "complex numbers are not understood");
  const double result = std::pow(x, y);
  if (std::isinf(result) && !std::isinf(x) && !std::isinf(y)) fail_expression("the power is too large for a number");
  return result;
}

Value apply_unary(std::string_view symbol, const Value& value) {
  if (symbol == "not") return !truth(value);
  if (!value.is_number() || (symbol == "~" && !value.is_integer()))
    fail_expression("the operator " + std::string(symbol) + " has no meaning for " + type_name(value),
                    "check the type of the value");
  if (value.is(Kind::real)) return symbol == "-" ? -value.real() : value.real();
  const std::int64_t number = value.integer();
  if (symbol == "~") return ~number;
  if (symbol == "+") return number;
  if (number == std::numeric_limits<std::int64_t>::min()) fail_overflow();
  return -number;
}

Value apply_binary(std::string_view symbol, const Value& a, const Value& b, Budget& budget) {
  budget.step();
  if (symbol == "+") return add(a, b, budget);
  if (symbol == "-") return subtract(a, b, budget);
  if (symbol == "*") return multiply(a, b, budget);
  if (symbol == "%" && a.is_text()) return make_text(format_percent(a.text(), b, budget), budget);
  if (symbol == "%") return modulo(a, b);
  if (symbol == "//") return floor_divide(a, b);
  if (symbol == "**") return power(a, b);
  if (symbol == "/") {
    if (!a.is_number() || !b.is_number()) fail_types("/", a, b);
    return divide(a, b);
  }
  if (symbol == "@") fail_types("@", a, b);
  return apply_bits(symbol, a, b, budget);
}

bool apply_comparison(std::string_view symbol, const Value& a, const Value& b, Budget& budget) {
  budget.step();
  if (symbol == "==") return equal(a, b, budget);
  if (symbol == "!=") return !equal(a, b, budget);
  if (symbol == "in") return contains(b, a, budget);
  if (symbol == "not in") return !contains(b, a, budget);
  if (symbol == "is") return identical(a, b, budget);
  if (symbol == "is not") return !identical(a, b, budget);
  const int order = compare(a, b, budget);
  if (order == 2) return false;
  if (symbol == "<") return order < 0;
  if (symbol == ">") return order > 0;
  return symbol == "<=" ? order <= 0 : order >= 0;
}

}  // namespace lissom::io::xacro
