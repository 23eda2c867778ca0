#include "lissom/sim/push.h"

#include <cmath>

#include "lissom/model/text.h"

namespace lissom::sim {

Push push_at(FrameId frame, const Vec3<double>& force, double from, double until) {
  return {{.on = frame, .force = force, .at = {.frame = frame}}, from, until};
}

void check(const Model& model, const Push& push) {
  const auto& f = push.force;
  if (f.on.index < 0 || f.on.index >= int(model.frames().size()))
    throw Error("push: model " + in_quotes(model.name()) + " has no frame number " + std::to_string(f.on.index) +
                "; get frames from model.frame(\"name\")");
  if (!std::isfinite(f.force.x + f.force.y + f.force.z + f.torque.x + f.torque.y + f.torque.z))
    throw Error("push on " + in_quotes(model.frames()[std::size_t(f.on.index)].name) +
                " is not finite; expected newtons and newton meters");
}

}  // namespace lissom::sim
