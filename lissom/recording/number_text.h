#pragma once
// Converts numbers to text and back, bit for bit, independent of the locale. Not for users.
#include <cstddef>
#include <optional>
#include <string_view>

namespace lissom::recording {

// Upper bound of the length of a number's text.
inline constexpr std::size_t max_number_bytes = 32;
// Writes the fewest digits that reproduce the number, and returns the end of the text. Special values are inf, -inf,
// nan, -nan, and nan(7ff8000000000001) for a NaN with a payload. There must be room for `max_number_bytes` bytes.
char* write_number(char* at, double number);
// The number, or nothing if the text is not a number or is out of range.
std::optional<double> read_number(std::string_view text);

}  // namespace lissom::recording
