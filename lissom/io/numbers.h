#pragma once
// Numbers in the text of a file: what the C locale writes, whatever the locale of the program.
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lissom::io {

struct NumberList {
  static constexpr std::size_t max_count = 12;
  std::array<double, max_count> value{};
  std::size_t count = 0;  // all that were found, also beyond `most`
};

// Why a text is not what it should be.
struct NumberProblem {
  std::string code;     // "number", "number-count" or "number-not-finite"
  std::string message;  // what was found
  std::string remedy;
};

enum class Infinity { refuse, accept };

// Decimal numbers separated by blanks, tabs or ends of line. Refused: decimal commas, hexadecimal numbers, anything
// glued to a number, magnitudes beyond double, NaN; infinities unless accepted.
std::optional<NumberProblem> parse_numbers(std::string_view text, NumberList& numbers,
                                           Infinity infinity = Infinity::refuse);

// The same, where exactly `count` of them are expected.
std::optional<NumberProblem> parse_numbers(std::string_view text, std::size_t count, NumberList& numbers,
                                           Infinity infinity = Infinity::refuse);

}  // namespace lissom::io
