#pragma once
// Meshes and decompositions in the user's cache (files/cache.h). Everything works without: what cannot be read from
// there is computed, and what cannot be written there is not. Not installed.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "lissom/mesh/decompose.h"
#include "lissom/mesh/load.h"

namespace lissom::mesh {

// Smaller files are read as fast as cache entries.
inline constexpr std::size_t min_cached_bytes = std::size_t{256} << 10;

// A mesh that was read from a file with this content under these options. `name` only goes into the findings.
std::optional<LoadedMesh> find_mesh(std::string_view content, const std::string& name, const LoadOptions& options);
void store_mesh(std::string_view content, const std::string& name, const LoadOptions& options,
                const LoadedMesh& loaded);

std::optional<ConvexDecomposition> find_decomposition(const TriangleMesh& mesh, const DecomposeOptions& options);
void store_decomposition(const TriangleMesh& mesh, const DecomposeOptions& options, const ConvexDecomposition& result);

// A mesh as bytes, and back. False if the bytes are not a mesh.
void append_mesh(const TriangleMesh& mesh, std::string& bytes);
bool take_mesh(std::string_view& bytes, TriangleMesh& mesh);

}  // namespace lissom::mesh
