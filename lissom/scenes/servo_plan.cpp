#include "lissom/scenes/servo_plan.h"

#include "lissom/api/state.h"
#include "lissom/math/minimum_jerk.h"

namespace lissom::scenes {

void ServoPlan::at(const Model& model, double t, Servos& servos, Eigen::VectorXd& tau) const {
  std::size_t next = 0;
  while (next < keyframes.size() && keyframes[next].time <= t) ++next;
  const auto& from = keyframes[next == 0 ? 0 : next - 1];
  const auto& to = keyframes[next == keyframes.size() ? next - 1 : next];
  const auto rise = minimum_jerk(t - from.time, to.time - from.time);
  const Eigen::VectorXd displacement = difference(model, from.q, to.q);
  servos.stiffness = stiffness;
  servos.damping = damping;
  servos.q_target = integrate(model, from.q, displacement, rise.s);
  servos.v_target = rise.rate * displacement;
  tau = from.tau + rise.s * (to.tau - from.tau);
}

}  // namespace lissom::scenes
