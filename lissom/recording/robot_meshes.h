#pragma once
// The files of meshes that a robot refers to. Not for users.
#include <string>
#include <vector>

#include "lissom/recording/recorder.h"

namespace lissom::recording {

struct MeshFile {
  std::string name;  // as in the robot file
  std::string path;  // empty: not found
};
// Each of them once.
std::vector<MeshFile> mesh_files(const Description& robot, const std::vector<std::string>& package_paths);

// The text of a robot file, in which the names of meshes are replaced by file:// and their paths where they were found.
// Neither a relative path nor package:// without further settings means anything to who reads the text elsewhere.
std::string with_paths(std::string_view text, const std::vector<MeshFile>& meshes);

// The media type of a mesh that viewers show, by its extension; empty for any other file. A robot file may be hostile
// and call anything a mesh: what has no type here is neither recorded nor served.
std::string_view mesh_media_type(std::string_view name);

}  // namespace lissom::recording
