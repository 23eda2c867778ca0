#include "number_checks.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "lissom/model/text.h"

namespace number_check {
namespace {

// The text without a sign that std::from_chars does not take.
std::string_view without_plus(const std::string& text) {
  return std::string_view(text).substr(text.starts_with('+') ? 1 : 0);
}

template <class Number>
bool reads(const std::string& text, Number& number) {
  const auto word = without_plus(text);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size();
}

template <class Fits>
CLI::Validator real(const std::string& expected, Fits fits) {
  return {[=](std::string& text) -> std::string {
            double number = 0;
            if (reads(text, number) && std::isfinite(number) && fits(number)) return "";
            return lissom::in_quotes(text) + ": expected " + expected;
          },
          ""};
}

}  // namespace

CLI::Validator finite() {
  return real("a number", [](double) { return true; });
}
CLI::Validator positive() {
  return real("a number greater than 0", [](double x) { return x > 0; });
}
CLI::Validator non_negative() {
  return real("a number of at least 0", [](double x) { return x >= 0; });
}
CLI::Validator between(double low, double high) {
  return real(fmt::format("a number from {:g} to {:g}", low, high), [=](double x) { return x >= low && x <= high; });
}

CLI::Validator whole(long long low, long long high) {
  return {[=](std::string& text) -> std::string {
            long long number = 0;
            if (reads(text, number) && number >= low && number <= high) return "";
            return fmt::format("{}: expected a whole number from {} to {}", lissom::in_quotes(text), low, high);
          },
          ""};
}

CLI::Validator seed() {
  return {[](std::string& text) -> std::string {
            std::uint64_t number = 0;
            if (reads(text, number)) return "";
            return lissom::in_quotes(text) + ": expected a whole number from 0 to 18446744073709551615";
          },
          ""};
}

}  // namespace number_check

void take_one_of(CLI::Option* option, const std::vector<std::string>& words) {
  std::string known;
  for (std::size_t i = 0; i < words.size(); ++i)
    known += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  option->type_name(fmt::format("{}", fmt::join(words, "|")));
  option->check(CLI::Validator(
      [=](std::string& text) -> std::string {
        return std::ranges::find(words, text) != words.end() ? "" : lissom::in_quotes(text) + ": expected " + known;
      },
      ""));
}
