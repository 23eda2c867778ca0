#include "lissom/mesh/load.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <new>

#include "lissom/files/data_uri.h"
#include "lissom/files/read_bytes.h"
#include "lissom/mesh/cached.h"
#include "lissom/mesh/reading.h"
#include "lissom/model/text.h"

namespace lissom::mesh {
namespace {

std::string_view without_mark(std::string_view bytes) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";  // byte-order mark of UTF-8
  return bytes.starts_with(mark) ? bytes.substr(mark.size()) : bytes;
}

Format format_of_ending(std::string_view name) {
  const auto dot = name.rfind('.');
  std::string ending(dot == std::string_view::npos ? "" : name.substr(dot + 1));
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  struct Ending {
    std::string_view text;
    Format format;
  };
  constexpr std::array endings{Ending{"stl", Format::stl}, Ending{"obj", Format::obj},   Ending{"ply", Format::ply},
                               Ending{"dae", Format::dae}, Ending{"gltf", Format::gltf}, Ending{"glb", Format::gltf},
                               Ending{"msh", Format::msh}, Ending{"stlb", Format::stl},  Ending{"stla", Format::stl}};
  for (const auto& known : endings)
    if (ending == known.text) return known.format;
  return Format::unknown;
}

// Whether the first statement that is no comment is one of OBJ.
bool looks_like_obj(std::string_view text) {
  constexpr std::array words{"v", "vn", "vt", "vp", "f", "o", "g", "mtllib", "usemtl", "s"};
  for (int lines = 0; lines < 1000 && !text.empty(); ++lines) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    if (line.empty() || line[0] == '#') continue;
    const auto word = line.substr(0, line.find_first_of(" \t"));
    return word.size() < line.size() && std::ranges::find(words, word) != words.end();
  }
  return false;
}

bool read(Reading& reading, Format format) {
  switch (format) {
    case Format::stl:
      return read_stl(reading);
    case Format::obj:
      return read_obj(reading);
    case Format::ply:
      return read_ply(reading);
    case Format::dae:
      return read_dae(reading);
    case Format::gltf:
      return read_gltf(reading);
    case Format::msh:
      return read_msh(reading);
    case Format::unknown:
      break;
  }
  return reading.refuse("mesh-format", 0, "this is no mesh of a known format",
                        "use STL, OBJ, PLY, COLLADA (.dae), glTF (.gltf, .glb) or MuJoCo's .msh");
}

bool check_options(Reading& reading) {
  const auto& s = reading.options.scale;
  for (const double factor : {s.x, s.y, s.z})
    if (!std::isfinite(factor) || factor == 0 || std::abs(factor) > 1e9)
      return reading.refuse("mesh-scale", 0, "a factor of the scale is " + to_text(factor),
                            "scale by numbers other than zero, at most 1e9");
  return true;
}

// In a copy of a repository whose large files were not fetched, pointers stand in their place.
bool check_content(Reading& reading) {
  if (!reading.bytes.starts_with("version https://git-lfs.github.com/spec/")) return true;
  return reading.refuse("mesh-pointer", 0, "this is a pointer of Git LFS, and the mesh itself is not there",
                        "fetch it: git lfs pull");
}

// Leaves a mesh as triangle_mesh.h promises it.
bool finish(Reading& reading) {
  auto& mesh = reading.mesh;
  const bool has_triangles = !mesh.empty();
  if (!has_triangles && (mesh.vertices.empty() || !reading.options.accept_points))
    return reading.refuse("mesh-empty", 0,
                          mesh.vertices.empty() ? "there are no triangles in the file"
                                                : "there are vertices in the file, but no triangles",
                          "export the mesh again, as a surface");
  const auto left_out = weld(mesh);
  if (has_triangles && mesh.empty())
    return reading.refuse("mesh-empty", 0, "all triangles of the file have a vertex twice", "export the mesh again");
  if (left_out > 0)
    reading.note("mesh-degenerate", 0, counted(left_out, "triangle") + " with a vertex twice were left out",
                 "nothing needs to be done; a program that repairs meshes can remove them");
  scale(mesh, reading.options.scale);
  return true;
}

LoadedMesh read_everything(Reading& reading) {
  LoadedMesh loaded;
  loaded.format = recognize(reading.bytes, reading.file);
  bool ok = false;
  try {
    ok = check_options(reading) && check_content(reading) && read(reading, loaded.format) && finish(reading);
  } catch (const std::bad_alloc&) {
    reading.refuse("mesh-memory", 0, "there is not enough memory for the mesh", "simplify it");
  }
  if (ok) loaded.mesh = std::move(reading.mesh);
  loaded.findings = std::move(reading.findings);
  return loaded;
}

}  // namespace

const char* to_string(Format format) {
  constexpr std::array names{"unknown", "STL", "OBJ", "PLY", "COLLADA", "glTF", "MSH"};
  return names[std::size_t(format)];
}

Format recognize(std::string_view bytes, std::string_view name) {
  if (is_binary_stl(bytes)) return Format::stl;
  if (bytes.starts_with("glTF")) return Format::gltf;
  if (bytes.starts_with("ply\n") || bytes.starts_with("ply\r")) return Format::ply;
  if (is_msh(bytes)) return Format::msh;
  auto text = without_mark(bytes);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  if (text.starts_with("<")) return text.find("<COLLADA") != std::string_view::npos ? Format::dae : Format::unknown;
  if (text.starts_with("{")) return Format::gltf;
  if (text.starts_with("solid") && text.find('\0') == std::string_view::npos) return Format::stl;
  const auto by_ending = format_of_ending(name);
  if (by_ending == Format::stl || by_ending == Format::msh) return by_ending;  // of these, anything may be the start
  return looks_like_obj(text) ? Format::obj : by_ending;
}

LoadedMesh load_mesh_bytes(std::string_view bytes, const std::string& name, const LoadOptions& options) {
  Reading reading(bytes, name, options);
  return read_everything(reading);
}

LoadedMesh load_mesh(const std::string& path, const LoadOptions& options) {
  std::string bytes;
  LoadedMesh loaded;
  if (is_data_uri(path)) {
    const auto name = "mesh " + in_quotes(data_uri_name(path));
    if (const auto content = data_uri_bytes(path)) return load_mesh_bytes(*content, name, options);
    loaded.findings.push_back(
        {Severity::error, "mesh-syntax", name, 0, "", "its data are no base64", "write them as base64"});
    return loaded;
  }
  if (const auto problem = read_bytes(path, options.max_bytes, bytes)) {
    loaded.findings.push_back({Severity::error, problem->too_large ? "mesh-size" : "mesh-file", path, 0, "",
                               problem->message, problem->remedy});
    return loaded;
  }
  const bool use_cache = options.use_cache && bytes.size() >= min_cached_bytes;
  if (use_cache)
    if (auto known = find_mesh(bytes, path, options)) return *std::move(known);
  Reading reading(bytes, path, options);
  const auto slash = path.rfind('/');
  reading.folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  loaded = read_everything(reading);
  // What other files say is not in the key; what cannot be used is to be read again.
  if (use_cache && loaded.ok() && !reading.used_other_files) store_mesh(bytes, path, options, loaded);
  return loaded;
}

}  // namespace lissom::mesh
