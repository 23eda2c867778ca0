#pragma once
// Boxes along the axes of the world, around shapes.
#include <algorithm>
#include <limits>

#include "lissom/math/vec3.h"

namespace lissom {

/// The points between two corners. Unbounded shapes reach to ±infinity.
struct Bounds {
  Vec3<double> lower = {0, 0, 0}, upper = {0, 0, 0};
};
/// All of space.
inline Bounds unbounded() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
}
/// Whether two boxes have a point in common. False if one of them contains NaN.
inline bool overlap(const Bounds& a, const Bounds& b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
         a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}
inline bool contains(const Bounds& outer, const Bounds& inner) {
  return outer.lower.x <= inner.lower.x && outer.lower.y <= inner.lower.y && outer.lower.z <= inner.lower.z &&
         inner.upper.x <= outer.upper.x && inner.upper.y <= outer.upper.y && inner.upper.z <= outer.upper.z;
}
inline Bounds grown(const Bounds& b, double margin) {
  const Vec3<double> m(margin, margin, margin);
  return {b.lower - m, b.upper + m};
}
/// The smallest box around both.
inline Bounds joined(const Bounds& a, const Bounds& b) {
  return {{std::min(a.lower.x, b.lower.x), std::min(a.lower.y, b.lower.y), std::min(a.lower.z, b.lower.z)},
          {std::max(a.upper.x, b.upper.x), std::max(a.upper.y, b.upper.y), std::max(a.upper.z, b.upper.z)}};
}

}  // namespace lissom
