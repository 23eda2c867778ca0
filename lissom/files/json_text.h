#pragma once
// Parses JSON that other people wrote: with a limit on nesting, because writing a value back into a message and
// comparing values recurse; and without keys that are given twice, of which all but the last would be lost. Takes time
// proportional to the text. Not installed.
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "lissom/model/limits.h"

namespace lissom {

enum class JsonComments { refuse, accept };

// Json is nlohmann::json or nlohmann::ordered_json. Throws an Error that begins with "invalid JSON: " and says where.
template <class Json>
Json parse_json(std::string_view text, JsonComments comments, int max_depth = limits::json_depth);

// A value for messages: "fast", [1,2], or the beginning of a longer one.
std::string in_short(const nlohmann::json& value);

}  // namespace lissom
