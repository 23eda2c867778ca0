#pragma once
// The small change of a helpful message: numbers without the locale, quoted text, "did you mean".
#include <span>
#include <string>
#include <string_view>

namespace lissom {

// Up to six significant digits, always with a decimal point: 0.25, 1e-09, inf.
std::string to_text(double number);

// 'text', on one line, cut to a readable length.
std::string in_quotes(std::string_view text);

// "1 link", "3 links"
std::string counted(std::size_t count, std::string_view noun);

// How many letters must be put in, taken out or changed to get from a to b; a large number where either is longer than
// any sensible name.
int edit_distance(std::string_view a, std::string_view b);

// The candidate that looks like a misspelling turned right, empty where none comes close.
std::string_view nearest(std::string_view wrong, std::span<const std::string_view> candidates);

// "did you mean 'foot'?", empty where nothing comes close.
std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> candidates);

}  // namespace lissom
