#pragma once
// Shapes of the bodies in tests of worlds.
#include "lissom/model/description.h"

namespace lissom::test {

inline Shape ball(double radius) {
  Shape shape;
  shape.kind = Shape::Kind::sphere;
  shape.radius = radius;
  return shape;
}
inline Shape box(double x, double y, double z) {
  Shape shape;
  shape.size = {x, y, z};
  return shape;
}

}  // namespace lissom::test
