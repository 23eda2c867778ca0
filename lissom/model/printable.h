#pragma once
// Text from files and file names in messages: what a terminal would take as a command, and what is not text, is shown
// in digits. Not installed.
#include <string>
#include <string_view>

namespace lissom {

// Number of bytes of the UTF-8 character at the beginning of a text; 0 if there is none.
std::size_t utf8_length(std::string_view text);
bool is_utf8(std::string_view text);

// Whether a text has a control character: U+0000 … U+001F, U+007F … U+009F, or one that reverses the direction of
// writing (U+202A … U+202E, U+2066 … U+2069).
bool has_control_character(std::string_view text);

// How line breaks and tabs are shown.
enum class LineBreaks { keep, blank, escape };
// The text with control characters as \x1b, \x9b or \u202e, and bytes that are not UTF-8 as \xff.
std::string printable(std::string_view text, LineBreaks breaks = LineBreaks::escape);

// The text, cut to about `max_length` bytes, but not within a character; then it ends with "…".
std::string shortened(std::string_view text, std::size_t max_length);

}  // namespace lissom
