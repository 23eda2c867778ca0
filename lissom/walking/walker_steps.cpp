// The phases of a walk: standing, transfer of the weight, swing, landing.
#include <algorithm>
#include <cmath>

#include "lissom/walking/walker.h"

namespace lissom::walking {

namespace {

constexpr double touch_height = .003;   // of the height of the center of mass: a foot as low as this has landed
constexpr double touch_fraction = .6;   // of the swing, before which a foot does not land
constexpr double sinking_speed = .06;   // of √(g h): of a foot that finds no ground in time
constexpr double max_late = .6;         // in terms of 1/ω; a foot that is later counts as landed
constexpr double rest_speed = .015;     // of √(g h): slower than this, the center of mass is at rest
constexpr double upset = .1;            // of the height: an error of ξ that shortens the transfer
constexpr double last_margin = .012;    // of the height: ξ nearer to the edge of the support than this needs a step
constexpr double fast_transfer = .06;   // in terms of 1/ω
constexpr double first_transfer = 2.7;  // in terms of 1/ω: from standing to the first swing
constexpr double overshoot = .004;      // of the height: how far below the ground a foot's path ends

}  // namespace

const std::vector<int>& Walker::group() const {
  return capture_group_ >= 0 ? plan_.groups[std::size_t(capture_group_)] : plan_.group(step_index_);
}

Foothold Walker::foothold(const Foothold& body, int index) const {
  const auto& leg = legs_[std::size_t(index)];
  const double c = std::cos(body.yaw), s = std::sin(body.yaw);
  return {.position =
              body.position + Vec2(c * leg.offset.x() - s * leg.offset.y(), s * leg.offset.x() + c * leg.offset.y()),
          .height = body.height,
          .yaw = body.yaw + leg.yaw_offset};
}

void Walker::proceed() {
  const double elapsed = time_ - phase_began_;
  switch (phase_) {
    case Phase::standing:
    case Phase::done:
      if (int group = capture_group(); group >= 0) return begin_capture_step(group);
      if (step_index_ < plan_.steps() && elapsed > .3 / omega_) return begin_step(first_transfer / omega_);
      return rest();
    case Phase::transfer:
      if (adapts() && step_index_ > 0 && dcm_error() > upset * height_)
        phase_seconds_ = std::min(phase_seconds_, std::max(elapsed, fast_transfer / omega_));
      if (elapsed >= phase_seconds_) begin_swing();
      return;
    case Phase::swing: {
      bool all = true;
      for (int i : group()) {
        auto& leg = legs_[std::size_t(i)];
        if (!leg.landed) look_for_ground(leg, elapsed);
        all = all && leg.landed;
      }
      if (all) finish_step();
      return;
    }
  }
}

// It is done when it has stood still for a while. Noise of measured velocities is as fast as that.
void Walker::rest() {
  if (phase_ == Phase::done) return;
  const auto& v = filtered_velocity_;
  const bool still = std::sqrt(dot(v, v)) < rest_speed * omega_ * height_ && support_.distance(dcm_) < 0;
  quiet_ = still ? quiet_ + step_ : 0;
  const bool long_enough = options_.gait != Gait::stand || time_ >= options_.duration;
  if (step_index_ >= plan_.steps() && quiet_ >= options_.hold && long_enough) enter(Phase::done, 0);
}

void Walker::enter(Phase phase, double seconds) {
  phase_ = phase, phase_began_ = time_, phase_seconds_ = seconds;
}

void Walker::begin_step(double transfer) {
  pressure_from_ = phase_ == Phase::swing || phase_ == Phase::transfer ? dcm_plan_.pressure() : standing_pressure();
  delta_.setZero(), adaptation_ = 0, crossing_ = Crossing::none;
  for (int i : group()) {
    auto& leg = legs_[std::size_t(i)];
    leg.target = foothold(body_after_step(step_index_), i);
  }
  swing_seconds_ = plan_.swing_time;
  begin_yaw(transfer + swing_seconds_);
  enter(Phase::transfer, transfer);
}

// The base turns, and rises with the ground, in the time of a step.
void Walker::begin_yaw(double seconds) {
  yaw_from_ = yaw_to_, ground_from_ = ground_to_;
  Vec2 heading = Vec2::Zero();
  double ground = 0;
  for (std::size_t i = 0; i < legs_.size(); ++i) {
    const auto& f = swinging(int(i)) ? legs_[i].target : legs_[i].stands;
    const double yaw = f.yaw - legs_[i].yaw_offset;
    heading += Vec2(std::cos(yaw), std::sin(yaw));
    ground += f.height / double(legs_.size());
  }
  yaw_to_ = std::atan2(heading.y(), heading.x()), ground_to_ = ground;
  step_began_ = time_, step_seconds_ = seconds;
}

bool Walker::swinging(int leg) const {
  const auto& g = group();
  return std::find(g.begin(), g.end(), leg) != g.end();
}

// The body of the plan, moved by what was adapted so far.
Foothold Walker::body_after_step(int step) const {
  Foothold body = capture_group_ >= 0 ? capture_body_ : plan_.bodies[std::size_t(step)];
  if (capture_group_ < 0) body.position += shift_;
  return body;
}

void Walker::begin_swing() {
  capture_pressure_ = dcm_plan_.pressure();
  for (int i : group()) {
    auto& leg = legs_[std::size_t(i)];
    leg.swings = true, leg.landed = false, leg.sunk = 0;
    const auto X = robot_.placement(leg.id);
    leg.swing.begin(X.p, plan_.lift, overshoot * height_, leg.target.height - leg.stands.height);
    controller_.enable(leg.contact, false);
    controller_.enable(leg.path, true);
  }
  close_support();
  enter(Phase::swing, swing_seconds_);
}

void Walker::look_for_ground(Leg& leg, double elapsed) {
  const auto X = robot_.placement(leg.id);
  const double height = X.p.z - leg.clearance - leg.target.height, late = elapsed - phase_seconds_;
  if (leg.swing.fraction() > touch_fraction && height < touch_height * height_) return land(leg);
  if (late <= 0) return;
  leg.sunk += step_ * sinking_speed * omega_ * height_;
  if (late > max_late / omega_) land(leg);
}

void Walker::land(Leg& leg) {
  const auto X = robot_.placement(leg.id);
  leg.landed = true, leg.swings = false, leg.aim = leg.target;
  leg.stands = {.position = {X.p.x, X.p.y}, .height = leg.target.height, .yaw = std::atan2(X.R.yx, X.R.xx)};
  controller_.set_placement(leg.contact, standing_pose(leg));
  controller_.enable(leg.contact, true);
  controller_.enable(leg.path, false);
  close_support();
}

void Walker::finish_step() {
  adapted_ += adaptation_ > .1;
  if (capture_group_ >= 0) {
    ++captures_, capture_group_ = -1;
    stand();
    pressure_from_ = support_.nearest(dcm_);
    return;
  }
  shift_ += delta_;
  ++step_index_, ++planned_done_;
  // What is left of the swing of a foot that landed early is added to the transfer: the pendulum keeps its time.
  const double time_left = std::max(0.0, phase_began_ + phase_seconds_ - time_);
  if (step_index_ < plan_.steps()) return begin_step(plan_.transfer_time + time_left);
  stand();
}

// The center of pressure goes to the middle of all feet.
void Walker::stand() {
  pressure_from_ = dcm_plan_.pressure();
  delta_.setZero();
  if (step_index_ < plan_.steps() && step_index_ + captures_ > 0) {  // after capture steps the plan goes on from here
    const auto& before = step_index_ > 0 ? plan_.bodies[std::size_t(step_index_ - 1)] : start_;
    shift_ = body_of().position - before.position;
  }
  begin_yaw(plan_.step_time);
  quiet_ = 0;
  enter(Phase::standing, 2 / omega_);
}

// The group of legs with which to step, if ξ has left the support; -1 otherwise, and for legs whose soles tilt with
// them when they are set aside: such a robot stands longer than it stays upright on one of them.
int Walker::capture_group() {
  if (!adapts() || !soles_stay_level_ || support_.distance(dcm_) <= -last_margin * height_) return -1;
  int best = -1;
  double least = 0;
  for (int g = 0; g < 2; ++g) {
    capture_group_ = g;
    prepare_capture(g);
    Crossing crossing = Crossing::none;
    const auto s = best_step(plan_.groups[std::size_t(g)], plan_.swing_time, crossing);
    if (best < 0 || s.cost < least) best = g, least = s.cost, crossing_ = crossing;
  }
  capture_group_ = -1;
  return best;
}

// The feet that stay tell where the body is when the others stand beside them.
void Walker::prepare_capture(int group_index) {
  const auto& lifted = plan_.groups[std::size_t(group_index)];
  Foothold body;
  int count = 0;
  for (std::size_t i = 0; i < legs_.size(); ++i) {
    if (std::find(lifted.begin(), lifted.end(), int(i)) != lifted.end()) continue;
    const auto& leg = legs_[i];
    const double yaw = leg.stands.yaw - leg.yaw_offset, c = std::cos(yaw), s = std::sin(yaw);
    const Vec2 offset(c * leg.offset.x() - s * leg.offset.y(), s * leg.offset.x() + c * leg.offset.y());
    body.position += leg.stands.position - offset, body.height += leg.stands.height, body.yaw = yaw, ++count;
  }
  body.position /= count, body.height /= count;
  capture_body_ = body;
  for (int i : lifted) legs_[std::size_t(i)].target = foothold(body, i);
  delta_.setZero();
  swing_seconds_ = std::max(min_swing / omega_, .6 * plan_.swing_time);
  plan_capture_pressure();
}

void Walker::begin_capture_step(int group_index) {
  pressure_from_ = support_.nearest(dcm_);
  capture_group_ = group_index;
  prepare_capture(group_index);
  adaptation_ = 0, quiet_ = 0;
  begin_yaw(swing_seconds_);
  enter(Phase::transfer, fast_transfer / omega_);
}

}  // namespace lissom::walking
