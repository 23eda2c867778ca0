#include "numbers.h"

#include <charconv>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "lissom/model/diagnostic.h"
#include "lissom/model/text.h"

std::string whole_number(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool good = error == std::errc() && end == text.data() + text.size();
  return good ? "" : lissom::in_quotes(text) + ": expected a whole number from 0 to 18446744073709551615";
}

std::vector<double> numbers_of(const std::string& option, const std::string& text, std::size_t expected) {
  std::vector<double> numbers;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string word = text.substr(begin, end - begin);
    while (!word.empty() && word.front() == ' ') word.erase(0, 1);
    while (!word.empty() && word.back() == ' ') word.pop_back();
    if (!word.empty() && word.front() == '+') word.erase(0, 1);
    double number = 0;
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || rest != word.data() + word.size() || !std::isfinite(number))
      throw lissom::Error(fmt::format("{} '{}': '{}' is not a finite number; expected numbers separated by commas",
                                      option, text, word));
    numbers.push_back(number);
    begin = end + 1;
  }
  if (expected != 0 && numbers.size() != expected)
    throw lissom::Error(fmt::format("{} '{}' has {} numbers, expected {}", option, text, numbers.size(), expected));
  return numbers;
}

lissom::Vec3<double> vec3_of(const std::string& option, const std::string& text) {
  const auto x = numbers_of(option, text, 3);
  return {x[0], x[1], x[2]};
}

Eigen::VectorXd vector_of(const std::string& option, const std::string& text, int expected) {
  const auto x = numbers_of(option, text, std::size_t(expected));
  return Eigen::Map<const Eigen::VectorXd>(x.data(), expected);
}

std::string range_text(double lower, double upper, const char* unit) {
  const bool from = std::isfinite(lower), to = std::isfinite(upper);
  if (from && to) return fmt::format("{:.4g} … {:.4g} {}", lower, upper, unit);
  if (!from && !to) return "";
  return fmt::format("{} {:.4g} {}", from ? "from" : "up to", from ? lower : upper, unit);
}

PushText push_text(const std::string& text, const std::string& expected) {
  const auto first = text.find('@'), second = text.find('@', first == std::string::npos ? first : first + 1);
  if (first == std::string::npos || first == 0) throw lissom::Error("--push '" + text + "': expected " + expected);
  PushText push;
  push.force = text.substr(0, first);
  push.frame = text.substr(first + 1, second == std::string::npos ? second : second - first - 1);
  if (second == std::string::npos) return push;
  std::string interval = text.substr(second + 1);
  if (const auto colon = interval.find(':'); colon != std::string::npos) interval[colon] = ',';
  const auto times = numbers_of("--push", interval, 2);
  push.interval = {times[0], times[1]};
  return push;
}
