#pragma once
// Building blocks of messages: numbers independent of the locale, quoted text, "did you mean". Not installed.
#include <array>
#include <span>
#include <string>
#include <string_view>

namespace lissom {

// Up to six significant digits, always with a decimal point: 0.25, 1e-09, inf.
std::string to_text(double number);
// The same in the caller's memory, without allocation.
using NumberBuffer = std::array<char, 32>;
std::string_view to_text(double number, NumberBuffer& buffer);

// 'text', on one line, cut to a readable length.
std::string in_quotes(std::string_view text);

// The text as XML and HTML take it, also between quotes: & < > " ' are replaced.
std::string in_xml(std::string_view text);

// "1 link", "3 links"
std::string counted(std::size_t count, std::string_view noun);

// How many letters must be inserted, deleted, replaced, or swapped with their neighbors to get from a to b (Damerau and
// Levenshtein's distance; no letter is changed twice). A large number if one of them is longer than 64 bytes.
int edit_distance(std::string_view a, std::string_view b);

// Whether they are equal if letters of ASCII are compared without case: "LF_HAA", "lf_haa".
bool same_but_for_case(std::string_view a, std::string_view b);

// The candidate of which `wrong` may be a misspelling, at best one that is the same but for case; empty if none is
// close.
std::string_view nearest(std::string_view wrong, std::span<const std::string_view> candidates);

// "did you mean 'foot'?"; empty if no candidate is close.
std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> candidates);

}  // namespace lissom
