#pragma once
// Parses numbers in the text of a file, in the form of the C locale, whatever the locale of the program is. Not
// installed.
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lissom::io {

struct NumberList {
  static constexpr std::size_t max_count = 12;
  std::array<double, max_count> value{};
  std::size_t count = 0;  // of all numbers found, also beyond max_count
};

// Why a text could not be parsed.
struct NumberProblem {
  std::string code;     // "number", "number-count" or "number-not-finite"
  std::string message;  // what was found
  std::string remedy;
};

enum class Infinity { refuse, accept };

// Parses decimal numbers separated by blanks, tabs or ends of line. Decimal commas, hexadecimal numbers, units or other
// text attached to a number, magnitudes beyond double, and NaN are refused; so are infinities, unless accepted.
std::optional<NumberProblem> parse_numbers(std::string_view text, NumberList& numbers,
                                           Infinity infinity = Infinity::refuse);

// The same for any count of them.
std::optional<NumberProblem> parse_numbers(std::string_view text, std::vector<double>& numbers,
                                           Infinity infinity = Infinity::refuse);

// The same for exactly `count` numbers.
std::optional<NumberProblem> parse_numbers(std::string_view text, std::size_t count, NumberList& numbers,
                                           Infinity infinity = Infinity::refuse);

}  // namespace lissom::io
