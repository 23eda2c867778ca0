#pragma once
// Capsules around links, and the nearest points of their segments.
#include <string>

#include "lissom/geometry/collision_geometry.h"

namespace lissom {

/// A segment with a radius, in coordinates of its frame.
struct Capsule {
  std::string frame;
  Vec3<double> from = {0, 0, 0}, to = {0, 0, 0};
  double radius = 0;
};
/// The thinnest capsule, along the longest side, around the collision shapes of a link (meshes left out). Error where
/// it has none.
Capsule bounding_capsule(const Model& model, const std::string& link);

/// Nearest points of two segments, as parts 0 … 1 of their lengths.
struct NearestPoints {
  double s, t;
};
NearestPoints nearest_points(const Vec3<double>& a0, const Vec3<double>& a1, const Vec3<double>& b0,
                             const Vec3<double>& b1);

}  // namespace lissom
