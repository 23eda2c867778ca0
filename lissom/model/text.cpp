#include "lissom/model/text.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "lissom/model/printable.h"

namespace lissom {

std::string_view to_text(double number, NumberBuffer& buffer) {
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::general, 6);
  if (error != std::errc()) return "?";
  return {buffer.data(), std::size_t(end - buffer.data())};
}

std::string to_text(double number) {
  NumberBuffer buffer;
  return std::string(to_text(number, buffer));
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t max_length = 60;
  return "'" + printable(shortened(text, max_length), LineBreaks::blank) + "'";
}

std::string in_xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&apos;";
    else
      out += c;
  }
  return out;
}

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

int edit_distance(std::string_view a, std::string_view b) {
  constexpr std::size_t max_length = 64;
  if (a.size() > max_length || b.size() > max_length) return static_cast<int>(2 * max_length);
  std::array<int, max_length + 1> before{}, above{}, row{};  // of the table of distances between beginnings of a and b
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = above;
    above = row;
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

bool same_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::string_view nearest(std::string_view wrong, std::span<const std::string_view> candidates) {
  for (const std::string_view candidate : candidates)
    if (candidate != wrong && same_but_for_case(wrong, candidate)) return candidate;
  // A third of the letters, at most three, may be wrong.
  int allowed = std::min(3, static_cast<int>(wrong.size() + 1) / 3);
  std::string_view best;
  for (const std::string_view candidate : candidates) {
    const int distance = edit_distance(wrong, candidate);
    if (distance > 0 && distance <= allowed) best = candidate, allowed = distance - 1;
  }
  return best;
}

std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> candidates) {
  const std::string_view best = nearest(wrong, candidates);
  return best.empty() ? std::string() : "did you mean " + in_quotes(best) + "?";
}

}  // namespace lissom
