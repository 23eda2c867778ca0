#pragma once
// Reads robots from MJCF, the format of MuJoCo, as MuJoCo 4 compiles them. docs/mjcf.md lists what is read, what is
// only kept, what is not carried over, and what each diagnostic means.
#include <string>
#include <string_view>

#include "lissom/io/read.h"

namespace lissom::io {

/// As read() and read_text(), for a file that is known to be MJCF. Included files have to lie in the folder of the file
/// or below, or in one of the package paths.
ReadResult read_mjcf(const std::string& path, const ReadOptions& options = {});
ReadResult read_mjcf_text(std::string_view text, const std::string& file_name, const ReadOptions& options = {});

}  // namespace lissom::io
