#pragma once
// What tests of worlds share: shapes, energy, messages of errors.
#include <functional>
#include <string>

#include "lissom/world/world.h"

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

inline double energy(const World& world) {
  return world.kinetic_energy() + world.potential_energy();
}

/// What f throws; empty if it does not.
inline std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace lissom::test
