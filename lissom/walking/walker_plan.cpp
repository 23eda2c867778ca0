// What the footsteps demand of ξ, and footholds adapted to where it is.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/walking/walker.h"

namespace lissom::walking {

namespace {

constexpr int preview_steps = 4;
constexpr double inside_triangle = .6;  // how far from the middle of all feet to that of three the pressure goes
constexpr double reach_along = .5, reach_aside = .45, reach_of_pair = .35, reach_across = .3;  // of the height
constexpr double min_apart = .8;       // of the distance of the feet when the robot stands
constexpr double ankle_use = .8;       // of the sole, for which the plan of a step may reckon
constexpr double crossing_cost = .03;  // of the height squared: what legs that cross cost, beside the way of the foot
constexpr double last_change = .3;     // of the swing, after which a foot goes no other way round
constexpr double freeze = .12;         // in terms of 1/ω: before touchdown, when nothing is adapted any more
constexpr double ignored = .012;       // of the height: smaller adaptations are left to the ankles

Vec2 rotated(double yaw, const Vec2& p) {
  const double c = std::cos(yaw), s = std::sin(yaw);
  return {c * p.x() - s * p.y(), s * p.x() + c * p.y()};
}

}  // namespace

Vec2 Walker::support_center(const std::vector<Foothold>& places, const std::vector<int>& lifted) const {
  Vec2 all = Vec2::Zero(), standing = Vec2::Zero();
  int count = 0;
  for (std::size_t i = 0; i < legs_.size(); ++i) {
    Vec2 middle = Vec2::Zero();
    for (const auto& p : legs_[i].points) middle += p / double(legs_[i].points.size());
    const Vec2 at = places[i].position + rotated(places[i].yaw, middle);
    all += at / double(legs_.size());
    if (std::find(lifted.begin(), lifted.end(), int(i)) == lifted.end()) standing += at, ++count;
  }
  if (count == 0) return all;
  standing /= count;
  return count >= 3 && !lifted.empty() ? Vec2(all + inside_triangle * (standing - all)) : standing;
}

Vec2 Walker::standing_pressure() const {
  static const std::vector<int> none;
  const double elapsed = time_ - phase_began_, part = phase_seconds_ > 0 ? std::min(1.0, elapsed / phase_seconds_) : 1;
  return pressure_from_ + part * (support_center(stands_, none) - pressure_from_);
}

// Segments of the center of pressure from now on, and backwards through them what is demanded of ξ.
void Walker::plan_pressure() {
  static const std::vector<int> none;
  for (std::size_t i = 0; i < legs_.size(); ++i) stands_[i] = preview_[i] = legs_[i].stands;
  dcm_plan_.clear();
  const double remaining = std::max(0.0, phase_began_ + phase_seconds_ - time_);
  if (phase_ == Phase::standing || phase_ == Phase::done) {
    const Vec2 now = standing_pressure(), center = support_center(stands_, none);
    dcm_plan_.add({now, center, remaining});
    touchdown_segment_ = 0;
    return dcm_plan_.solve(omega_, center);
  }
  if (capture_group_ >= 0 && phase_ == Phase::swing) return plan_captured();
  Vec2 p = support_center(preview_, group());
  if (phase_ == Phase::transfer) {
    const double part = phase_seconds_ > 0 ? 1 - remaining / phase_seconds_ : 1;
    dcm_plan_.add({pressure_from_ + part * (p - pressure_from_), p, remaining});
    dcm_plan_.add({p, p, swing_seconds_});
  } else {
    dcm_plan_.add({p, p, remaining});
  }
  touchdown_segment_ = dcm_plan_.size();
  for (int i : group()) preview_[std::size_t(i)] = legs_[std::size_t(i)].target;
  if (capture_group_ < 0) p = preview_plan(p);
  const Vec2 center = support_center(preview_, none);
  dcm_plan_.add({p, center, end_seconds / omega_});
  dcm_plan_.solve(omega_, center);
}

// The steps of the plan behind the present one. Returns the last center of pressure.
Vec2 Walker::preview_plan(Vec2 p) {
  for (int k = step_index_ + 1; k < std::min(plan_.steps(), step_index_ + preview_steps); ++k) {
    const auto& lifted = plan_.group(k);
    const Vec2 next = support_center(preview_, lifted);
    dcm_plan_.add({p, next, plan_.transfer_time});
    dcm_plan_.add({next, next, plan_.swing_time});
    Foothold body = plan_.bodies[std::size_t(k)];
    body.position += shift_ + delta_;
    for (int i : lifted) preview_[std::size_t(i)] = foothold(body, i);
    p = next;
  }
  return p;
}

// In a capture step the center of pressure is the one with which the step was found.
void Walker::plan_captured() {
  const double remaining = std::max(0.0, phase_began_ + phase_seconds_ - time_);
  const Vec2 p = capture_pressure_;
  dcm_plan_.add({p, p, remaining});
  dcm_plan_.solve(omega_, p + (dcm_ - p) * std::exp(omega_ * remaining));
  touchdown_segment_ = 1;
}

// As plan_pressure, for a step that has not begun.
void Walker::plan_capture_pressure() {
  static const std::vector<int> none;
  for (std::size_t i = 0; i < legs_.size(); ++i) stands_[i] = preview_[i] = legs_[i].stands;
  const Vec2 p = support_center(preview_, group());
  for (int i : group()) preview_[std::size_t(i)] = legs_[std::size_t(i)].target;
  const Vec2 center = support_center(preview_, none);
  dcm_plan_.clear();
  dcm_plan_.add({p, p, swing_seconds_});
  touchdown_segment_ = 1;
  dcm_plan_.add({p, center, end_seconds / omega_});
  dcm_plan_.solve(omega_, center);
}

Vec2 Walker::stance_middle(const std::vector<int>& lifted) const {
  Vec2 sum = Vec2::Zero();
  int count = 0;
  for (std::size_t i = 0; i < legs_.size(); ++i)
    if (std::find(lifted.begin(), lifted.end(), int(i)) == lifted.end()) sum += legs_[i].stands.position, ++count;
  return sum / std::max(count, 1);
}

// The next step along the axes of the feet that stand.
StepProblem Walker::step_problem(const std::vector<int>& lifted, double remaining, Crossing crossing) const {
  StepProblem p;
  const Vec2 origin = stance_middle(lifted);
  Vec2 target = Vec2::Zero(), foot = Vec2::Zero();
  double yaw = 0;
  int count = 0;
  for (std::size_t i = 0; i < legs_.size(); ++i) {
    if (std::find(lifted.begin(), lifted.end(), int(i)) != lifted.end()) {
      const auto X = robot_.placement(legs_[i].id);
      target += legs_[i].target.position / double(lifted.size()), foot += Vec2(X.p.x, X.p.y) / double(lifted.size());
    } else {
      yaw = legs_[i].stands.yaw - legs_[i].yaw_offset, ++count;
    }
  }
  const auto local = [&](const Vec2& x) { return rotated(-yaw, x - origin); };
  p.omega = omega_, p.dcm = local(dcm_), p.pressure = local(support_center(stands_, lifted));
  p.pressure_min = p.pressure_max = p.pressure;
  if (count == 1)
    for (std::size_t i = 0; i < legs_.size(); ++i)
      if (std::find(lifted.begin(), lifted.end(), int(i)) == lifted.end())
        for (const auto& x : legs_[i].points) {
          const Vec2 corner =
              p.pressure + (capture_group_ >= 0 ? 1 : ankle_use) * (rotated(legs_[i].yaw_offset, x) - p.pressure);
          p.pressure_min = p.pressure_min.cwiseMin(corner), p.pressure_max = p.pressure_max.cwiseMax(corner);
        }
  p.foothold = local(target - delta_);
  p.offset = p.offset_min = p.offset_max = rotated(-yaw, dcm_plan_.dcm(touchdown_segment_) - target);
  set_reach(lifted, count == 1, crossing, p);
  if (capture_group_ >= 0) set_capture_offset(legs_[std::size_t(lifted[0])].sole, p);
  const double elapsed = phase_ == Phase::swing ? time_ - phase_began_ : 0, speed = max_foot_speed_;
  p.seconds = std::max(swing_seconds_ - elapsed, 0.0);
  p.seconds_min = std::max({min_swing / omega_ - elapsed, (target - foot).norm() / speed, freeze / omega_});
  p.seconds_max = std::max({p.seconds_min, p.seconds + .25 * swing_seconds_, remaining});
  p.time_weight = .05 * height_ * height_ * omega_ * omega_;
  return p;
}

// ξ is captured if it ends in the support of the feet that stand and those that land: there the center of pressure can
// be wherever ξ is.
void Walker::set_capture_offset(const Vec2& sole, StepProblem& p) const {
  const Vec2 across = p.pressure - p.foothold;
  p.offset_min = .5 * across.cwiseMin(Vec2::Zero()) - .5 * sole;
  p.offset_max = .5 * across.cwiseMax(Vec2::Zero()) + .5 * sole;
  p.offset = (.25 * across).cwiseMax(p.offset_min).cwiseMin(p.offset_max);
}

// The step with the least cost: beside the foot that stands, or, if that is a capture step, also across, in front of it
// or behind it. A leg that has begun to cross stays on its way.
StepSolution Walker::best_step(const std::vector<int>& lifted, double remaining, Crossing& crossing) const {
  const bool may_cross = capture_group_ >= 0 && legs_.size() == 2 && legs_[0].points.size() > 2;
  const double fraction = phase_ == Phase::swing ? legs_[std::size_t(lifted[0])].swing.fraction() : 0;
  StepSolution best;
  best.cost = std::numeric_limits<double>::infinity();
  Crossing found = crossing;
  for (const auto w : {Crossing::none, Crossing::in_front, Crossing::behind}) {
    if (w != crossing && (fraction > last_change || (w != Crossing::none && !may_cross))) continue;
    auto s = adapt_step(step_problem(lifted, remaining, w));
    s.cost += (w == Crossing::none ? 0 : crossing_cost * height_ * height_) - (w == crossing ? .2 * s.cost : 0);
    if (s.cost < best.cost) best = s, found = w;
  }
  crossing = found;
  return best;
}

void Walker::set_reach(const std::vector<int>& lifted, bool single, Crossing crossing, StepProblem& p) const {
  const Vec2 slack = Vec2::Constant(.05 * height_);
  if (!single) {
    const Vec2 reach = Vec2::Constant(reach_of_pair * height_);
    p.foothold_min = p.foothold - reach, p.foothold_max = p.foothold + reach;
    return;
  }
  const auto& leg = legs_[std::size_t(lifted[0])];
  const double apart = 2 * std::abs(leg.offset.y()), side = leg.offset.y() > 0 ? 1 : -1;
  const double near = side * min_apart * apart, far = side * (apart + reach_aside * height_);
  p.foothold_min = {-reach_along * height_, std::min(near, far)};
  p.foothold_max = {reach_along * height_, std::max(near, far)};
  if (crossing == Crossing::none) {
    p.foothold_min = p.foothold_min.cwiseMin(p.foothold - slack);
    p.foothold_max = p.foothold_max.cwiseMax(p.foothold + slack);
    return;
  }
  const double front = crossing == Crossing::in_front ? 1 : -1, clear = front * 2.1 * leg.sole.x(),
               end = front * reach_along * height_;
  const double across = -side * reach_across * height_;
  p.foothold = {clear, 0};
  p.foothold_min = {std::min(clear, end), std::min(near, across)};
  p.foothold_max = {std::max(clear, end), std::max(near, across)};
}

// Moves the footholds and the time of touchdown.
void Walker::adapt() {
  const double remaining = phase_began_ + phase_seconds_ - time_;
  if (!adapts() || remaining < freeze / omega_) return;
  const auto problem = step_problem(group(), remaining, Crossing::none);
  const auto s = best_step(group(), remaining, crossing_);
  double yaw = 0;
  for (std::size_t i = 0; i < legs_.size(); ++i)
    if (!swinging(int(i))) yaw = legs_[i].stands.yaw - legs_[i].yaw_offset;
  if (capture_group_ >= 0) capture_pressure_ = stance_middle(group()) + rotated(yaw, s.pressure);
  Vec2 moved = rotated(yaw, s.foothold - problem.foothold);
  const double length = moved.norm(), dead = ignored * height_;
  moved *= length > dead ? (length - dead) / length : 0;
  for (int i : group()) legs_[std::size_t(i)].target.position += moved - delta_;
  delta_ = moved;
  if (length > dead || std::abs(s.seconds - problem.seconds) > .1 * swing_seconds_)
    phase_seconds_ = time_ - phase_began_ + s.seconds;
  adaptation_ = std::max(adaptation_, delta_.norm() / (reach_along * height_));
}

}  // namespace lissom::walking
