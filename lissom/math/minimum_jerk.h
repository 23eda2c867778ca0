#pragma once
// The rise from 0 to 1 in a given time that has the least jerk (Flash and Hogan, 1985), at rest at both ends.
#include <algorithm>

namespace lissom {

struct MinimumJerk {
  double s, rate, acceleration;
};
inline MinimumJerk minimum_jerk(double t, double seconds) {
  if (seconds <= 0 || t >= seconds) return {1, 0, 0};
  const double x = std::max(0.0, t / seconds);
  return {x * x * x * (10 - x * (15 - 6 * x)), 30 * x * x * (1 - x) * (1 - x) / seconds,
          60 * x * (1 - x) * (1 - 2 * x) / (seconds * seconds)};
}

}  // namespace lissom
