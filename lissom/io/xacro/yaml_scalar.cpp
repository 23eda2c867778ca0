// The types of YAML 1.1, as PyYAML finds them.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "lissom/io/xacro/operators.h"
#include "lissom/io/xacro/yaml.h"

namespace lissom::io::xacro {
namespace {

bool one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

bool all_in(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

constexpr std::string_view digits_ = "0123456789_";

std::string without_separators(std::string_view text) {
  std::string out(text);
  std::erase(out, '_');
  return out;
}

// 190:20:30 has base 60; so has 1:30.5, of which only the last part may have a fraction.
bool base_sixty(std::string_view text, double& number) {
  if (text.find(':') == std::string_view::npos || text.empty() || !all_in(text.substr(0, 1), "0123456789"))
    return false;
  number = 0;
  while (true) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const bool last = colon == text.size();
    const std::string part = without_separators(text.substr(0, colon));
    double value = 0;
    if (part.empty() || !all_in(part, last ? "0123456789." : "0123456789") || !parse_real(part, value)) return false;
    number = number * 60 + value;
    if (last) return true;
    text.remove_prefix(colon + 1);
  }
}

bool yaml_integer(std::string_view text, bool negative, Value& value) {
  int base = 10;
  std::string_view digits = text;
  if (text.starts_with("0b") && text.size() > 2 && all_in(text.substr(2), "01_")) {
    base = 2;
    digits = text.substr(2);
  } else if (text.starts_with("0x") && text.size() > 2 && all_in(text.substr(2), "0123456789abcdefABCDEF_")) {
    base = 16;
    digits = text.substr(2);
  } else if (text.size() > 1 && text[0] == '0' && all_in(text, "01234567_")) {
    base = 8;
  } else if (text.empty() || !all_in(text, digits_) || text[0] == '_' || (text[0] == '0' && text.size() > 1)) {
    return false;
  }
  const std::string plain = (negative ? "-" : "") + without_separators(digits);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), number, base);
  if (error == std::errc::result_out_of_range) fail_overflow();
  if (error != std::errc() || end != plain.data() + plain.size()) return false;
  value = number;
  return true;
}

// 1.5, .5, 1., 1.5e+3: with a point, and a sign in the exponent.
bool yaml_real(std::string_view text, Value& value) {
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos || !all_in(text.substr(0, point), digits_) || text.starts_with('_')) return false;
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  if (e < point || !all_in(text.substr(point + 1, e - point - 1), digits_)) return false;
  if (point == 0 && (e == 1 || text[1] == '_')) return false;
  if (e < text.size()) {
    const std::string_view exponent = text.substr(e + 1);
    if (exponent.size() < 2 || (exponent[0] != '+' && exponent[0] != '-') || !all_in(exponent.substr(1), "0123456789"))
      return false;
  }
  double number = 0;
  if (!parse_real(without_separators(text), number)) return false;
  value = number;
  return true;
}

bool looks_like_date(std::string_view text) {
  return text.size() >= 8 && all_in(text.substr(0, 4), "0123456789") && text[4] == '-' &&
         all_in(text.substr(5), "0123456789-:TtZz .+");
}

}  // namespace

Value yaml_scalar(std::string_view text) {
  if (one_of(text, {"", "~", "null", "Null", "NULL"})) return {};
  if (one_of(text, {"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})) return true;
  if (one_of(text, {"no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})) return false;
  const bool negative = text.starts_with('-');
  const std::string_view digits = negative || text.starts_with('+') ? text.substr(1) : text;
  if (one_of(digits, {".inf", ".Inf", ".INF"})) return negative ? -HUGE_VAL : HUGE_VAL;
  if (one_of(text, {".nan", ".NaN", ".NAN"})) return std::nan("");
  Value value;
  double number = 0;
  if (yaml_integer(digits, negative, value)) return value;
  if (yaml_real(digits, value)) return negative ? Value(-value.real()) : value;
  if (base_sixty(digits, number)) {
    const double signed_number = negative ? -number : number;
    return digits.find('.') == std::string_view::npos ? Value(to_integer(signed_number)) : Value(signed_number);
  }
  if (looks_like_date(text))
    throw Failure("yaml", "the date '" + std::string(text.substr(0, 40)) + "' is not understood", "write it in quotes");
  return Value(text);
}

}  // namespace lissom::io::xacro
