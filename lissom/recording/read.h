#pragma once
// Reads the files of a Recorder: .mcap, .npz and .csv, which are detected by their content.
#include "lissom/recording/recording.h"

namespace lissom::recording {

/// The recording in a file, bit for bit. A file that is truncated, by a crash or because it is still being written, is
/// read as far as it is complete, and a warning says how far that is. Throws an Error with file and byte if the file is
/// damaged or not a recording. No content of a file can cause a crash, or take more memory than a few times its size.
Recording read_recording(const std::string& path);

/// Whether a file begins like a recording; false if it cannot be read.
bool is_recording(const std::string& path);

}  // namespace lissom::recording
