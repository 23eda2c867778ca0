#include "lissom/model/printable.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lissom {
namespace {

unsigned char byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// The code point of the first character, which has `length` bytes.
unsigned code_point(std::string_view text, std::size_t length) {
  constexpr unsigned masks[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  unsigned code = byte_at(text, 0) & masks[length];
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte_at(text, i) & 0x3F);
  return code;
}

bool is_control(unsigned code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

// "\x1b", "\u202e"
void escape(std::string& out, unsigned code) {
  std::array<char, 8> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), code, 16);
  const auto count = std::size_t(end - digits.data());
  const std::size_t width = code > 0xFF ? 4 : 2;
  out += code > 0xFF ? "\\u" : "\\x";
  out.append(width - std::min(width, count), '0').append(digits.data(), count);
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned char lead = byte_at(text, 0);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_at(text, i) & 0xC0) != 0x80) return 0;
  const bool overlong = (lead == 0xE0 && byte_at(text, 1) < 0xA0) || (lead == 0xF0 && byte_at(text, 1) < 0x90);
  const bool beyond = (lead == 0xED && byte_at(text, 1) >= 0xA0) || (lead == 0xF4 && byte_at(text, 1) >= 0x90);
  return overlong || beyond ? 0 : length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool has_control_character(std::string_view text) {
  while (!text.empty()) {
    const auto length = utf8_length(text);
    if (length > 0 && is_control(code_point(text, length))) return true;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return false;
}

std::string printable(std::string_view text, LineBreaks breaks) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto length = utf8_length(text);
    const auto taken = text.substr(0, std::max<std::size_t>(length, 1));
    const char c = taken[0];
    const unsigned code = length == 0 ? byte_at(taken, 0) : code_point(taken, length);
    if (breaks != LineBreaks::escape && (c == '\n' || c == '\r' || c == '\t'))
      out += breaks == LineBreaks::blank || c == '\r' ? ' ' : c;
    else if (length == 0 || is_control(code))
      escape(out, code);
    else
      out += taken;
    text.remove_prefix(taken.size());
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t max_length) {
  if (text.size() <= max_length) return std::string(text);
  std::size_t end = max_length;
  while (end > 0 && (byte_at(text, end) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace lissom
