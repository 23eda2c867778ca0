#include "lissom/geometry/bounding_spheres.h"

#include <cmath>
#include <numbers>

namespace lissom::control {

void add_balls(std::vector<Ball>& balls, const Geometry& geometry) {
  const auto& shape = geometry.shape;
  const auto put = [&](const Vec3<double>& p, double radius) { balls.push_back({geometry.origin * p, radius}); };
  constexpr int sides = 16;
  const double angle = 2 * std::numbers::pi / sides, around = shape.radius / std::cos(angle / 2);
  switch (shape.kind) {
    case Shape::Kind::box:
      for (int corner = 0; corner < 8; ++corner) {
        const auto half = [&](int bit, double edge) { return (corner >> bit & 1 ? .5 : -.5) * edge; };
        put({half(0, shape.size.x), half(1, shape.size.y), half(2, shape.size.z)}, 0);
      }
      break;
    case Shape::Kind::sphere:
      put({0, 0, 0}, shape.radius);
      break;
    case Shape::Kind::cylinder:  // a prism around it
      for (int i = 0; i < sides; ++i)
        for (const double end : {-.5, .5})
          put({around * std::cos(i * angle), around * std::sin(i * angle), end * shape.length}, 0);
      break;
    case Shape::Kind::capsule:
      for (const double end : {-.5, .5}) put({0, 0, end * shape.length}, shape.radius);
      break;
    case Shape::Kind::mesh:
      break;
  }
}

}  // namespace lissom::control
