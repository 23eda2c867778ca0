#include "lissom/sim/contact_load.h"

#include <algorithm>
#include <cmath>

namespace lissom::sim {

namespace {

// s without a force after which a contact counts as closed anew: points of a landing face leave the ground for moments.
constexpr double closed_anew = .01;
constexpr double sticking = 2e-6;  // m/s; slower is rounding of the solver
// Below this, the use of each point alone is accurate enough.
constexpr double small_use = .1;

}  // namespace

ContactLoad::ContactLoad(const ContactWorld::Face& face, double light)
    : grip_(face.grip_row >= 0), friction_(face.friction), light_(light), use_(4), capacity_(4), open_(closed_anew) {}

void ContactLoad::begin_tick() {
  state_ = {};
}

void ContactLoad::add(const std::vector<ContactWorld::Touch>& touches, int face, const Vec3<double>& origin,
                      const Mat3<double>& axes, double h, double part) {
  PlaneLoad load;
  double speed = 0, upper_bound = 0;
  points_.clear();
  for (const auto& touch : touches) {
    if (touch.face != face) continue;
    const auto arm = touch.point - origin;
    state_.force += part * touch.force;
    state_.torque += part * (cross(arm, touch.force) + touch.torque);
    const auto r = transpose_times(axes, arm), f = transpose_times(axes, touch.force);
    load.normal += f.z, load.x += f.z * r.x, load.y += f.z * r.y;
    load.tangent_x += f.x, load.tangent_y += f.y, load.spin += r.x * f.y - r.y * f.x;
    speed = std::max(speed, touch.slip);
    upper_bound = std::max(upper_bound, friction_ * f.z > 0 ? std::hypot(f.x, f.y) / (friction_ * f.z) : 0);
    points_.push_back(r);
  }
  state_.normal += part * load.normal;
  state_.points = int(points_.size());
  if (points_.empty()) {
    open_ += h;
    if (open_ >= closed_anew) slip_ = loaded_slip_ = 0;
  } else {
    open_ = 0;
    if (speed > sticking) slip_ += h * speed;
    if (speed > sticking && load.normal > light_) loaded_slip_ += h * speed;
    // A grip carries anything.
    if (!grip_) state_.friction_use = std::max(state_.friction_use, friction_use(load, upper_bound));
  }
  state_.slip = slip_, state_.loaded_slip = loaded_slip_;
}

// The points share their load as the solver found it. Another distribution of the same wrench may need less friction.
double ContactLoad::friction_use(const PlaneLoad& load, double upper_bound) {
  if (upper_bound <= small_use) return upper_bound;
  if (int(points_.size()) > capacity_) {
    capacity_ = int(points_.size());
    use_ = FrictionUse(capacity_);
  }
  return std::min(upper_bound, use_.min_use(points_, load, friction_));
}

}  // namespace lissom::sim
