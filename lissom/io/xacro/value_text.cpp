// Values as text and back, as Python writes and reads them.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "lissom/io/xacro/value.h"

namespace lissom::io::xacro {
namespace {

std::string in_python_quotes(std::string_view text) {
  const bool single = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos;
  const char quote = single ? '"' : '\'';
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      out += buffer;
    } else {
      out += c;
    }
  }
  return out + quote;
}

[[noreturn]] void fail_to_write(const Value& value) {
  fail_expression("the result is a value of type " + type_name(value) + ", which cannot be written as text",
                  value.is(Kind::function) ? "call it: write its arguments in parentheses" : "write list(…) around it");
}

std::string sequence_repr(const Sequence& sequence, Budget& budget) {
  if (sequence.kind == SequenceKind::range) return sequence.shown;
  constexpr const char* brackets[] = {"[]", "()", "{}"};
  const char* around = brackets[static_cast<std::size_t>(sequence.kind)];
  if (sequence.kind == SequenceKind::set && sequence.items.empty()) return "set()";
  std::string out(1, around[0]);
  for (const Value& item : sequence.items) {
    if (out.size() > 1) out += ", ";
    out += to_repr(item, budget);
  }
  if (sequence.kind == SequenceKind::tuple && sequence.items.size() == 1) out += ',';
  return out + around[1];
}

std::string dict_repr(const Dict& dict, Budget& budget) {
  std::string out = "{";
  for (const auto& [key, value] : dict.items) {
    if (out.size() > 1) out += ", ";
    out += to_repr(key, budget) + ": " + to_repr(value, budget);
  }
  return out + "}";
}

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f');
}

bool strip_sign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

// Python allows a single underscore between digits. False if one stands elsewhere.
bool without_underscores(std::string_view text, std::string& out) {
  const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_')
      out += text[i];
    else if (i == 0 || !digit(i - 1) || !digit(i + 1))
      return false;
  }
  return true;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return out;
}

}  // namespace

// The shortest text that is read back as the same number; with an exponent if that is below -4 or above 15.
std::string to_repr(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific).ptr;
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  const std::size_t e = text.find('e');
  int exponent = 0;
  std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), text.data() + text.size(), exponent);
  if (exponent < -4 || exponent >= 16) return std::string(text);
  std::string fixed(buffer, std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::fixed).ptr);
  return fixed.find('.') == std::string::npos ? fixed + ".0" : fixed;
}

std::string to_repr(const Value& value, Budget& budget) {
  budget.step();
  switch (value.kind()) {
    case Kind::none:
      return "None";
    case Kind::boolean:
      return value.boolean() ? "True" : "False";
    case Kind::integer:
      return std::to_string(value.integer());
    case Kind::real:
      return to_repr(value.real());
    case Kind::text: {
      std::string text = in_python_quotes(value.text());
      budget.take(text.size());
      return text;
    }
    case Kind::sequence: {
      if (value.sequence().kind == SequenceKind::iterator) fail_to_write(value);
      std::string text = sequence_repr(value.sequence(), budget);
      budget.take(text.size());
      return text;
    }
    case Kind::dict: {
      std::string text = dict_repr(value.dict(), budget);
      budget.take(text.size());
      return text;
    }
    default:
      fail_to_write(value);
  }
}

std::string to_str(const Value& value, Budget& budget) {
  if (!value.is_text()) return to_repr(value, budget);
  budget.take(value.text().size());
  return value.text();
}

std::string_view stripped(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool parse_integer(std::string_view text, std::int64_t& number) {
  text = stripped(text);
  const bool negative = strip_sign(text);
  std::string digits = negative ? "-" : "";
  if (text.empty() || text.front() < '0' || text.front() > '9' || !without_underscores(text, digits)) return false;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (end != digits.data() + digits.size()) return false;
  if (error == std::errc::result_out_of_range)
    throw Failure("limit", "the integer " + std::string(text.substr(0, 40)) + " has more than 64 bits",
                  "write it with a decimal point, as a floating-point number");
  return error == std::errc();
}

bool parse_real(std::string_view text, double& number) {
  text = stripped(text);
  const bool negative = strip_sign(text);
  const std::string word = lower(text);
  if (word == "inf" || word == "infinity") return number = negative ? -HUGE_VAL : HUGE_VAL, true;
  if (word == "nan") return number = std::nan(""), true;
  std::string digits;
  if (text.empty() || !((text[0] >= '0' && text[0] <= '9') || text[0] == '.') || !without_underscores(text, digits))
    return false;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (end != digits.data() + digits.size()) return false;
  if (error == std::errc::result_out_of_range) {
    // Too small is zero, too large infinite, as in Python. A negative exponent tells which.
    const std::size_t e = digits.find_first_of("eE");
    const bool tiny = e == std::string::npos ? digits.starts_with("0.") || digits.starts_with('.')
                                             : digits.find('-', e) != std::string::npos;
    number = tiny ? 0 : HUGE_VAL;
  } else if (error != std::errc()) {
    return false;
  }
  if (negative) number = -number;
  return true;
}

}  // namespace lissom::io::xacro
