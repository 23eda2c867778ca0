#pragma once
// The part of convex_hull() that grows a tetrahedron to a hull. Not installed.
#include <array>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "lissom/mesh/hull_points.h"
#include "lissom/mesh/triangle_mesh.h"

namespace lissom::mesh {

class Quickhull {
 public:
  // The four points must not lie in a plane; the tolerance is in cells.
  Quickhull(const HullPoints& points, std::array<std::uint32_t, 4> simplex, double tolerance);

  // Adds the point that lies farthest outside of a face; false if none does.
  bool grow();
  // How far it lies outside, in cells; 0 if none does.
  double max_distance();
  // Indices of points.
  std::vector<Triangle> triangles() const;

 private:
  struct Face {
    Triangle corners{};
    std::array<std::uint32_t, 3> neighbors{};  // beyond the edge from corner i to the next
    HullPlane plane;
    std::uint32_t first_point = 0;  // of the list of points above
    std::uint32_t farthest = 0;
    double distance = 0;  // of the farthest
    std::uint32_t visit = 0;
    bool removed = false;
  };
  struct RimEdge {
    std::uint32_t from, to, outside;  // outside: the face beyond, which stays
  };
  struct Candidate {
    double distance;
    std::uint32_t face;
    bool operator<(const Candidate& other) const {
      return distance != other.distance ? distance < other.distance : face > other.face;
    }
  };

  std::uint32_t add_face(std::uint32_t a, std::uint32_t b, std::uint32_t c);
  void add_point(std::uint32_t face, std::uint32_t point, double distance);
  void drop_stale_candidates();
  void remove_seen_faces(std::uint32_t point, std::uint32_t start);
  void close_hole(std::uint32_t point);
  void distribute(std::uint32_t point);
  std::pair<std::uint32_t, double> search_from(std::uint32_t start, const HullPoint& point);

  const HullPoints& points_;
  double tolerance_;
  std::vector<Face> faces_;
  std::vector<std::uint32_t> next_point_;     // in the list of the same face
  std::vector<std::uint32_t> face_at_start_;  // the new face whose rim edge starts at this point
  std::priority_queue<Candidate> candidates_;
  std::uint32_t visits_ = 0;
  std::vector<RimEdge> rim_;
  std::vector<std::uint32_t> stack_, seen_, orphans_, new_faces_, unused_;
};

}  // namespace lissom::mesh
