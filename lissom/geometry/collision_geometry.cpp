#include "lissom/geometry/collision_geometry.h"

namespace lissom {

CollisionGeometry::CollisionGeometry(const Model& model) {
  const auto& described = model.description().links;  // in the order of model.links()
  for (std::size_t i = 0; i < described.size(); ++i) {
    const auto& link = model.links()[i];
    for (const auto& geometry : described[i].collisions)
      shapes_.push_back({.shape = geometry.shape,
                         .body = link.body,
                         .link = link.name,
                         .frame = model.frame(link.name),
                         .in_link = geometry.origin,
                         .in_body = link.placement * geometry.origin,
                         .contact_material = geometry.contact_material,
                         .name = geometry.name,
                         .contact_group = geometry.contact_group,
                         .contact_mask = geometry.contact_mask});
  }
}

std::vector<const CollisionShape*> CollisionGeometry::of_body(int body) const {
  std::vector<const CollisionShape*> found;
  for (const auto& s : shapes_)
    if (s.body == body) found.push_back(&s);
  return found;
}

std::vector<const CollisionShape*> CollisionGeometry::of_link(const std::string& link) const {
  std::vector<const CollisionShape*> found;
  for (const auto& s : shapes_)
    if (s.link == link) found.push_back(&s);
  return found;
}

double sphere_around(const Model& model, const CollisionGeometry& geometry, FrameId frame) {
  const auto& f = model.frames()[std::size_t(frame.index)];
  for (const auto* s : geometry.of_body(f.body)) {
    const auto away = s->in_body.p - f.placement.p;
    if (s->shape.kind == Shape::Kind::sphere && dot(away, away) < 1e-6) return s->shape.radius;
  }
  return 0;
}

}  // namespace lissom
