#pragma once
// Robots from standard input, where FILE is "-": xacro robot.xacro | lissom check -
#include <string>

inline constexpr const char* standard_input_name = "standard input";

// Everything on standard input. Of a text that is longer than a reader accepts, only so much is read that the reader
// refuses it.
std::string standard_input();
