#pragma once
// Writes a robot, and the meshes that belong to it, to files.
#include <string>
#include <vector>

#include "lissom/io/write/write.h"

namespace lissom::recording {

/// Writes what write_urdf, write_mjcf or write_sdf returned to `path`, and the files beside it. A file that exists is
/// there until the new one is complete; meshes come first. Throws Error if something cannot be written.
void save(const io::write::WriteResult& result, const std::string& path);

/// Writes a robot in the format of the path's ending: .urdf; .xml or .mjcf; .sdf. Returns what the format cannot say.
std::vector<Diagnostic> write_robot(const Description& description, const std::string& path,
                                    io::write::WriteOptions options = {});

}  // namespace lissom::recording
