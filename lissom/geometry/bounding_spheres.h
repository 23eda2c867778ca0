#pragma once
// Collision shapes, as balls whose convex hull covers them: what is needed to tell how low a shape reaches, or which
// capsule goes around it.
#include <vector>

#include "lissom/model/description.h"

namespace lissom::control {

struct Ball {
  Vec3<double> centre;
  double radius;
};

// In the link's coordinates; corners are balls without a radius, a cylinder is a prism of 16 sides around it. Meshes
// have none.
void add_balls(std::vector<Ball>& balls, const Geometry& geometry);

}  // namespace lissom::control
