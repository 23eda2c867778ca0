#include "lissom/io/write/meshes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "lissom/files/data_uri.h"
#include "lissom/mesh/convex_hull.h"
#include "lissom/mesh/height_map.h"
#include "lissom/mesh/load.h"
#include "lissom/mesh/write.h"
#include "lissom/model/text.h"

namespace lissom::io::write {
namespace {

namespace fs = std::filesystem;

std::string ending_of(const std::string& path) {
  auto ending = fs::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return ending;
}

// What the file of a mesh may be called, without its ending.
std::string stem_of(const std::string& path) {
  if (!is_data_uri(path)) return fs::path(path).stem().string();
  const auto name = data_uri_name(path);
  return name.empty() ? "mesh" : name;
}

}  // namespace

MeshFiles::MeshFiles(Format format, const WriteOptions& options, Losses& losses)
    : format_(format), options_(options), losses_(losses) {}

// Whether the readers of the format know such files. MuJoCo reads STL only if it is binary, and not too large.
bool MeshFiles::is_readable(const std::string& path) const {
  const auto ending = ending_of(path);
  if (format_ != Format::mjcf) return ending != ".msh";
  if (ending == ".obj" || ending == ".msh") return true;
  if (ending != ".stl") return false;
  constexpr std::uintmax_t header = 84, triangle = 50, max_triangles = 200'000;
  std::error_code error;
  const auto size = fs::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  std::array<char, header> bytes{};
  if (error || size < header + triangle || !file.read(bytes.data(), bytes.size())) return false;
  const auto byte = [&](std::size_t i) { return std::uintmax_t(static_cast<unsigned char>(bytes[80 + i])); };
  const auto count = byte(0) | byte(1) << 8U | byte(2) << 16U | byte(3) << 24U;
  return size == header + triangle * count && count <= max_triangles;
}

// Why MuJoCo refuses a robot with this mesh, whatever becomes of the file; null if it does not. Of what collides it
// makes a convex hull.
const char* MeshFiles::refusal(const std::string& path, bool collides) {
  const auto [known, is_new] = contents_.try_emplace(path);
  Content& content = known->second;
  if (is_new) {
    mesh::LoadOptions options;
    options.accept_points = true;
    const auto loaded = mesh::load_mesh(path, options);
    content.ok = loaded.ok();
    content.vertices = loaded.mesh.vertices.size();
    content.is_solid = content.ok && mesh::convex_hull(loaded.mesh).kind == mesh::HullKind::solid;
  }
  constexpr std::size_t min_vertices = 4;
  if (!content.ok) return " cannot be read";
  if (content.vertices < min_vertices) return " has fewer than 4 vertices";
  return collides && !content.is_solid ? " is flat, and has no convex hull" : nullptr;
}

// A path relative to the folder of the target; package:// and model:// stay where they are understood.
std::string MeshFiles::kept(const Shape& shape) const {
  const bool is_uri = shape.file.find("://") != std::string::npos;
  if (shape.path.empty() || (is_uri && format_ != Format::mjcf)) return shape.file;
  std::error_code error;
  const auto folder =
      options_.path.empty() ? fs::current_path(error) : fs::absolute(options_.path, error).parent_path();
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

// Another file, made of the mesh: its convex hull, or the same triangles in a format that the readers of the target
// know. Empty if that is not possible.
std::string MeshFiles::made(const Shape& shape, bool hull) {
  mesh::LoadOptions options;
  options.accept_points = hull;
  const auto loaded = mesh::load_mesh(shape.path, options);
  if (!loaded.ok()) return {};
  const std::string stem = stem_of(shape.path);
  if (!hull) {
    const auto name = unused_name(stem, ".obj");
    files_.push_back({name, mesh::to_obj(loaded.mesh)});
    return name;
  }
  const auto convex = mesh::convex_hull(loaded.mesh);
  if (convex.kind != mesh::HullKind::solid) return {};
  const auto name = unused_name(stem + "_hull", ".obj");
  files_.push_back({name, mesh::to_obj(convex.mesh)});
  made_.insert(name);
  return name;
}

std::string MeshFiles::copied(const Shape& shape, bool hull) {
  const std::string key = (hull ? "hull " : "") + shape.path;
  const auto known = names_.find(key);
  if (known != names_.end()) return known->second;
  std::string name;
  const bool has_file = !is_data_uri(shape.path);
  if (hull || !has_file || !is_readable(shape.path)) name = made(shape, hull);
  if (name.empty() && has_file && is_readable(shape.path)) {
    const fs::path path(shape.path);
    name = unused_name(path.stem().string(), path.extension().string());
    files_.push_back({name, {}, shape.path});
  }
  return names_[key] = name;
}

std::string MeshFiles::height_image(const Shape& shape) {
  auto& name = names_["image " + shape.path];
  if (!name.empty()) return name;
  const auto loaded = mesh::load_heights(shape.path);
  if (!loaded.ok()) return {};
  name = unused_name(stem_of(shape.path), ".png");
  files_.push_back({name, mesh::to_png(loaded.map)});
  return name;
}

std::optional<MeshReference> MeshFiles::reference(const Geometry& geometry, bool collides, const std::string& subject) {
  const Shape& shape = geometry.shape;
  const bool copies = options_.meshes != Meshes::keep;
  const std::string mesh_text = "the mesh " + in_quotes(is_data_uri(shape.file) ? stem_of(shape.file) : shape.file);
  if (is_data_uri(shape.path)) {
    const bool hull = collides && options_.meshes == Meshes::hulls;
    if (format_ == Format::mjcf && !hull) return MeshReference{shape.path, shape.scale};
    const auto name = copied(shape, hull);
    if (name.empty()) return {};
    if (!hull)
      losses_.replaced("mesh-inline", geometry.line, subject, mesh_text + " has no file",
                       "it is written to " + in_quotes(name));
    return MeshReference{name, shape.scale};
  }
  if (shape.path.empty() && (copies || format_ == Format::mjcf)) {
    losses_.missing_mesh(geometry.line, subject, mesh_text + " is not found",
                         format_ == Format::mjcf ? "the geometry is left out, because MuJoCo refuses such files"
                                                 : "the name is written as it is");
    if (format_ == Format::mjcf) return {};
    return MeshReference{shape.file, shape.scale};
  }
  if (format_ == Format::mjcf)
    if (const char* why = refusal(shape.path, collides)) {
      losses_.lost("mesh-format", geometry.line, subject, mesh_text + why,
                   "the geometry is left out, because MuJoCo refuses such files");
      return {};
    }
  if (!copies) {
    if (shape.path.empty() || is_readable(shape.path)) return MeshReference{kept(shape), shape.scale};
    losses_.lost("mesh-format", geometry.line, subject, mesh_text + " is not STL (binary) or OBJ",
                 "the geometry is left out; --meshes copy converts the mesh");
    return {};
  }
  const bool hull = collides && options_.meshes == Meshes::hulls;
  const auto name = copied(shape, hull);
  if (hull && !name.empty() && !made_.contains(name))
    losses_.replaced("mesh-hull", geometry.line, subject, mesh_text + " has no convex hull: it is flat or damaged",
                     "the mesh itself is written");
  if (!name.empty()) return MeshReference{name, shape.scale};
  losses_.lost("mesh-format", geometry.line, subject, mesh_text + " cannot be read",
               "the geometry is left out; lissom check says what is wrong with the mesh");
  return {};
}

}  // namespace lissom::io::write
