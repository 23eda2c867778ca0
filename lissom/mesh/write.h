#pragma once
// Writes triangle meshes to files.
#include <string>

#include "lissom/mesh/triangle_mesh.h"

namespace lissom::mesh {

/// Binary STL. Coordinates are rounded to float, as the format has them; triangles whose corners are equal then stay.
std::string to_stl(const TriangleMesh& mesh);
/// Wavefront OBJ, with coordinates that are read back as the same numbers.
std::string to_obj(const TriangleMesh& mesh);

/// Writes .stl or .obj, as the ending of the path says. The file is complete or not there. Throws an Error if the
/// ending is another one, the mesh has an index out of range or a coordinate that is not finite, or the file cannot be
/// written.
void write_mesh(const std::string& path, const TriangleMesh& mesh);

}  // namespace lissom::mesh
