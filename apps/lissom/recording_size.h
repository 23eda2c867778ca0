#pragma once
// Asks before a very large recording is written.
#include <optional>
#include <string>

// What may be recorded without being asked for.
inline constexpr double default_max_gigabytes = 4;

// Throws Error with the estimated size if a recording of this many frames would be larger than max_gigabytes. Without
// it, 4 GB and the free space of the disk are the limits.
void check_recording_size(const std::string& path, double bytes, double frames, std::optional<double> max_gigabytes);
