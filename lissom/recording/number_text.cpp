#include "lissom/recording/number_text.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace lissom::recording {
namespace {

constexpr std::uint64_t quiet = 0x7ff8000000000000, negative_quiet = 0xfff8000000000000;
constexpr std::string_view payload_start = "nan(";

char* write_text(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

}  // namespace

char* write_number(char* at, double number) {
  if (!std::isnan(number)) return std::to_chars(at, at + max_number_bytes, number).ptr;
  const auto bits = std::bit_cast<std::uint64_t>(number);
  if (bits == quiet) return write_text(at, "nan");
  if (bits == negative_quiet) return write_text(at, "-nan");
  at = write_text(at, payload_start);
  at = std::to_chars(at, at + 16, bits, 16).ptr;
  return write_text(at, ")");
}

std::optional<double> read_number(std::string_view text) {
  if (text == "nan") return std::bit_cast<double>(quiet);
  if (text == "-nan") return std::bit_cast<double>(negative_quiet);
  if (text.starts_with(payload_start) && text.ends_with(')')) {
    text = text.substr(payload_start.size(), text.size() - payload_start.size() - 1);
    std::uint64_t bits = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
    const auto number = std::bit_cast<double>(bits);
    if (error != std::errc() || end != text.data() + text.size() || !std::isnan(number)) return {};
    return number;
  }
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || std::isnan(number)) return {};
  return number;
}

}  // namespace lissom::recording
