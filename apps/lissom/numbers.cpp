#include "numbers.h"

#include <charconv>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "lissom/model/diagnostic.h"
#include "lissom/model/text.h"

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
    throw lissom::Error(fmt::format("{} {} has {}, expected {}", option, lissom::in_quotes(text),
                                    lissom::counted(numbers.size(), "number"), expected));
  return numbers;
}

lissom::Vec3<double> vec3_of(const std::string& option, const std::string& text) {
  const auto x = numbers_of(option, text, 3);
  return {x[0], x[1], x[2]};
}

Eigen::VectorXd vector_of(const std::string& option, const std::string& text, int expected) {
  const auto x = numbers_of(option, text);
  if (int(x.size()) != expected)
    throw lissom::Error(
        fmt::format("{} {} has {}, expected {} in the order that lissom info prints; "
                    "JOINT=VALUE,… gives only some",
                    option, lissom::in_quotes(text), lissom::counted(x.size(), "element"), expected));
  return Eigen::Map<const Eigen::VectorXd>(x.data(), expected);
}

std::string range_text(double lower, double upper, const char* unit) {
  const bool from = std::isfinite(lower), to = std::isfinite(upper);
  if (from && to) return fmt::format("{:.4g} … {:.4g} {}", lower, upper, unit);
  if (!from && !to) return "";
  return fmt::format("{} {:.4g} {}", from ? "from" : "up to", from ? lower : upper, unit);
}
