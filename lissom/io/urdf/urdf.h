#pragma once
// Reads robots from URDF, the format of ROS: http://wiki.ros.org/urdf/XML. docs/urdf.md lists what is read, the
// extensions of the specification, where meshes are searched, and what each diagnostic means.
#include <string>
#include <string_view>

#include "lissom/io/read.h"

namespace lissom::io {

/// As read() and read_text(), for a file that is known to be URDF.
ReadResult read_urdf(const std::string& path, const ReadOptions& options = {});
ReadResult read_urdf_text(std::string_view text, const std::string& file_name, const ReadOptions& options = {});

}  // namespace lissom::io
