// Python's formatting: '%.3f' % x, '{:.3f}'.format(x), f'{x:.3f}'.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "lissom/io/xacro/functions.h"
#include "lissom/io/xacro/operators.h"
#include "lissom/model/limits.h"
#include "lissom/model/text.h"

namespace lissom::io::xacro {
namespace {

// [[fill]align][sign][#][0][width][grouping][.precision][type]
struct FormatSpec {
  std::string fill = " ";
  char align = 0, sign = '-', grouping = 0, type = 0;
  bool alternate = false;
  int width = 0, precision = -1;
};

[[noreturn]] void fail_format(std::string_view specification) {
  fail_expression("the format " + in_quotes(specification) + " is not understood", "write it as in '08.3f' or '>10'");
}

bool is_align(char c) {
  return c == '<' || c == '>' || c == '^' || c == '=';
}

int read_count(std::string_view text, std::size_t& at, std::string_view whole) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
  if (error != std::errc() || number < 0) fail_format(whole);
  if (number > limits::xacro_format_width)
    throw Failure("limit",
                  "the format " + in_quotes(whole) + " asks for more than " +
                      std::to_string(limits::xacro_format_width) + " characters",
                  "use a smaller width");
  at = static_cast<std::size_t>(end - text.data());
  return number;
}

FormatSpec parse_spec(std::string_view text) {
  FormatSpec spec;
  std::size_t at = 0;
  const auto next = [&] { return at < text.size() ? text[at] : '\0'; };
  const auto offsets = character_offsets(text);
  if (offsets.size() > 2 && is_align(text[offsets[1]])) {
    spec.fill = text.substr(0, offsets[1]);
    spec.align = text[offsets[1]];
    at = offsets[1] + 1;
  } else if (is_align(next())) {
    spec.align = text[at++];
  }
  if (next() == '+' || next() == '-' || next() == ' ') spec.sign = text[at++];
  if (next() == '#') spec.alternate = ++at > 0;
  if (next() == '0') {
    ++at;
    if (!spec.align) {
      spec.align = '=';
      spec.fill = "0";
    }
  }
  if (next() >= '0' && next() <= '9') spec.width = read_count(text, at, text);
  if (next() == ',' || next() == '_') spec.grouping = text[at++];
  if (next() == '.') spec.precision = read_count(text, ++at, text);
  if (at < text.size()) spec.type = text[at++];
  if (at != text.size()) fail_format(text);
  return spec;
}

std::string repeated_fill(const std::string& fill, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += fill;
  return out;
}

// `sign` is what stays in front of the padding of '='.
std::string aligned(const std::string& sign, const std::string& body, const FormatSpec& spec, char otherwise) {
  const std::size_t length = sign.size() + character_offsets(body).size() - 1;
  const auto width = static_cast<std::size_t>(spec.width);
  const std::size_t missing = width > length ? width - length : 0;
  switch (spec.align ? spec.align : otherwise) {
    case '<':
      return sign + body + repeated_fill(spec.fill, missing);
    case '^':
      return repeated_fill(spec.fill, missing / 2) + sign + body + repeated_fill(spec.fill, missing - missing / 2);
    case '=':
      return sign + repeated_fill(spec.fill, missing) + body;
    default:
      return repeated_fill(spec.fill, missing) + sign + body;
  }
}

std::string sign_of(bool negative, char sign) {
  if (negative) return "-";
  return sign == '-' ? "" : std::string(1, sign);
}

std::string grouped(std::string digits, char separator, std::size_t size) {
  const std::size_t end = std::min(digits.find_first_of(".e%"), digits.size());
  for (std::size_t at = end; separator && at > size; at -= size) digits.insert(at - size, 1, separator);
  return digits;
}

std::string digits_of(std::uint64_t number, int base) {
  char buffer[80];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number, base).ptr};
}

std::string format_integer(std::int64_t number, const FormatSpec& spec, std::string_view whole) {
  if (spec.precision >= 0) fail_format(whole);
  const bool negative = number < 0;
  const auto magnitude = negative ? ~static_cast<std::uint64_t>(number) + 1 : static_cast<std::uint64_t>(number);
  const char type = static_cast<char>(spec.type | 0x20);
  const int base = type == 'x' ? 16 : type == 'o' ? 8 : type == 'b' ? 2 : 10;
  std::string digits = grouped(digits_of(magnitude, base), spec.grouping, base == 10 ? 3 : 4);
  std::string sign = sign_of(negative, spec.sign);
  if (spec.alternate && base != 10) sign += {'0', type};
  if (spec.type == 'X')
    for (std::string* part : {&digits, &sign})
      std::ranges::transform(*part, part->begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
  return aligned(sign, digits, spec, '>');
}

std::string digits_of(double magnitude, const FormatSpec& spec) {
  if (std::isnan(magnitude)) return "nan";
  if (std::isinf(magnitude)) return "inf";
  if (!spec.type && spec.precision < 0) return to_repr(magnitude);
  const char type = static_cast<char>(spec.type | 0x20);
  int precision = spec.precision < 0 ? 6 : spec.precision;
  auto format = std::chars_format::general;
  if (type == 'f' || spec.type == '%') format = std::chars_format::fixed;
  if (type == 'e') format = std::chars_format::scientific;
  if (format == std::chars_format::general) precision = std::max(precision, 1);
  if (spec.type == '%') magnitude *= 100;
  char buffer[2048];
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, magnitude, format, precision).ptr);
  if (!spec.type && text.find_first_of(".e") == std::string::npos) text += ".0";
  if (spec.type == '%') text += '%';
  return text;
}

std::string format_real(double number, const FormatSpec& spec) {
  const bool negative = std::signbit(number) && !std::isnan(number);
  std::string digits = grouped(digits_of(std::abs(number), spec), spec.grouping, 3);
  if (spec.type == 'E' || spec.type == 'G' || spec.type == 'F')
    std::ranges::transform(digits, digits.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
  return aligned(sign_of(negative, spec.sign), digits, spec, '>');
}

}  // namespace

std::string format_value(const Value& value, std::string_view specification, Budget& budget) {
  if (specification.empty()) return to_str(value, budget);
  const FormatSpec spec = parse_spec(specification);
  constexpr std::string_view integers("dxXobn", 6), reals("eEfFgG%", 7);
  const bool none = spec.type == 0;
  if (value.is_text()) {
    if ((!none && spec.type != 's') || spec.align == '=') fail_format(specification);
    std::string text = value.text();
    const auto offsets = character_offsets(text);
    if (spec.precision >= 0 && static_cast<std::size_t>(spec.precision) < offsets.size() - 1)
      text.resize(offsets[static_cast<std::size_t>(spec.precision)]);
    budget.take(text.size());
    return aligned("", text, spec, '<');
  }
  if (value.is_integer() && (none || integers.find(spec.type) != std::string_view::npos))
    return format_integer(value.integer(), spec, specification);
  if (value.is_number() && (none || reals.find(spec.type) != std::string_view::npos))
    return format_real(value.real(), spec);
  fail_expression("the format " + in_quotes(specification) + " is not for a value of type " + type_name(value));
}

std::string format_percent(const std::string& text, const Value& values, Budget& budget) {
  const bool tuple = values.is(Kind::sequence) && values.sequence().kind == SequenceKind::tuple;
  const Values list = tuple ? values.sequence().items : Values{values};
  std::size_t used = 0;
  const auto next = [&] {
    if (used == list.size()) fail_expression("a format has more % than values", "give one value for each %");
    return list[used++];
  };
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    std::size_t end = std::min(text.find_first_of("diufFeEgGxXosrc%", at + 1), text.size());
    std::optional<Value> named;
    if (at + 1 < text.size() && text[at + 1] == '(') {
      const std::size_t close = text.find(')', at);
      if (close == std::string::npos || !values.is(Kind::dict)) fail_format(text);
      named = element(values, Value(text.substr(at + 2, close - at - 2)), budget);
      used = list.size();
      at = close;
      end = std::min(text.find_first_of("diufFeEgGxXosrc%", at + 1), text.size());
    }
    if (end == text.size()) fail_format(text);
    std::string flags = text.substr(at + 1, end - at - 1);
    char type = text[end];
    at = end;
    if (type == '%') {
      out += '%';
      continue;
    }
    Value value = named ? *named : next();
    std::string specification;
    const bool textual = type == 's' || type == 'r' || type == 'c';
    if (const auto dash = flags.find('-'); dash != std::string::npos) {
      flags.erase(dash, 1);
      specification = "<";
    } else if (textual) {
      specification = ">";
    }
    if (textual) {
      value = type == 'r' ? to_repr(value, budget) : to_str(value, budget);
      type = 's';
    } else if (type == 'd' || type == 'i' || type == 'u') {
      if (value.is(Kind::real)) value = to_integer(std::trunc(value.real()));
      type = 'd';
    }
    out += format_value(value, specification + flags + type, budget);
  }
  // (As in Python, what could be a mapping may have more than is asked for.)
  const bool mapping = values.is(Kind::dict) || (values.is(Kind::sequence) && !tuple);
  if (used < list.size() && !mapping) fail_expression("a format has fewer % than values", "give one value for each %");
  return out;
}

namespace {

// The value of 'name.attribute[key]' in braces.
Value field_value(std::string_view field, const Call& call, std::size_t& automatic) {
  const std::size_t end = std::min(field.find_first_of(".["), field.size());
  const std::string_view first = field.substr(0, end);
  Value value;
  std::int64_t number = 0;
  if (first.empty() || parse_integer(first, number)) {
    const std::size_t i = first.empty() ? automatic++ : static_cast<std::size_t>(number);
    if (i >= call.positional.size()) fail_expression("format() has fewer arguments than the text has braces");
    value = call.positional[i];
  } else {
    const auto named = std::ranges::find(call.named, first, &std::pair<std::string, Value>::first);
    if (named == call.named.end()) fail_expression("format() has no argument " + in_quotes(first));
    value = named->second;
  }
  for (std::size_t at = end; at < field.size();) {
    const bool bracket = field[at] == '[';
    const std::size_t stop = bracket ? field.find(']', at) : std::min(field.find_first_of(".[", at + 1), field.size());
    if (stop == std::string_view::npos) fail_format(field);
    const std::string key(field.substr(at + 1, stop - at - 1));
    if (bracket)
      value = element(value, parse_integer(key, number) ? Value(number) : Value(key), call.budget);
    else
      value = attribute(value, key, call.budget);
    at = bracket ? stop + 1 : stop;
  }
  return value;
}

std::string format_fields(std::string_view text, const Call& call, std::size_t& automatic, int depth) {
  if (depth > 2) fail_format(text);
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if ((text[at] == '{' || text[at] == '}') && at + 1 < text.size() && text[at + 1] == text[at]) {
      out += text[at++];
      continue;
    }
    if (text[at] == '}') fail_format(text);
    if (text[at] != '{') {
      out += text[at];
      continue;
    }
    const std::size_t start = ++at;
    for (int open = 0; at < text.size() && (open > 0 || text[at] != '}'); ++at)
      open += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
    if (at == text.size()) fail_format(text);
    const std::string_view inside = text.substr(start, at - start);
    const std::size_t colon = std::min(inside.find(':'), inside.size());
    std::string_view field = inside.substr(0, colon);
    const std::size_t mark = field.find('!');
    Value value = field_value(field.substr(0, mark), call, automatic);
    if (mark != std::string_view::npos)
      value = field.substr(mark) == "!r" ? to_repr(value, call.budget) : to_str(value, call.budget);
    const auto rest = colon < inside.size() ? inside.substr(colon + 1) : std::string_view();
    out += format_value(value, format_fields(rest, call, automatic, depth + 1), call.budget);
  }
  return out;
}

}  // namespace

std::string format_braces(const std::string& text, const Call& call) {
  std::size_t automatic = 0;
  call.budget.step(text.size());
  return format_fields(text, call, automatic, 0);
}

}  // namespace lissom::io::xacro
