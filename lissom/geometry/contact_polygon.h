#pragma once
// Faces with which a robot can stand on something: convex polygons in the plane z = 0 of a frame.
#include "lissom/geometry/collision_geometry.h"

namespace lissom {

/// Corners, counter-clockwise about +z, without points on an edge (Andrew's monotone chain). z is ignored.
std::vector<Vec3<double>> convex_hull(std::vector<Vec3<double>> points);

/// Moves points to `factor` times their distance from their mean.
void scale_about_mean(std::vector<Vec3<double>>& points, double factor);

/// Corners of the collision boxes on the frame's body that lie in its plane z = 0 (within 2 mm), as a convex polygon;
/// empty if there are fewer than three.
std::vector<Vec3<double>> find_contact_polygon(const Model& model, const CollisionGeometry& geometry, FrameId frame);
/// The same; throws an Error if there is none.
std::vector<Vec3<double>> contact_polygon(const Model& model, FrameId frame);

}  // namespace lissom
