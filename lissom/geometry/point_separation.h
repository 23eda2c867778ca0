#pragma once
// Closed forms for cores that are points and segments. Not for users.
#include "lissom/geometry/placed.h"
#include "lissom/geometry/vectors.h"

namespace lissom::collision {

Separation point_point(const Vec& a, const Vec& b);
/// Two cores of spheres or capsules.
Separation segment_segment(const Core& a, const Core& b);
/// A point, and the core of a box, a cylinder, or an ellipsoid.
Separation point_box(const Vec& point, const Core& box);
Separation point_cylinder(const Vec& point, const Core& cylinder);
Separation point_ellipsoid(const Vec& point, const Core& ellipsoid);
/// A point inside of a hull with faces.
Separation point_in_hull(const Vec& point, const Core& hull);

}  // namespace lissom::collision
