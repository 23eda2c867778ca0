#pragma once
// Reads what a Recorder wrote: .mcap, .npz and .csv, told apart by their content.
#include "lissom/recording/recording.h"

namespace lissom::recording {

// Bit for bit what was recorded. A file that was cut off, by a crash or while it is still being written, is read as far
// as it is whole, and a warning says how far that is. Error with file and byte where the file is damaged or something
// else; nothing in a file makes it crash or take more memory than a few times the file's size.
Recording read_recording(const std::string& path);

}  // namespace lissom::recording
