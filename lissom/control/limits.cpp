#include "lissom/control/limits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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
  constexpr double infinity = std::numeric_limits<double>::infinity();
  lower.setConstant(-1e20);
  upper.setConstant(1e20);
  // For a degree of freedom at these distances from its limits.
  const auto narrow = [&](int iv, double down, double up, double fastest) {
    if (!limits.positions) down = up = infinity;
    const auto bound = [&](double a) { return std::clamp(a, -limits.acceleration, limits.acceleration); };
    upper[iv] = std::min(upper[iv], bound((safe_speed(limits, up, fastest) - v[iv]) / limits.horizon));
    lower[iv] = std::max(lower[iv], bound((-safe_speed(limits, down, fastest) - v[iv]) / limits.horizon));
    if (lower[iv] > upper[iv]) lower[iv] = upper[iv] = (lower[iv] + upper[iv]) / 2;
  };
  for (const auto& joint : model.joints()) {
    if (!joint_traits(joint.type).is_flat()) continue;
    for (int i = 0; i < joint.nv; ++i) {
      const auto iq = std::size_t(joint.q_index + i), iv = std::size_t(joint.v_index + i);
      const double at = q[joint.q_index + i];
      narrow(joint.v_index + i, at - model.lower()[iq] - limits.margin, model.upper()[iq] - limits.margin - at,
             model.velocity_limit()[iv]);
    }
    if (!joint.follows || joint.follows->ratio == 0) continue;
    // A follower has limits of its own, which its leader keeps.
    const auto& leader = model.joints()[std::size_t(joint.follows->joint)];
    const double ratio = joint.follows->ratio, at = ratio * q[leader.q_index] + joint.follows->offset;
    const double fastest = joint.velocity_limit[0] > 0 ? joint.velocity_limit[0] / std::abs(ratio) : infinity;
    double down = infinity, up = infinity;
    if (!joint.lower.empty())
      down = (at - joint.lower[0] - limits.margin) / std::abs(ratio),
      up = (joint.upper[0] - limits.margin - at) / std::abs(ratio);
    if (ratio < 0) std::swap(down, up);
    narrow(leader.v_index, down, up, fastest);
  }
}

}  // namespace lissom::control
