#include "lissom/io/write/meshes.h"

#include <algorithm>
#include <filesystem>

#include "lissom/model/text.h"

namespace lissom::io::write {
namespace {

namespace fs = std::filesystem;

std::string ending_of(const std::string& path) {
  auto ending = fs::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return ending;
}

}  // namespace

MeshFiles::MeshFiles(Format format, const WriteOptions& options, Losses& losses)
    : format_(format), options_(options), losses_(losses) {}

// Whether the readers of the format know such files.
bool MeshFiles::is_readable(const std::string& path) const {
  const auto ending = ending_of(path);
  if (format_ == Format::mjcf) return ending == ".stl" || ending == ".obj" || ending == ".msh";
  return ending != ".msh";
}

// A path relative to the folder of the target; package:// and model:// stay where they are understood.
std::string MeshFiles::kept(const Shape& shape) const {
  const bool is_uri = shape.file.find("://") != std::string::npos;
  if (shape.path.empty() || (is_uri && format_ != Format::mjcf)) return shape.file;
  std::error_code error;
  const auto folder = fs::absolute(fs::path(options_.path), error).parent_path();
  const auto path = fs::absolute(shape.path, error).lexically_normal();
  const auto relative = path.lexically_relative(folder.lexically_normal());
  return error || relative.empty() ? shape.path : relative.string();
}

std::string MeshFiles::unused_name(const std::string& stem, const std::string& ending) {
  const auto folder = fs::path(options_.path).stem().string() + "_meshes/";
  auto name = folder + stem + ending;
  for (int i = 2; !taken_.insert(name).second; ++i) name = folder + stem + "_" + std::to_string(i) + ending;
  return name;
}

std::string MeshFiles::copied(const Shape& shape, bool hull) {
  const auto known = names_.find((hull ? "hull " : "") + shape.path);
  if (known != names_.end()) return known->second;
  const fs::path path(shape.path);
  const auto name = unused_name(path.stem().string(), path.extension().string());
  files_.push_back({name, {}, shape.path});
  return names_[(hull ? "hull " : "") + shape.path] = name;
}

std::optional<MeshReference> MeshFiles::reference(const Geometry& geometry, bool collides, const std::string& subject) {
  const Shape& shape = geometry.shape;
  const bool copies = options_.meshes != Meshes::keep;
  if (shape.path.empty() && (copies || format_ == Format::mjcf)) {
    losses_.lost("mesh-missing", geometry.line, subject,
                 "the file of the mesh " + in_quotes(shape.file) + " is not found; a geometry without it is something",
                 format_ == Format::mjcf ? "it is left out, because MuJoCo refuses files with missing meshes"
                                         : "it is written as it is");
    if (format_ == Format::mjcf) return {};
    return MeshReference{shape.file, shape.scale};
  }
  if (!is_readable(shape.path.empty() ? shape.file : shape.path)) {
    losses_.lost("mesh-format", geometry.line, subject, "the mesh " + in_quotes(shape.file) + " has a format",
                 "it is left out; convert it to OBJ or STL");
    return {};
  }
  if (!copies) return MeshReference{kept(shape), shape.scale};
  return MeshReference{copied(shape, collides && options_.meshes == Meshes::hulls), shape.scale};
}

}  // namespace lissom::io::write
