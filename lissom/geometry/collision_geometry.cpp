// What the collision shapes of a robot say about where it may stand.
#include <algorithm>
#include <cmath>

#include "lissom/geometry/bounding_spheres.h"
#include "lissom/stance/stance_setup.h"

namespace lissom::control {

namespace {

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
      for (const auto& geometry : description->collisions) {
        std::vector<Ball> balls;
        add_balls(balls, geometry);
        for (const auto& [centre, radius] : balls) all.push_back({model.frame(link.name), centre, radius});
      }
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
