// The limbs of a MotionRunner: how they move, and how they land.
#include <algorithm>
#include <cmath>

#include "lissom/api/state.h"
#include "lissom/control/motion_runner.h"
#include "lissom/math/minimum_jerk.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::control {

namespace {

// Lengths and speeds are those of a robot whose center of mass is at usual_height; others are scaled with size_.
constexpr double landing_speed = .05;  // m/s
constexpr double landing_tilt = .05;   // rad, at most
// A limb has landed when, for stopped_time, it was closer to its target than stopped_height and slower towards the
// surface than stopped_speed. The time is needed because a limb may come down on an edge. A limb that nothing stops
// counts as landed at the distance no_ground from its target. Speed and distance are filtered: sensors of velocities
// have noise that is as large as the speed of landing. The filter begins with that speed, so that a limb that starts
// at rest does not count as stopped.
constexpr double stopped_height = 5e-3;  // m
constexpr double stopped_speed = .02;    // m/s
constexpr double stopped_time = .04;     // s
constexpr double landing_filter = .025;  // s
constexpr double no_ground = -1e-3;      // m
constexpr double max_sinking = .03;      // m: how far below its target a limb is moved to find the ground

Vec3<double> normal_of(const Pose<double>& X) {
  return {X.R.xz, X.R.yz, X.R.zz};
}
// The placement on the plane z = 0 of `surface` that is nearest to X.
Pose<double> on_surface(const Pose<double>& X, const Pose<double>& surface) {
  const auto local = inverse(surface) * X;
  return surface * Pose<double>{heading(local.R), {local.p.x, local.p.y, 0}};
}

}  // namespace

void MotionRunner::begin_move(Limb& l, const LimbMove& m) {
  l.from = robot_.placement(l.id);
  l.to = m.to ? *m.to : Pose<double>{l.placement.R, l.placement.p + m.by};
  // It is lifted off the surface that it leaves, and off the one on which it lands.
  Vec3<double> up(0, 0, 0);
  if (l.contact.index >= 0) up += normal_of(l.placement);
  if (m.touch) up += normal_of(l.to);
  const double length = std::sqrt(dot(up, up));
  l.up = length > .1 ? (1 / length) * up : Vec3<double>(0, 0, 1);
  l.lift = m.lift, l.touch = m.touch, l.moving = true, l.landed = false;
  controller_.enable(l.task);
}

void MotionRunner::begin_landing() {
  for (auto& l : limbs_) {
    if (!l.moving || !l.touch) continue;
    l.speed = size_ * landing_speed, l.stopped = 0;
    l.distance = dot(normal_of(l.to), robot_.placement(l.id).p - l.to.p);
  }
}

// A limb that is on the surface becomes a contact where it is.
void MotionRunner::land(Limb& l) {
  const auto X = robot_.placement(l.id);
  const auto n = normal_of(l.to);
  const double part = std::min(1.0, step_ / landing_filter);
  l.speed += part * (-dot(n, robot_.velocity(l.id, X.p).linear) - l.speed);
  l.distance += part * (dot(n, X.p - l.to.p) - l.distance);
  l.stopped = l.distance < size_ * stopped_height && l.speed < size_ * stopped_speed ? l.stopped + step_ : 0;
  if (l.stopped < stopped_time && l.distance > size_ * no_ground) return;
  const auto z = normal_of(X), off = z - dot(z, n) * n;
  const bool level = l.point || l.partial || (dot(z, n) > 0 && std::sqrt(dot(off, off)) <= landing_tilt);
  if (!level) return;
  l.landed = true, l.moving = false;
  l.placement = on_surface(X, l.to);
  controller_.enable(l.task, false);
  controller_.set_placement(l.contact, l.placement);
  controller_.enable(l.contact);
}

// The limb moves along the normal all the time, raised by a bump 64 s³ (1 - s)³ that is at rest at both ends; it moves
// along the surface and rotates only in the middle part of the time, so that a limb that sags a little does not drag.
void MotionRunner::set_limb_target(Limb& l, double elapsed) {
  auto& task = controller_[l.task];
  const bool landing = phase_ == Phase::landing && l.touch;
  const double seconds = stage().seconds, begin = phase_ == Phase::moving ? elapsed : seconds;
  const auto up = minimum_jerk(begin, seconds), along = minimum_jerk(begin - .2 * seconds, .6 * seconds);
  const auto rotation = logarithm(quaternion(transpose(l.from.R) * l.to.R));
  const auto displacement = l.to.p - l.from.p;
  const double rise = dot(displacement, l.up);
  const auto sideways = displacement - rise * l.up;
  const double u = up.s * (1 - up.s), slant = 1 - 2 * up.s;
  const double bump = 64 * u * u * u, slope = 192 * u * u * slant, curve = 384 * u * (slant * slant - u);
  const double speed = size_ * landing_speed, deepest = size_ * max_sinking;
  const double down = landing ? std::min(deepest, speed * elapsed) : 0;
  task.target.p = l.from.p + along.s * sideways + (up.s * rise + bump * l.lift) * l.up - down * normal_of(l.to);
  task.target.R = l.from.R * matrix(exponential(along.s * rotation));
  task.velocity = {along.rate * sideways + up.rate * (rise + slope * l.lift) * l.up,
                   task.target.R * (along.rate * rotation)};
  task.acceleration = {along.acceleration * sideways +
                           (up.acceleration * (rise + slope * l.lift) + up.rate * up.rate * curve * l.lift) * l.up,
                       task.target.R * (along.acceleration * rotation)};
  if (landing && down < deepest) task.velocity.linear = -speed * normal_of(l.to);
}

void MotionRunner::limb_targets(std::vector<LimbTarget>& to) const {
  for (const auto& l : limbs_) {
    const bool contact = l.contact.index >= 0 && controller_.active(l.contact);
    if (contact || l.moving)
      to.push_back(
          {&l.frame, l.id, contact ? l.placement : l.to, l.point || l.partial, contact, contact ? l.radius : 0});
  }
}

}  // namespace lissom::control
