#pragma once
// The minimum-jerk profile (Flash and Hogan, 1985): it rises from 0 to 1 in a given time and is at rest at both ends.
#include <algorithm>

namespace lissom {

struct MinimumJerk {
  double s, rate, acceleration;
};
/// The profile and its two time derivatives at time t; it is constant before 0 and after `duration`.
inline MinimumJerk minimum_jerk(double t, double duration) {
  if (duration <= 0 || t >= duration) return {1, 0, 0};
  const double x = std::max(0.0, t / duration);
  return {x * x * x * (10 - x * (15 - 6 * x)), 30 * x * x * (1 - x) * (1 - x) / duration,
          60 * x * (1 - x) * (1 - 2 * x) / (duration * duration)};
}

}  // namespace lissom
