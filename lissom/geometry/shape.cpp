#include "lissom/geometry/shape.h"

#include <cmath>
#include <numbers>

namespace lissom {

bool is_primitive(const Shape& shape) {
  return shape.kind != Shape::Kind::mesh && shape.kind != Shape::Kind::plane && shape.kind != Shape::Kind::height_field;
}

std::array<Vec3<double>, 8> box_corners(const Vec3<double>& size) {
  std::array<Vec3<double>, 8> corners;
  for (int corner = 0; corner < 8; ++corner) {
    const auto half = [&](int bit, double edge) { return (corner >> bit & 1 ? .5 : -.5) * edge; };
    corners[std::size_t(corner)] = {half(0, size.x), half(1, size.y), half(2, size.z)};
  }
  return corners;
}

double support(const Shape& shape, const Vec3<double>& d) {
  const auto ends = [&] { return .5 * shape.length * std::abs(d.z); };
  const auto ball = [&] { return shape.radius * std::sqrt(dot(d, d)); };
  switch (shape.kind) {
    case Shape::Kind::box:
      return .5 * (shape.size.x * std::abs(d.x) + shape.size.y * std::abs(d.y) + shape.size.z * std::abs(d.z));
    case Shape::Kind::sphere:
      return ball();
    case Shape::Kind::cylinder:
      return ends() + shape.radius * std::hypot(d.x, d.y);
    case Shape::Kind::capsule:
      return ends() + ball();
    case Shape::Kind::ellipsoid:
      return std::hypot(shape.size.x * d.x, shape.size.y * d.y, shape.size.z * d.z);
    case Shape::Kind::plane:
    case Shape::Kind::mesh:
    case Shape::Kind::height_field:
      break;
  }
  return 0;
}

std::vector<Sphere> covering_spheres(const Shape& shape) {
  std::vector<Sphere> spheres;
  const auto put = [&](const Vec3<double>& p, double radius) { spheres.push_back({p, radius}); };
  constexpr int sides = 16;
  const double angle = 2 * std::numbers::pi / sides, around = shape.radius / std::cos(angle / 2);
  switch (shape.kind) {
    case Shape::Kind::box:
      for (const auto& corner : box_corners(shape.size)) put(corner, 0);
      break;
    case Shape::Kind::sphere:
      put({0, 0, 0}, shape.radius);
      break;
    case Shape::Kind::cylinder:
      for (int i = 0; i < sides; ++i)
        for (const double end : {-.5, .5})
          put({around * std::cos(i * angle), around * std::sin(i * angle), end * shape.length}, 0);
      break;
    case Shape::Kind::capsule:
      for (const double end : {-.5, .5}) put({0, 0, end * shape.length}, shape.radius);
      break;
    case Shape::Kind::ellipsoid:
      for (const auto& corner : box_corners(2. * shape.size)) put(corner, 0);
      break;
    case Shape::Kind::plane:
    case Shape::Kind::mesh:
    case Shape::Kind::height_field:
      break;
  }
  return spheres;
}

}  // namespace lissom
