#pragma once
// A signal as a ROS 2 message: float64 time, then a float64 for each column. Foxglove, PlotJuggler and ROS can read
// such messages. ROS allows fewer characters in names, so names are converted. Not for users.
#include <string>
#include <vector>

#include "lissom/recording/recording.h"

namespace lissom::recording {

// The names of the messages, such as "lissom/msg/LeftFoot"; different for each signal.
std::vector<std::string> schema_names(const std::vector<Signal>& signals);
// The names of the fields, without time: "base_x" for "base.x"; different for each column.
std::vector<std::string> field_names(const Signal& signal);
// The definition of the message, with the original names and units as comments.
std::string schema_text(const Signal& signal);

}  // namespace lissom::recording
