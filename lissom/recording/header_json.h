#pragma once
// The header and the signals as one JSON object, which every format contains. Not for users.
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "lissom/recording/recording.h"

namespace lissom::recording {

// Where the robot file is stored: in the object itself, or separately.
enum class RobotText { inside, beside };

std::string to_json(const Header& header, const std::vector<Signal>& signals, RobotText robot);
// Fills header and signals. Throws an Error that says what is missing or wrong, without file and offset.
void from_json(std::string_view text, Header& header, std::vector<Signal>& signals);

// Keys stay in their order. Throws an Error if it is not JSON (files/json_text.h).
nlohmann::ordered_json parse_json(std::string_view text);
// The text itself if it is UTF-8; otherwise its bytes as Latin-1.
std::string in_utf8(std::string_view text);
// Throws an Error if it is not the text of a JSON object.
void check_settings(std::string_view text);

}  // namespace lissom::recording
