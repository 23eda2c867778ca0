#pragma once
// Where two shapes touch, or are nearer than a margin; and how far apart they are. What is exact is in
// docs/geometry.md.
#include "lissom/geometry/collider.h"
#include "lissom/geometry/contact_point.h"

namespace lissom {

/// Finds the points at which a and b, at the poses X_a and X_b in the world, are nearer than `margin`. `out` is cleared
/// first. There are none between two of planes and height fields, and none if a pose or the margin is not finite.
/// Nothing is allocated. collide(b, a) finds the same points with opposite normals.
void collide(const Collider& a, const Pose<double>& X_a, const Collider& b, const Pose<double>& X_b, double margin,
             ContactPoints& out);

/// The distance of two shapes. If both move, with velocities v_a and v_b of the points on their surfaces, the distance
/// changes with normal · (v_a - v_b), wherever the nearest points are unique.
struct Distance {
  double distance = 0;            ///< signed: minus the smallest translation that separates them, if they overlap
  Vec3<double> point_a, point_b;  ///< on the surfaces, in the world; point_a - point_b = distance · normal
  Vec3<double> normal;            ///< unit vector from b to a
};
/// Throws an Error if neither of the shapes is convex, or one is a height field.
Distance distance(const Collider& a, const Pose<double>& X_a, const Collider& b, const Pose<double>& X_b);

}  // namespace lissom
