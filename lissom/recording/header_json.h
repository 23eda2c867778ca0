#pragma once
// The header and the signals as one JSON object: every format carries it. Not for users.
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "lissom/recording/recording.h"

namespace lissom::recording {

// Where the robot's file is kept: in the object itself, or beside it.
enum class RobotText { inside, beside };

std::string to_json(const Header& header, const std::vector<Signal>& signals, RobotText robot);
// Fills header and signals. Error that says what is missing or wrong, without file and place.
void from_json(std::string_view text, Header& header, std::vector<Signal>& signals);

// Parses with a limit to nesting, so that no text can exhaust the stack. Error where it is no JSON.
nlohmann::ordered_json parse_json(std::string_view text);
// Error where it is not the text of a JSON object.
void check_settings(std::string_view text);

bool is_utf8(std::string_view text);

}  // namespace lissom::recording
