#pragma once
// Capsules around links, and the nearest points of two line segments.
#include <string>

#include "lissom/geometry/collision_geometry.h"

namespace lissom {

/// A line segment with a radius, in coordinates of its frame.
struct Capsule {
  std::string frame;
  Vec3<double> from = {0, 0, 0}, to = {0, 0, 0};
  double radius = 0;
};
/// A capsule around the collision shapes of a link (without meshes), along the longest side of their bounding box, with
/// the smallest radius and then the smallest length. Throws an Error if there are no such shapes.
Capsule bounding_capsule(const Model& model, const std::string& link);

/// Nearest points of two segments, as fractions 0 … 1 of their lengths.
struct NearestPoints {
  double s, t;
};
NearestPoints nearest_points(const Vec3<double>& a0, const Vec3<double>& a1, const Vec3<double>& b0,
                             const Vec3<double>& b1);

}  // namespace lissom
