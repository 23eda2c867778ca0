#include "lissom/files/data_uri.h"

#include <algorithm>
#include <cstdint>

namespace lissom {
namespace {

constexpr std::string_view scheme = "data:", base64_mark = ";base64", name_mark = ";name=";

// What stands before the comma, without "data:".
std::string_view head_of(std::string_view uri) {
  if (!is_data_uri(uri)) return {};
  const auto comma = uri.find(',');
  return comma == std::string_view::npos ? std::string_view() : uri.substr(scheme.size(), comma - scheme.size());
}

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

bool decode_base64(std::string_view text, std::string& bytes) {
  while (text.ends_with('=')) text.remove_suffix(1);
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    int value = -1;
    if (c >= 'A' && c <= 'Z') value = c - 'A';
    if (c >= 'a' && c <= 'z') value = c - 'a' + 26;
    if (c >= '0' && c <= '9') value = c - '0' + 52;
    if (c == '+' || c == '-') value = 62;
    if (c == '/' || c == '_') value = 63;
    if (value < 0) return false;
    bits = (bits << 6) | std::uint32_t(value);
    count += 6;
    if (count >= 8) count -= 8, bytes.push_back(char((bits >> count) & 0xff));
  }
  return true;
}

bool is_data_uri(std::string_view path) {
  return path.starts_with(scheme);
}

std::string to_data_uri(std::string_view media_type, std::string_view name, std::string_view bytes) {
  std::string uri(scheme);
  uri.append(media_type);
  if (!name.empty()) {
    uri.append(name_mark);
    for (const char c : name) uri += is_plain(c) ? c : '_';
  }
  return uri.append(base64_mark).append(",").append(to_base64(bytes));
}

std::optional<std::string> data_uri_bytes(std::string_view uri) {
  const auto head = head_of(uri);
  std::string bytes;
  if (!head.ends_with(base64_mark) || !decode_base64(uri.substr(scheme.size() + head.size() + 1), bytes)) return {};
  return bytes;
}

std::string_view data_uri_media_type(std::string_view uri) {
  const auto head = head_of(uri);
  return head.substr(0, head.find(';'));
}

std::string data_uri_name(std::string_view uri) {
  const auto head = head_of(uri);
  const auto at = head.find(name_mark);
  if (at == std::string_view::npos) return {};
  const auto name = head.substr(at + name_mark.size());
  return std::string(name.substr(0, name.find(';')));
}

}  // namespace lissom
