// Volumes, areas and inertias of the primitive shapes.
#include <cmath>
#include <numbers>

#include "lissom/io/mjcf/parts.h"

namespace lissom::io::mjcf {
namespace {

using std::numbers::pi;

MassProperties diagonal(double mass, double x, double y, double z) {
  return {mass, {0, 0, 0}, {x, 0, 0, y, 0, z}};
}

// A cylinder of half length h and half balls or half spheres at both ends.
MassProperties capsule(double r, double h, bool shell) {
  const double length = 2 * h;
  if (shell) {
    const double side = 2 * pi * r * length, caps = 4 * pi * r * r;
    const double z = side * r * r + caps * (2.0 / 3) * r * r;
    // Each cap has its center of mass at r/2 beyond the end of the side, and 5/12 r² m about it.
    const double d = h + r / 2;
    const double x = side * (r * r / 2 + length * length / 12) + caps * ((5.0 / 12) * r * r + d * d);
    return diagonal(side + caps, x, x, z);
  }
  const double side = pi * r * r * length, caps = (4.0 / 3) * pi * r * r * r;
  const double z = side * r * r / 2 + caps * (2.0 / 5) * r * r;
  const double d = h + (3.0 / 8) * r;
  const double x = side * (r * r / 4 + length * length / 12) + caps * ((83.0 / 320) * r * r + d * d);
  return diagonal(side + caps, x, x, z);
}

MassProperties cylinder(double r, double h, bool shell) {
  const double length = 2 * h;
  if (shell) {
    const double side = 2 * pi * r * length, ends = 2 * pi * r * r;
    const double z = side * r * r + ends * r * r / 2;
    const double x = side * (r * r / 2 + length * length / 12) + ends * (r * r / 4 + h * h);
    return diagonal(side + ends, x, x, z);
  }
  const double mass = pi * r * r * length;
  const double x = mass * (r * r / 4 + length * length / 12);
  return diagonal(mass, x, x, mass * r * r / 2);
}

MassProperties box(const Vec3<double>& e, bool shell) {
  const double xx = e.x * e.x, yy = e.y * e.y, zz = e.z * e.z;
  if (!shell) {
    const double mass = e.x * e.y * e.z, k = mass / 12;
    return diagonal(mass, k * (yy + zz), k * (xx + zz), k * (xx + yy));
  }
  // Two faces normal to each axis.
  const double a = 2 * e.y * e.z, b = 2 * e.x * e.z, c = 2 * e.x * e.y;
  // Second moments ∫ x² dm, ∫ y² dm, ∫ z² dm.
  const double sx = a * xx / 4 + (b + c) * xx / 12;
  const double sy = b * yy / 4 + (a + c) * yy / 12;
  const double sz = c * zz / 4 + (a + b) * zz / 12;
  return diagonal(a + b + c, sy + sz, sx + sz, sx + sy);
}

// MuJoCo's shell of an ellipsoid is the limit of the body between it and one that is larger by a small length along
// each axis: its area is Thomsen's approximation of the area of an ellipsoid.
MassProperties ellipsoid(const Vec3<double>& r, bool shell) {
  const auto solid = [](const Vec3<double>& s) {
    const double mass = (4.0 / 3) * pi * s.x * s.y * s.z, k = mass / 5;
    return diagonal(mass, k * (s.y * s.y + s.z * s.z), k * (s.x * s.x + s.z * s.z), k * (s.x * s.x + s.y * s.y));
  };
  if (!shell) return solid(r);
  const double p = 1.6075;
  const double a = std::pow(r.x, p), b = std::pow(r.y, p), c = std::pow(r.z, p);
  const double area = 4 * pi * std::pow((a * b + a * c + b * c) / 3, 1 / p);
  const double e = 1e-6;
  const auto outer = solid({r.x + e, r.y + e, r.z + e}), inner = solid(r);
  const double k = area / (outer.mass - inner.mass);
  return diagonal(area, k * (outer.inertia.xx - inner.inertia.xx), k * (outer.inertia.yy - inner.inertia.yy),
                  k * (outer.inertia.zz - inner.inertia.zz));
}

}  // namespace

MassProperties unit_mass_properties(const Shape& shape, bool shell) {
  switch (shape.kind) {
    case Shape::Kind::sphere: {
      const double r = shape.radius, mass = shell ? 4 * pi * r * r : (4.0 / 3) * pi * r * r * r;
      const double i = (shell ? 2.0 / 3 : 2.0 / 5) * mass * r * r;
      return diagonal(mass, i, i, i);
    }
    case Shape::Kind::capsule:
      return capsule(shape.radius, shape.length / 2, shell);
    case Shape::Kind::cylinder:
      return cylinder(shape.radius, shape.length / 2, shell);
    case Shape::Kind::box:
      return box(shape.size, shell);
    case Shape::Kind::ellipsoid:
      return ellipsoid(shape.size, shell);
    case Shape::Kind::plane:
    case Shape::Kind::mesh:
    case Shape::Kind::height_field:
      break;
  }
  return {};
}

}  // namespace lissom::io::mjcf
