// Shapes that a robot gets besides those of its description.
#include "lissom/world/impl.h"

namespace lissom {

void World::attach(const std::string& name, const std::string& robot, FrameId frame,
                   const std::vector<Geometry>& shapes, double rounding) {
  auto& w = *impl_;
  auto& unit = w.robot_unit(robot);
  const auto& on = unit.model().frame_at(frame, "frame");
  std::vector<Collider> made;
  for (const auto& g : shapes) made.emplace_back(g.shape, rounding);  // throws before anything has changed
  const int index = on.body == 0 ? worlds::fixed_unit : w.unit_of_owner[std::size_t(w.owner(robot))];
  const int owner = w.add_owner(name, worlds::fixed_unit);
  w.pairs_are_known = false;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    w.colliders.push_back({made[i], index, on.body, owner, name, on.placement * shapes[i].origin});
}

}  // namespace lissom
