#include "lissom/mesh/triangle_mesh.h"

#include <algorithm>
#include <utility>

namespace lissom::mesh {

Bounds bounds(const TriangleMesh& mesh) {
  if (mesh.vertices.empty()) return {{0, 0, 0}, {0, 0, 0}};
  Bounds box{mesh.vertices.front(), mesh.vertices.front()};
  for (const auto& p : mesh.vertices) {
    box.lower = {std::min(box.lower.x, p.x), std::min(box.lower.y, p.y), std::min(box.lower.z, p.z)};
    box.upper = {std::max(box.upper.x, p.x), std::max(box.upper.y, p.y), std::max(box.upper.z, p.z)};
  }
  return box;
}

void transform(TriangleMesh& mesh, const Mat3<double>& A, const Vec3<double>& b) {
  for (auto& p : mesh.vertices) p = A * p + b;
  if (dot(row_x(A), cross(row_y(A), row_z(A))) < 0) flip(mesh);
}

void scale(TriangleMesh& mesh, const Vec3<double>& factors) {
  if (factors.x == 1 && factors.y == 1 && factors.z == 1) return;
  for (auto& p : mesh.vertices) p = {factors.x * p.x, factors.y * p.y, factors.z * p.z};
  if (factors.x * factors.y * factors.z < 0) flip(mesh);
}

void flip(TriangleMesh& mesh) {
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
}

void append(TriangleMesh& mesh, const TriangleMesh& other) {
  const auto first = std::uint32_t(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& t : other.triangles) mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

}  // namespace lissom::mesh
