// What the collision shapes of a robot say about where it may stand.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "lissom/control/stance_setup.h"

namespace lissom::control {

namespace {

// Points whose lowest one is the lowest of the shape (of a cylinder, to a part in fifteen of its radius).
void add_points(std::vector<GroundPoint>& all, FrameId frame, const Geometry& geometry) {
  const auto& shape = geometry.shape;
  const auto add = [&](const Vec3<double>& p, double radius) { all.push_back({frame, geometry.origin * p, radius}); };
  const double half = shape.length / 2;
  switch (shape.kind) {
    case Shape::Kind::box:
      for (int corner = 0; corner < 8; ++corner) {
        const auto side = [&](int bit, double edge) { return (corner >> bit & 1 ? .5 : -.5) * edge; };
        add({side(0, shape.size.x), side(1, shape.size.y), side(2, shape.size.z)}, 0);
      }
      break;
    case Shape::Kind::sphere:
      add({0, 0, 0}, shape.radius);
      break;
    case Shape::Kind::capsule:
      add({0, 0, half}, shape.radius), add({0, 0, -half}, shape.radius);
      break;
    case Shape::Kind::cylinder:
      for (int k = 0; k < 8; ++k) {
        const double angle = k * std::numbers::pi / 4, x = shape.radius * std::cos(angle),
                     y = shape.radius * std::sin(angle);
        add({x, y, half}, 0), add({x, y, -half}, 0);
      }
      break;
    case Shape::Kind::mesh:
      break;
  }
}

const LinkDescription* describe(const Model& model, const Link& link) {
  const auto& links = model.description().links;
  const auto found = std::find_if(links.begin(), links.end(), [&](const auto& l) { return l.name == link.name; });
  return found == links.end() ? nullptr : &*found;
}

}  // namespace

std::vector<GroundPoint> ground_points(const Model& model) {
  std::vector<GroundPoint> all;
  for (const auto& link : model.links())
    if (const auto* description = describe(model, link); description && link.body != 0)
      for (const auto& geometry : description->collisions) add_points(all, model.frame(link.name), geometry);
  return all;
}

double sphere_around(const Model& model, FrameId frame) {
  const auto& f = model.frames()[std::size_t(frame.index)];
  for (const auto& link : model.links()) {
    const auto* const description = link.body == f.body ? describe(model, link) : nullptr;
    if (!description) continue;
    for (const auto& geometry : description->collisions) {
      const auto away = (link.placement * geometry.origin).p - f.placement.p;
      if (geometry.shape.kind == Shape::Kind::sphere && dot(away, away) < 1e-6) return geometry.shape.radius;
    }
  }
  return 0;
}

}  // namespace lissom::control
