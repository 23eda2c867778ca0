#include "lissom/recording/mesh_attachments.h"

#include <filesystem>

#include "lissom/model/text.h"
#include "lissom/recording/input_file.h"

namespace lissom::recording {

MeshContent read_mesh(const MeshFile& mesh, std::uint64_t max_bytes) {
  if (mesh.path.empty()) return {{}, "not found"};
  if (mesh_media_type(mesh.path).empty()) return {{}, "is not a mesh that viewers show (STL, OBJ, DAE, glTF)"};
  std::error_code failed;
  const auto size = std::filesystem::file_size(mesh.path, failed);
  if (!failed && size > max_bytes) return {{}, "has " + std::to_string(size) + " bytes, more than are left for meshes"};
  try {
    return {read_whole(mesh.path), {}};
  } catch (const Error& error) {
    return {{}, error.what()};
  }
}

std::string note_about(const mcap::Entries& left_out) {
  const auto& [name, why] = left_out.front();
  return counted(left_out.size(), "mesh file") + (left_out.size() == 1 ? " is" : " are") +
         " not in the recording: " + in_quotes(name) + " " + why +
         (left_out.size() == 1 ? "" : ", and " + std::to_string(left_out.size() - 1) + " more");
}

}  // namespace lissom::recording
