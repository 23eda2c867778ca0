#pragma once
// On which line of a JSON text a value is, for messages. Not installed.
#include <string_view>

namespace lissom {

// The line, from 1, on which the value with a path such as "/loops/0/axes" begins; 0: there is none, or the path is
// empty. The text was parsed before: of one that is damaged, nothing is said.
int json_line(std::string_view text, std::string_view path);

}  // namespace lissom
