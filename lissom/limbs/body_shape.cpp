#include "lissom/limbs/body_shape.h"

#include <cmath>
#include <numbers>

#include "lissom/geometry/shape.h"
#include "lissom/mesh/convex_hull.h"
#include "lissom/mesh/load.h"

namespace lissom::limbs {

namespace {

constexpr std::size_t max_mesh_corners = 400;

void add_mesh(const Shape& shape, const Pose<double>& X, BodyShape& to) {
  if (shape.path.empty()) {
    to.missing.push_back(shape.file);
    return;
  }
  mesh::LoadOptions options;
  options.scale = shape.scale;
  options.accept_points = true;
  const auto loaded = mesh::load_mesh(shape.path, options);
  if (!loaded.ok()) {
    to.missing.push_back(shape.file);
    return;
  }
  const auto hull = mesh::convex_hull(loaded.mesh, {.max_vertices = max_mesh_corners});
  for (const auto& p : hull.mesh.vertices) to.cores.push_back({X * p, 0});
  to.has_mesh = true;
}

// Points of the surface, along the axes and the diagonals.
void add_ellipsoid(const Vec3<double>& radii, const Pose<double>& X, BodyShape& to) {
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -1; k <= 1; ++k) {
        const double norm = std::sqrt(double(i * i + j * j + k * k));
        if (norm > 0)
          to.cores.push_back({X * Vec3<double>(radii.x * i / norm, radii.y * j / norm, radii.z * k / norm)});
      }
}

// The rims of both ends.
void add_cylinder(const Shape& shape, const Pose<double>& X, BodyShape& to) {
  constexpr int corners = 16;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2 * std::numbers::pi * k / corners;
    for (const double z : {-shape.length / 2, shape.length / 2})
      to.cores.push_back({X * Vec3<double>(shape.radius * std::cos(angle), shape.radius * std::sin(angle), z)});
  }
}

void add(const Shape& shape, const Pose<double>& X, BodyShape& to) {
  const auto& r = shape.size;
  switch (shape.kind) {
    case Shape::Kind::box:
      for (const auto& corner : box_corners(shape.size)) to.cores.push_back({X * corner});
      break;
    case Shape::Kind::sphere:
      to.cores.push_back({X.p, shape.radius});
      break;
    case Shape::Kind::capsule:
      for (const double z : {-shape.length / 2, shape.length / 2})
        to.cores.push_back({X * Vec3<double>(0, 0, z), shape.radius});
      break;
    case Shape::Kind::cylinder:
      add_cylinder(shape, X, to);
      break;
    case Shape::Kind::ellipsoid:
      if (r.x == r.y && r.y == r.z)
        to.cores.push_back({X.p, r.x});
      else
        add_ellipsoid(r, X, to);
      break;
    case Shape::Kind::mesh:
      add_mesh(shape, X, to);
      break;
    case Shape::Kind::plane:
    case Shape::Kind::height_field:
      break;
  }
}

void add_all(const Model& model, int body, bool collisions, BodyShape& to) {
  for (const auto& link : model.links()) {
    if (link.body != body) continue;
    const auto& description = model.link_description(link.name);
    for (const auto& g : collisions ? description.collisions : description.visuals)
      add(g.shape, link.placement * g.origin, to);
  }
}

}  // namespace

BodyShape body_shape(const Model& model, int body) {
  BodyShape shape;
  if (body == 0) return shape;
  add_all(model, body, true, shape);
  shape.source = ShapeSource::collision;
  if (!shape.cores.empty()) return shape;
  add_all(model, body, false, shape);
  shape.source = shape.cores.empty() ? ShapeSource::none : ShapeSource::visual;
  return shape;
}

}  // namespace lissom::limbs
