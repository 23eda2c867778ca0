#pragma once
// Single collision shapes: their corners, their support function, and spheres that cover them. Coordinates are those of
// the shape: its center is the origin, and cylinders and capsules lie along z. The vertices of meshes are not known
// here, so meshes are left out everywhere; so are height fields, and planes, which have no end.
#include <array>
#include <vector>

#include "lissom/model/description.h"

namespace lissom {

/// Whether the surface of a shape is known and closed: true except for meshes, planes and height fields.
bool is_primitive(const Shape& shape);

/// The corners of a box with these edge lengths.
std::array<Vec3<double>, 8> box_corners(const Vec3<double>& size);

/// The support function: the largest d · p over the points p of a primitive.
double support(const Shape& shape, const Vec3<double>& d);

/// A ball around a point, in the frame of its shape.
struct Sphere {
  Vec3<double> center;
  double radius;
};
/// Spheres whose convex hull covers the shape. Corners are spheres of radius 0, and a cylinder is replaced by the prism
/// of 16 sides around it, an ellipsoid by the box around it. There are none for meshes, planes and height fields.
std::vector<Sphere> covering_spheres(const Shape& shape);

}  // namespace lissom
