// What tells whether a surface encloses a body: each edge belongs to two triangles, which pass it in opposite
// directions.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/mesh/mass_properties.h"
#include "lissom/model/text.h"

namespace lissom::mesh {
namespace {

struct Edge {
  std::uint64_t ends;  // the smaller index in the upper half
  bool backward;
  bool operator<(const Edge& other) const { return ends < other.ends; }
};

Edge edge_between(std::uint32_t from, std::uint32_t to) {
  const auto [low, high] = std::minmax(from, to);
  return {(std::uint64_t(low) << 32) | high, from > to};
}

std::string of_edges(std::size_t count, std::size_t all) {
  return std::to_string(count) + " of " + counted(all, "edge");
}

}  // namespace

EdgeCounts count_edges(const TriangleMesh& mesh) {
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const auto& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) edges.push_back(edge_between(t[i], t[(i + 1) % 3]));
  std::sort(edges.begin(), edges.end());
  EdgeCounts counts;
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    while (end < edges.size() && edges[end].ends == edges[begin].ends) ++end;
    ++counts.edges;
    if (end - begin == 1)
      ++counts.open;
    else if (end - begin > 2)
      ++counts.non_manifold;
    else if (edges[begin].backward == edges[begin + 1].backward)
      ++counts.disagreeing;
  }
  return counts;
}

std::vector<Diagnostic> check_surface(const TriangleMesh& mesh, const std::string& file) {
  std::vector<Diagnostic> found;
  const auto warn = [&](const char* code, const std::string& message, const char* remedy) {
    found.push_back({Severity::warning, code, file, 0, "", message, remedy});
  };
  const auto counts = count_edges(mesh);
  if (counts.open > 0)
    warn("mesh-open", "the surface is open: " + of_edges(counts.open, counts.edges) + " belong to one triangle only",
         "close the holes, or take the inertia of the hull (convex) or of the surface (shell)");
  if (counts.non_manifold > 0)
    warn("mesh-manifold", of_edges(counts.non_manifold, counts.edges) + " belong to more than two triangles",
         "remove inner walls and triangles that are there twice, or take the inertia of the hull (convex)");
  if (counts.disagreeing > 0)
    warn("mesh-orientation", "at " + of_edges(counts.disagreeing, counts.edges) + " one of two triangles is inside out",
         "make the normals consistent where the mesh was made, or take the inertia of the hull (convex)");
  const double volume = mass_properties(mesh, InertiaKind::exact).mass, area = surface_area(mesh);
  // A sphere has the largest volume for its area, 1/√(36 π) area^1.5. Of a flat surface only rounding errors are left.
  const double largest = std::pow(area, 1.5) / std::sqrt(36 * M_PI);
  if (!(std::abs(volume) > 1e-9 * largest))
    warn("mesh-zero-volume", "the surface encloses no volume; its area is " + to_text(area) + " m²",
         "give the mesh a thickness, or take the inertia of the surface (shell)");
  else if (volume < 0)
    warn("mesh-orientation", "the surface is inside out: its volume is " + to_text(volume) + " m³",
         "flip the triangles where the mesh was made, or use a negative scale only once");
  return found;
}

}  // namespace lissom::mesh
