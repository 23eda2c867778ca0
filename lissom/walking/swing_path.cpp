#include "lissom/walking/swing_path.h"

#include <algorithm>

namespace lissom::walking {

namespace {

constexpr double early = .12;      // the foot is above its foothold when this fraction of the time remains
constexpr double shortest = .012;  // s, remaining time below which the motion along the ground only slows down

}  // namespace

void SwingPath::begin(const Vec3<double>& from, double lift, double overshoot) {
  position = from, velocity = {0, 0, 0}, acceleration = {0, 0, 0};
  s_ = rate_ = 0, from_z_ = from.z, lift_ = lift, overshoot_ = overshoot;
}

// The jerk of the minimum-jerk motion (Flash and Hogan) from (x, v, a) to rest at `to`.
void SwingPath::advance_along(double& x, double& v, double& a, double to, double remaining, double step) const {
  if (remaining < shortest) {
    const double k = 1 / shortest;
    a = k * k * (to - x) - 2 * k * v;
    v += step * a, x += step * v;
    return;
  }
  const double t = remaining, jerk = 60 * (to - x) / (t * t * t) - 36 * v / (t * t) - 9 * a / t;
  x += step * (v + step * (a / 2 + step * jerk / 6));
  v += step * (a + step * jerk / 2);
  a += step * jerk;
}

void SwingPath::advance(const Vec3<double>& to, double remaining, double step) {
  const double left = std::max(remaining, step);
  rate_ = (1 - s_) / left;
  s_ = std::min(1.0, s_ + step * rate_);
  const double along = remaining - early * remaining / std::max(1 - s_, early);
  advance_along(position.x, velocity.x, acceleration.x, to.x, along, step);
  advance_along(position.y, velocity.y, acceleration.y, to.y, along, step);
  // Up to the top in the first 45 % of the time; down to below the ground, on which the foot comes to rest, in the
  // rest of it.
  const double top = std::max(from_z_, to.z) + lift_, split = .45, end = to.z - overshoot_;
  const bool rising = s_ < split;
  const double x = rising ? s_ / split : (s_ - split) / (1 - split), width = rising ? split : 1 - split;
  const double a = rising ? from_z_ : top, b = rising ? top : end;
  const double shape = x * x * x * (10 - x * (15 - 6 * x)), slope = 30 * x * x * (1 - x) * (1 - x) / width;
  const double curve = 60 * x * (1 - x) * (1 - 2 * x) / (width * width);
  position.z = a + (b - a) * shape;
  velocity.z = (b - a) * slope * rate_;
  acceleration.z = (b - a) * curve * rate_ * rate_;
}

}  // namespace lissom::walking
