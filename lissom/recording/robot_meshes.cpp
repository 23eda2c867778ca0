#include "lissom/recording/robot_meshes.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <unordered_map>

#include "lissom/files/data_uri.h"
#include "lissom/io/package_path.h"
#include "lissom/model/text.h"

namespace lissom::recording {

std::vector<MeshFile> mesh_files(const Description& robot, const std::vector<std::string>& package_paths) {
  io::FileFinder finder(package_paths, robot.file);
  std::vector<MeshFile> files;
  std::set<std::string_view> seen;
  for (const auto& link : robot.links)
    for (const auto* geometries : {&link.visuals, &link.collisions})
      for (const auto& geometry : *geometries)
        if (const auto& shape = geometry.shape;
            shape.kind == Shape::Kind::mesh && !is_data_uri(shape.file) && seen.insert(shape.file).second)
          files.push_back({shape.file, shape.path.empty() ? finder.find(shape.file) : shape.path});
  for (auto& file : files) {
    std::error_code failed;
    if (!file.path.empty()) file.path = std::filesystem::absolute(file.path, failed).lexically_normal().string();
  }
  return files;
}

std::string with_paths(std::string_view text, const std::vector<MeshFile>& meshes) {
  std::unordered_map<std::string, std::string_view> path_of;  // by the name as the text writes it
  for (const auto& mesh : meshes)
    if (!mesh.path.empty()) path_of[in_xml(mesh.name)] = mesh.path;
  constexpr std::string_view attribute = "filename";
  std::string out;
  std::size_t copied = 0;
  for (auto at = text.find(attribute); at != std::string_view::npos; at = text.find(attribute, at)) {
    at += attribute.size();
    const auto equals = text.find_first_not_of(" \t\r\n", at);
    if (equals == std::string_view::npos || text[equals] != '=') continue;
    const auto quote = text.find_first_not_of(" \t\r\n", equals + 1);
    if (quote == std::string_view::npos || (text[quote] != '"' && text[quote] != '\'')) continue;
    const auto end = text.find(text[quote], quote + 1);
    if (end == std::string_view::npos) break;
    at = end;
    const auto known = path_of.find(std::string(text.substr(quote + 1, end - quote - 1)));
    if (known == path_of.end()) continue;
    out.append(text, copied, quote + 1 - copied).append("file://").append(in_xml(known->second));
    copied = end;
  }
  return out.append(text, copied);
}

std::string_view mesh_media_type(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> types[] = {{".stl", "model/stl"},
                                                                     {".obj", "model/obj"},
                                                                     {".dae", "model/vnd.collada+xml"},
                                                                     {".glb", "model/gltf-binary"},
                                                                     {".gltf", "model/gltf+json"}};
  for (const auto& [extension, type] : types)
    if (name.size() >= extension.size() && same_but_for_case(name.substr(name.size() - extension.size()), extension))
      return type;
  return {};
}

}  // namespace lissom::recording
