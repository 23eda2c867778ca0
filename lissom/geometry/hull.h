#pragma once
// Convex polyhedra: vertices, faces with any number of corners, edges, and which vertices are neighbors.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lissom/math/vec3.h"

namespace lissom {

/// A convex polyhedron. It also may be flat (a polygon, which has two faces), a segment or a point.
class Hull {
 public:
  using Triangle = std::array<std::uint32_t, 3>;

  /// From the triangles of its surface, counterclockwise as seen from outside; triangles in a plane become one face.
  /// Throws an Error if there is no vertex, if a number is not finite or above 1e9 m, an index is out of range, or the
  /// surface is not convex within 1e-5 of its size.
  Hull(std::span<const Vec3<double>> vertices, std::span<const Triangle> triangles);

  struct Face {
    Vec3<double> normal;  ///< unit vector, outward
    double offset;        ///< normal · p of its points
    std::uint32_t first, count;
  };
  const std::vector<Vec3<double>>& vertices() const { return vertices_; }
  const std::vector<Face>& faces() const { return faces_; }
  /// Indices of the corners of a face, counterclockwise as seen from outside.
  std::span<const std::uint32_t> corners(const Face& face) const { return {corners_.data() + face.first, face.count}; }
  /// Indices of the vertices that an edge connects with this one, in increasing order.
  std::span<const std::uint32_t> neighbors(std::uint32_t vertex) const {
    return {neighbors_.data() + first_neighbor_[vertex], first_neighbor_[vertex + 1] - first_neighbor_[vertex]};
  }
  /// The index of a vertex with the largest d · p.
  std::uint32_t support(const Vec3<double>& d) const;
  /// The index of the face whose normal is nearest to d. There has to be a face.
  std::uint32_t nearest_face(const Vec3<double>& d) const;
  /// The largest distance of a vertex from the origin.
  double reach() const { return reach_; }

 private:
  void find_faces(std::span<const Triangle> triangles);
  void find_starts();
  void check() const;

  std::vector<Vec3<double>> vertices_;
  std::vector<Face> faces_;
  std::vector<std::uint32_t> corners_, neighbors_, first_neighbor_;
  std::array<std::uint32_t, 6> starts_;  // extreme vertices along +x, +y, +z, -x, -y, -z
  double reach_ = 0;
};

}  // namespace lissom
