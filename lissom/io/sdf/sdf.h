#pragma once
// Reads robots and worlds from SDF, the format of Gazebo, versions 1.4 to 1.12: http://sdformat.org/spec. docs/sdf.md
// lists what is read, what is kept and what is not, where included models are searched, and what each diagnostic means.
#include <string>
#include <string_view>

#include "lissom/io/read.h"

namespace lissom::io {

/// As read() and read_text(), for a file that is known to be SDF.
ReadResult read_sdf(const std::string& path, const ReadOptions& options = {});
ReadResult read_sdf_text(std::string_view text, const std::string& file_name, const ReadOptions& options = {});

}  // namespace lissom::io
