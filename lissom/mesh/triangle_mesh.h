#pragma once
// Surfaces made of triangles.
#include <array>
#include <cstdint>
#include <vector>

#include "lissom/math/mat3.h"

namespace lissom::mesh {

/// Indices of three vertices, counterclockwise as seen from outside.
using Triangle = std::array<std::uint32_t, 3>;

/// A surface. Readers make no vertex twice, none that no triangle uses, and no triangle with a vertex twice.
struct TriangleMesh {
  std::vector<Vec3<double>> vertices;
  std::vector<Triangle> triangles;

  bool empty() const { return triangles.empty(); }
};

/// The smallest box along the axes that holds all vertices.
struct Bounds {
  Vec3<double> lower, upper;
};
/// Zero for a mesh without vertices.
Bounds bounds(const TriangleMesh& mesh);

/// Moves every vertex p to A p + b. If A mirrors (its determinant is negative), triangles are flipped, so that they
/// stay counterclockwise as seen from outside.
void transform(TriangleMesh& mesh, const Mat3<double>& A, const Vec3<double>& b);
/// The same for a scale along each axis, which may be negative.
void scale(TriangleMesh& mesh, const Vec3<double>& factors);
/// Turns the surface inside out.
void flip(TriangleMesh& mesh);
/// Adds the triangles of another mesh.
void append(TriangleMesh& mesh, const TriangleMesh& other);

}  // namespace lissom::mesh
