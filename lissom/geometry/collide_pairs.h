#pragma once
// The pairs that collide() is made of. Each adds the points of two cores whose gap, without the radii, is at most
// `max_gap`; coordinates are those of the world, relative to a's origin. Not for users.
#include "lissom/geometry/manifold.h"

namespace lissom::collision {

/// Any convex shape above the plane b.
void collide_with_plane(const Core& a, const Core& b, double max_gap, Manifold& out);
/// Any convex shape above the height field b.
void collide_with_field(const Core& a, const Core& b, double max_gap, Manifold& out);
/// Two cores of which at least one is a point.
void collide_point(const Core& a, const Core& b, double max_gap, Manifold& out);
void collide_capsules(const Core& a, const Core& b, double max_gap, Manifold& out);
void collide_boxes(const Core& a, const Core& b, double max_gap, Manifold& out);
/// Any two convex shapes.
void collide_convex(const Core& a, const Core& b, double max_gap, Manifold& out);

/// Leaves at most `count` points: the deepest, and those that span the largest area.
void reduce(Manifold& m, int count);

}  // namespace lissom::collision
