#include "lissom/world/collider_of.h"

#include "lissom/mesh/convex_hull.h"
#include "lissom/mesh/height_map.h"
#include "lissom/mesh/load.h"

namespace lissom::worlds {

namespace {

// The hull of a mesh, with few enough vertices for contact; nullptr where there is none.
std::shared_ptr<const Hull> hull_of(const Shape& shape) {
  if (shape.path.empty()) return nullptr;
  const auto loaded = mesh::load_mesh(shape.path, {.scale = shape.scale, .accept_points = true});
  if (!loaded.ok()) return nullptr;
  const auto hull = mesh::convex_hull(loaded.mesh, {.max_vertices = 64});
  if (hull.kind != mesh::HullKind::solid) return nullptr;
  return std::make_shared<const Hull>(hull.mesh.vertices, hull.mesh.triangles);
}

// A height field with its heights in meters; nullptr where they cannot be read.
std::shared_ptr<const HeightField> field_of(const Shape& shape) {
  auto map = mesh::load_heights(shape.path).map;
  if (map.heights.empty()) return nullptr;
  for (double& height : map.heights) height *= shape.size.z;
  return std::make_shared<const HeightField>(map.columns, map.rows, shape.size.x, shape.size.y, std::move(map.heights));
}

}  // namespace

std::optional<Collider> collider_of(const Shape& shape) {
  if (shape.kind == Shape::Kind::mesh) {
    const auto hull = hull_of(shape);
    return hull ? std::optional(Collider::convex_hull(hull)) : std::nullopt;
  }
  if (shape.kind == Shape::Kind::height_field) {
    const auto field = field_of(shape);
    return field ? std::optional(Collider::height_field(field)) : std::nullopt;
  }
  return Collider(shape);
}

}  // namespace lissom::worlds
