#pragma once
// A part of a body that is being decomposed: what lies in a box along the axes. Not installed.
#include <optional>
#include <utility>
#include <vector>

#include "lissom/mesh/convex_hull.h"
#include "lissom/mesh/voxels.h"

namespace lissom::mesh {

struct ConvexPart {
  Bounds box;
  std::vector<std::uint32_t> triangles;  // that reach into the box
  TriangleMesh hull;
  double hull_volume = 0, volume = 0;

  double empty() const { return hull_volume - volume; }
};

class PartMaker {
 public:
  PartMaker(const TriangleMesh& mesh, int resolution);

  // All of the body.
  ConvexPart whole() const;
  // Whether the volume of the body is known exactly, because the surface is closed.
  bool knows_volume() const { return knows_volume_; }
  // The cut after which the hulls of both sides have the least volume together; nothing if no cut is worth it.
  std::optional<std::pair<ConvexPart, ConvexPart>> cut(const ConvexPart& part) const;

 private:
  struct Plane {
    int axis = 0;
    double coordinate = 0;
    double volume = 0;  // of the hulls on both sides, by the cells
  };

  ConvexPart make(const Bounds& box, const std::vector<std::uint32_t>& candidates) const;
  void add_inner_corners(const Bounds& box, std::vector<Vec3<double>>& points) const;
  std::pair<int, int> cells_of(const ConvexPart& part, int axis) const;
  std::vector<double> sweep(const ConvexPart& part, int axis, bool forward) const;
  void add_slab(const ConvexPart& part, int axis, int index, std::vector<Vec3<double>>& points) const;
  std::optional<Plane> best_plane(const ConvexPart& part) const;
  std::vector<double> coordinates_near(const ConvexPart& part, const Plane& plane) const;
  std::pair<ConvexPart, ConvexPart> divided(const ConvexPart& part, int axis, double coordinate) const;

  const TriangleMesh& mesh_;
  Voxels voxels_;
  double volume_factor_ = 1;
  bool knows_volume_ = false;
};

// Volume of a closed surface.
double volume_of(const TriangleMesh& mesh);

}  // namespace lissom::mesh
