#include "lissom/sim/push.h"

#include <cmath>

#include "lissom/model/text.h"

namespace lissom::sim {

Push push_at(FrameId frame, const Vec3<double>& force, double from, double until) {
  return {{.on = frame, .force = force, .at = {.frame = frame}}, from, until};
}

void check(const Model& model, const Push& push) {
  const auto& f = push.force;
  const auto& frame = model.frame_at(f.on, "push.force.on");
  if (!std::isfinite(f.force.x + f.force.y + f.force.z + f.torque.x + f.torque.y + f.torque.z))
    throw Error("push on " + in_quotes(frame.name) +
                " has a force or torque that is NaN or infinite; expected finite numbers in N and N m");
}

}  // namespace lissom::sim
