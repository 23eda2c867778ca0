#pragma once
// Reads triangle meshes from files: STL (binary and text), OBJ, PLY (text and binary), COLLADA (.dae), glTF (.gltf,
// .glb) and MuJoCo's .msh. The format is recognized by content, and by the file's ending only where that does not tell.
//
// What is wrong with a file is a finding; nothing is thrown because of content. Memory and time are bounded by the
// limits in the options. docs/meshes.md says what is read of each format, and what is done about units and axes.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lissom/mesh/triangle_mesh.h"
#include "lissom/model/diagnostic.h"
#include "lissom/model/limits.h"

namespace lissom::mesh {

enum class Format { unknown, stl, obj, ply, dae, gltf, msh };
/// "STL", "OBJ", …
const char* to_string(Format format);

/// What is done with the up axis that a file states.
enum class UpAxis {
  /// As other programs for robots do: that of COLLADA is ignored (RViz, MoveIt, Gazebo), and glTF, where y is up by
  /// definition, is rotated such that z is up (Drake, and our viewer).
  as_robots_do,
  apply,   ///< the axis that is up in the file becomes z
  ignore,  ///< coordinates stay as they are written
};

/// How a file is read, up to which size.
struct LoadOptions {
  /// Applied to the vertices after units and axes; negative factors mirror.
  Vec3<double> scale{1, 1, 1};
  UpAxis up_axis = UpAxis::as_robots_do;
  /// Also accept files with vertices and no triangles, of which a hull may be made.
  bool accept_points = false;
  /// Look for the mesh in the user's cache, and keep it there (only files of at least 256 KiB; smaller ones are read as
  /// fast).
  bool use_cache = true;
  std::size_t max_bytes = limits::mesh_bytes;
  std::size_t max_document_bytes = limits::mesh_document_bytes;  ///< of XML and JSON
  std::size_t max_triangles = limits::mesh_triangles;
};

/// A mesh, with the findings about its file.
struct LoadedMesh {
  TriangleMesh mesh;  ///< empty if the file cannot be used
  Format format = Format::unknown;
  bool from_cache = false;
  /// Codes begin with "mesh-"; if one of them is an error, the mesh is empty.
  std::vector<Diagnostic> findings;

  bool ok() const { return !mesh.vertices.empty(); }
};

/// Reads a file, or a data URI (files/data_uri.h). Files that it refers to (buffers of glTF) have to lie in its folder
/// or below.
LoadedMesh load_mesh(const std::string& path, const LoadOptions& options = {});

/// Reads a mesh from memory. `name` stands for the file in findings, and its ending counts where the content does not
/// tell the format. Other files are not opened, and the cache is not used.
LoadedMesh load_mesh_bytes(std::string_view bytes, const std::string& name, const LoadOptions& options = {});

/// The format of these bytes; `name` only matters for its ending.
Format recognize(std::string_view bytes, std::string_view name);

}  // namespace lissom::mesh
