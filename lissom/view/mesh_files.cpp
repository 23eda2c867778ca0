#include "lissom/view/mesh_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "lissom/files/data_uri.h"
#include "lissom/model/limits.h"
#include "lissom/recording/robot_meshes.h"

namespace lissom::view {
namespace {

namespace fs = std::filesystem;

std::string lower_case_extension(const fs::path& file) {
  auto extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return extension;
}

// Only files of these kinds are given away because a mesh refers to them: a mesh may be hostile.
bool is_part_of_mesh(const fs::path& file) {
  static constexpr std::array kinds{".bin", ".mtl",  ".png", ".jpg", ".jpeg", ".webp",
                                    ".gif", ".ktx2", ".bmp", ".tga", ".dds"};
  return std::ranges::find(kinds, lower_case_extension(file)) != kinds.end();
}

// "%20" and its like, as in addresses.
std::string without_escapes(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '%' && i + 2 < text.size() && std::isxdigit((unsigned char)text[i + 1]) &&
        std::isxdigit((unsigned char)text[i + 2])) {
      plain += char(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      plain += text[i];
    }
  return plain;
}

std::vector<std::string> uris_of_gltf(const std::string& text) {
  const auto gltf = nlohmann::json::parse(text, nullptr, false);  // the page says it if it cannot be read
  std::vector<std::string> found;
  for (const char* list : {"buffers", "images"})
    if (gltf.is_object() && gltf.contains(list) && gltf[list].is_array())
      for (const auto& item : gltf[list])
        if (item.is_object() && item.contains("uri") && item["uri"].is_string()) found.push_back(item["uri"]);
  std::erase_if(found, [](const std::string& uri) { return uri.starts_with("data:"); });
  return found;
}

// The rest of each line that begins with one of these words.
std::vector<std::string> after_words(const std::string& text, const std::vector<std::string>& words) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    for (const auto& word : words)
      if (line.starts_with(word + " ")) {
        const auto last = line.find_last_not_of(" \t\r");
        found.push_back(line.substr(word.size() + 1, last - word.size()));
      }
  return found;
}

// What stands between <init_from> and </init_from>. (Not by std::regex, which recurses for each character.)
std::vector<std::string> images_of_collada(std::string_view text) {
  constexpr std::string_view begin = "<init_from>", blank = " \t\r\n";
  std::vector<std::string> found;
  for (auto at = text.find(begin); at != std::string_view::npos; at = text.find(begin, at)) {
    at += begin.size();
    auto name = text.substr(at, std::min(text.find('<', at), text.size()) - at);
    name.remove_prefix(std::min(name.find_first_not_of(blank), name.size()));
    name = name.substr(0, name.find_last_not_of(blank) + 1);
    if (!name.empty()) found.emplace_back(name);
  }
  return found;
}

std::vector<std::string> references(const fs::path& file) {
  const auto kind = lower_case_extension(file);
  if (kind == ".gltf") return uris_of_gltf(file_bytes(file));
  if (kind == ".obj") return after_words(file_bytes(file), {"mtllib"});
  if (kind == ".mtl") return after_words(file_bytes(file), {"map_Kd", "map_Ka", "map_Ks", "map_d", "map_Bump", "bump"});
  if (kind == ".dae") return images_of_collada(file_bytes(file));
  return {};
}

}  // namespace

std::string file_bytes(const std::string& file) {
  if (is_data_uri(file)) return data_uri_bytes(file).value_or("");
  std::error_code failed;
  if (!fs::is_regular_file(file, failed) || fs::file_size(file, failed) > limits::mesh_bytes) return {};
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string MeshFiles::add(const std::string& file) {
  if (const auto known = paths_.find(file); known != paths_.end()) return known->second;
  if (is_data_uri(file)) {
    if (data_uri_media_type(file) != "model/obj") return {};  // the only kind that readers make
    const auto path = "meshes/" + std::to_string(paths_.size()) + "/" + data_uri_name(file) + ".obj";
    paths_[file] = path;
    files_[path] = file;
    return path;
  }
  if (recording::mesh_media_type(file).empty()) return {};
  // Deep enough for references such as ../../textures/skin.png, which a browser resolves before it asks.
  const auto folder = "meshes/" + std::to_string(paths_.size()) + "/-/-/-/-/";
  const auto path = folder + fs::path(file).filename().string();
  paths_[file] = path;
  files_[path] = file;
  add_references(file, folder);
  return path;
}

void MeshFiles::add_references(const std::string& file, const std::string& folder) {
  const auto root = folder.substr(0, folder.find("/-"));  // "meshes/3"
  for (const auto& reference : references(file)) {
    const auto target = fs::path(file).parent_path() / without_escapes(reference);
    std::error_code missing;
    const auto path = (fs::path(folder) / without_escapes(reference)).lexically_normal().generic_string();
    if (!is_part_of_mesh(target) || !fs::is_regular_file(target, missing) || !path.starts_with(root + "/")) continue;
    if (files_.emplace(path, target.string()).second && lower_case_extension(target) == ".mtl")
      add_references(target.string(), folder);
  }
}

const std::string* MeshFiles::find(std::string_view path) const {
  const auto it = files_.find(path);
  return it == files_.end() ? nullptr : &it->second;
}

}  // namespace lissom::view
