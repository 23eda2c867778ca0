#include "lissom/view/requests.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <random>
#include <utility>

#include "lissom/recording/robot_meshes.h"

namespace lissom::view {
namespace {

// "%2e" and its like. An escape that is none stays as it is.
std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    if (text[i] == '%' && i + 2 < text.size()) {
      const auto [end, error] = std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16);
      if (error == std::errc() && end == text.data() + i + 3) {
        plain += char(byte);
        i += 2;
        continue;
      }
    }
    plain += text[i];
  }
  return plain;
}

// Takes the same time wherever the first difference is.
bool same_secret(std::string_view a, std::string_view b) {
  unsigned difference = unsigned(a.size() ^ b.size());
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) difference |= (unsigned char)(a[i] ^ b[i]);
  return difference == 0;
}

// Whether a Host names the loopback interface. Its port does not matter: it may be that of a tunnel.
bool is_this_machine(std::string_view host) {
  std::string name(
      host.substr(0, host.starts_with('[') ? std::min(host.find(']'), host.size() - 1) + 1 : host.find(':')));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  if (name == "localhost" || name == "[::1]") return true;
  return name.starts_with("127.") && name.find_first_not_of("0123456789.") == std::string::npos;
}

std::string cookie(std::string_view cookies, std::string_view name) {
  while (!cookies.empty()) {
    const auto end = std::min(cookies.find(';'), cookies.size());
    auto one = cookies.substr(0, end);
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    if (one.starts_with(name) && one.substr(name.size()).starts_with('='))
      return std::string(one.substr(name.size() + 1));
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
  }
  return {};
}

}  // namespace

Target target_of(std::string_view target) {
  Target parts;
  const auto query = std::min(target.find('?'), target.size());
  auto path = target.substr(0, query);
  if (path.starts_with('/')) path.remove_prefix(1);
  parts.path = decoded(path);
  auto rest = target.substr(std::min(query + 1, target.size()));
  while (!rest.empty()) {
    const auto end = std::min(rest.find('&'), rest.size());
    if (const auto one = rest.substr(0, end); one.starts_with("token=")) parts.token = decoded(one.substr(6));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return parts;
}

std::string Access::refusal(std::string_view host, std::string_view origin, std::string_view cookies,
                            const Target& target) const {
  if (loopback && !is_this_machine(host))
    return "the Host of this request is not this machine; open the address that lissom has printed";
  if (!origin.empty() && origin != "http://" + std::string(host))
    return "this request comes from a page of another server (its Origin), which may not use this one";
  if (!same_secret(token, target.token) && !same_secret(token, cookie(cookies, cookie_name())))
    return "the token is missing or wrong; open the address that lissom has printed, with its token";
  return {};
}

std::string random_token() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 32; ++i) token += "0123456789abcdef"[device() & 15];
  return token;
}

std::string_view content_type(std::string_view path) {
  if (const auto type = recording::mesh_media_type(path); !type.empty()) return type;
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> images{
      {{".png", "image/png"}, {".jpg", "image/jpeg"}, {".jpeg", "image/jpeg"}, {".webp", "image/webp"}}};
  for (const auto& [ending, type] : images)
    if (path.ends_with(ending)) return type;
  return "application/octet-stream";
}

}  // namespace lissom::view
