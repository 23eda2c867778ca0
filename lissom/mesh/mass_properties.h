#pragma once
// Mass, center of mass and inertia of a body whose surface is a mesh.
#include <string>
#include <vector>

#include "lissom/math/sym3.h"
#include "lissom/mesh/triangle_mesh.h"
#include "lissom/model/diagnostic.h"

namespace lissom::mesh {

/// Which body a mesh stands for; the names are those of MuJoCo's attribute `inertia`.
enum class InertiaKind {
  exact,   ///< what the surface encloses; it has to be closed, and oriented outward
  convex,  ///< the convex hull
  /// The sum of the tetrahedra between the triangles and one point, all taken as positive: too much where the mesh is
  /// not convex, but independent of the orientation. MuJoCo's default.
  legacy,
  shell,  ///< the surface, as a thin sheet of the same mass per area everywhere
};
const char* to_string(InertiaKind kind);

/// For a density of 1: per volume (the mass is the volume, in m³), and per area for a shell (the mass is the area).
struct MassProperties {
  double mass = 0;
  Vec3<double> center{0, 0, 0};            ///< center of mass
  Sym3<double> inertia{0, 0, 0, 0, 0, 0};  ///< about the center of mass, along the axes of the mesh
};

/// Mass properties, computed as MuJoCo 4 defines them: also where the surface is not closed, they are the same.
/// They are exact for triangles, up to rounding. The mass of the kind `exact` is negative if the surface is oriented
/// inward. A mesh without triangles has the properties of its hull for every kind but `shell`, which is zero. Where the
/// mass is zero, all of them are.
MassProperties mass_properties(const TriangleMesh& mesh, InertiaKind kind = InertiaKind::exact);

/// What is wrong with a surface as the boundary of a body: "mesh-open" (edges with one triangle only), "mesh-manifold"
/// (edges with more than two), "mesh-orientation" (neighbors that disagree about the outside, or a negative volume),
/// "mesh-zero-volume". All are warnings; a surface without findings encloses a body. `file` stands in the findings.
std::vector<Diagnostic> check_surface(const TriangleMesh& mesh, const std::string& file = {});

/// The edges of a surface.
struct EdgeCounts {
  std::size_t edges = 0;
  std::size_t open = 0;          ///< of one triangle only
  std::size_t non_manifold = 0;  ///< of more than two
  std::size_t disagreeing = 0;   ///< of two triangles, one of which is turned inside out
};
EdgeCounts count_edges(const TriangleMesh& mesh);

/// Sum of the areas of the triangles.
double surface_area(const TriangleMesh& mesh);

}  // namespace lissom::mesh
