#pragma once
// Numbers as text and back, bit for bit and whatever the locale. Not for users.
#include <cstddef>
#include <optional>
#include <string_view>

namespace lissom::recording {

inline constexpr std::size_t max_number = 32;
// The fewest digits that give the number back; returns where the text ends. inf, -inf, nan, -nan, and
// nan(7ff8000000000001) for one with another payload. There have to be `max_number` bytes.
char* write_number(char* at, double number);
// Nothing where the text is no number, or one that no double can hold.
std::optional<double> read_number(std::string_view text);

}  // namespace lissom::recording
