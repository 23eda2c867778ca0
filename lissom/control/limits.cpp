#include "lissom/control/limits.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lissom::control {

namespace {

// The largest allowed velocity towards a limit at this distance: v T + v² / (2 braking) = distance. T makes the last
// part of the approach critically damped with the lag of `horizon`; beyond the limit, the return is as smooth.
double safe_speed(const JointLimits& limits, double distance, double velocity_limit) {
  const double T = 4 * limits.horizon, lag = limits.braking * T;
  const double brakes = distance > 0 ? std::sqrt(lag * lag + 2 * limits.braking * distance) - lag : distance / T;
  const double fastest = limits.velocities ? velocity_limit : std::numeric_limits<double>::infinity();
  return std::clamp(brakes, -fastest, fastest);
}

}  // namespace

void acceleration_bounds(const Model& model, const JointLimits& limits, const VectorIn& q, const VectorIn& v,
                         Eigen::Ref<Eigen::VectorXd> lower, Eigen::Ref<Eigen::VectorXd> upper) {
  lower.setConstant(-1e20);
  upper.setConstant(1e20);
  for (const auto& joint : model.joints()) {
    if (!joint_traits(joint.type).is_flat()) continue;
    for (int i = 0; i < joint.nv; ++i) {
      const int iq = joint.q_index + i, iv = joint.v_index + i;
      const auto limit = [&](const std::vector<double>& all, int at) { return all[std::size_t(at)]; };
      const double infinity = std::numeric_limits<double>::infinity();
      const double up = limits.positions ? limit(model.upper(), iq) - limits.margin - q[iq] : infinity;
      const double down = limits.positions ? q[iq] - limit(model.lower(), iq) - limits.margin : infinity;
      const double fastest = limit(model.velocity_limit(), iv);
      const auto bound = [&](double a) { return std::clamp(a, -limits.acceleration, limits.acceleration); };
      upper[iv] = bound((safe_speed(limits, up, fastest) - v[iv]) / limits.horizon);
      lower[iv] = bound((-safe_speed(limits, down, fastest) - v[iv]) / limits.horizon);
      if (lower[iv] > upper[iv]) lower[iv] = upper[iv] = (lower[iv] + upper[iv]) / 2;
    }
  }
}

}  // namespace lissom::control
