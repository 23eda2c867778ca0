#pragma once
// How large a recording will be, before it is written.
#include <span>
#include <string>

#include "lissom/recording/recorder.h"

namespace lissom::recording {

/// The space on the disk that a Recorder needs for this many frames, in bytes; the extension of `path` chooses the
/// format. It is exact within a percent for long MCAP and NPZ recordings (of NPZ, with FILE.npz.part, which exists
/// until the archive is complete). Lines of CSV are as long as their numbers are; 20 characters for each are assumed.
double estimated_bytes(const std::string& path, std::span<const Signal> signals, double frames);
/// The same for frames of this many seconds, with what is recorded for viewers: `options.ros`, without meshes.
double estimated_bytes(const std::string& path, const Header& header, const std::vector<Signal>& signals,
                       const RecorderOptions& options, double frames, double seconds);

}  // namespace lissom::recording
