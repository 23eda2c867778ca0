#include "lissom/control/motion_runner.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/state.h"
#include "lissom/geometry/contact_polygon.h"
#include "lissom/math/minimum_jerk.h"
#include "lissom/model/text.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::control {

namespace {

constexpr double landing_speed = .05;  // m/s
constexpr double landing_tilt = .05;   // rad, at most
// A limb has landed when, for stopped_time, it was closer to its target than stopped_height and slower downwards than
// stopped_speed. The time is needed because a limb starts at rest, and may come down on an edge. A limb that nothing
// stops counts as landed at the height no_ground above its target.
constexpr double stopped_height = 5e-3;  // m
constexpr double stopped_speed = .01;    // m/s
constexpr double stopped_time = .04;     // s
constexpr double no_ground = -1e-3;      // m
constexpr double max_sinking = .03;      // m: how far below its target a limb is moved to find the ground
constexpr double settled_speed = .05;    // m/s, of the center of mass
constexpr int max_bad_ticks = 20;

// The placement with the same heading, level, at the given height.
Pose<double> leveled(const Pose<double>& X, double height) {
  return {heading(X.R), {X.p.x, X.p.y, height}};
}

}  // namespace

const char* to_string(MotionRunner::Phase phase) {
  constexpr const char* words[] = {"releasing", "moving", "landing", "settling", "holding", "done", "failed"};
  return words[int(phase)];
}

MotionRunner::MotionRunner(const Model& model, MotionPlan plan, const WholeBodyOptions& options)
    : model_(model),
      plan_(std::move(plan)),
      controller_(model_, options),
      work_(model_),
      posture_work_(model_),
      step_(options.step) {
  q_from_ = q_to_ = q_now_ = q_ = start();
  displacement_ = v_ = Eigen::VectorXd::Zero(model_.nv());
  com_from_ = com_to_ = com_now_ = center_of_mass(model_, work_, q_to_);
  forward_kinematics(model_, work_, q_to_);
  add_tasks();
  transitions_.reserve(8 * plan_.stages.size() + 8);
  begin_stage();
  controller_.prepare();
}

// A robot that leans on the edge of a foot tips over it as soon as the model is slightly wrong.
void MotionRunner::shrink_support(Contact& c, FrameId frame) const {
  if (c.kind != ContactKind::surface && c.kind != ContactKind::sliding) return;
  if (c.points.empty()) c.points = contact_polygon(model_, frame);
  scale_about_mean(c.points, plan_.gains.support_scale);
}

void MotionRunner::add_tasks() {
  const auto& g = plan_.gains;
  com_ = controller_.add(CenterOfMassTask{.target = com_to_, .stiffness = g.com_stiffness, .weight = g.com_weight});
  Eigen::VectorXd stiffness = Eigen::VectorXd::Zero(model_.nv());
  for (const auto& [name, value] : g.joint_stiffness)
    stiffness.segment(model_.joint(name).v_index, model_.joint(name).nv).setConstant(value);
  posture_ = controller_.add(PostureTask{.target = q_to_,
                                         .velocity = displacement_,
                                         .acceleration = displacement_,
                                         .joint_stiffness = stiffness,
                                         .stiffness = g.posture_stiffness,
                                         .weight = g.posture_weight});
  controller_.add(MomentumTask{.damping = g.momentum_damping, .weight = g.momentum_weight});
  const auto& root = model_.joints().front();
  if (root.type == JointType::free) {
    base_q_ = root.q_index;
    base_ = controller_.add(FrameTask{.frame = root.child,
                                      .target = placement(model_, work_, model_.frame(root.child)),
                                      .linear = {0, 0, 0},
                                      .stiffness = g.base_stiffness,
                                      .weight = g.base_weight,
                                      .name = "orientation of " + root.child});
  }
  for (auto c : plan_.contacts) {
    Limb l{.frame = c.frame, .id = model_.frame(c.frame)};
    l.placement = leveled(placement(model_, work_, l.id), 0);
    if (c.ramp == 0) c.ramp = plan_.gains.ramp;
    c.friction *= plan_.gains.friction_factor;
    shrink_support(c, l.id);
    if (c.min_normal_force == 0) c.min_normal_force = plan_.gains.min_normal_force;
    const auto name = c.name.empty() ? c.frame : c.name;
    l.contact = controller_.add(c);
    const bool standing = std::find(plan_.standing.begin(), plan_.standing.end(), name) != plan_.standing.end();
    controller_.enable(l.contact, standing);
    if (standing) controller_.set_placement(l.contact, l.placement), controller_.activate_without_ramp(l.contact);
    limbs_.push_back(l);
  }
  for (const auto& c : plan_.clearances) controller_.add(c);
  for (const auto& s : plan_.stages)
    for (const auto& m : s.moves)
      if (std::none_of(limbs_.begin(), limbs_.end(), [&](const Limb& l) { return l.frame == m.frame; }))
        limbs_.push_back({.frame = m.frame, .id = model_.frame(m.frame)});
  for (auto& l : limbs_) {
    l.task = controller_.add(FrameTask{
        .frame = l.frame, .stiffness = g.limb_stiffness, .weight = g.limb_weight, .name = "path of " + l.frame});
    controller_.enable(l.task, false);
  }
}

MotionRunner::Limb& MotionRunner::limb(const std::string& name) {
  for (auto& l : limbs_)
    if (l.frame == name || (l.contact.index >= 0 && controller_.contact_name(l.contact.index) == name)) return l;
  throw Error("no limb or contact " + in_quotes(name) + " in this plan");
}

Vec3<double> MotionRunner::com_target() {
  const auto& s = stage();
  if (s.com) return *s.com;
  if (s.over.empty()) return s.posture ? center_of_mass(model_, posture_work_, plan_.posture(*s.posture)) : com_to_;
  Vec3<double> middle(0, 0, 0);
  for (const auto& name : s.over) middle += limb(name).placement.p;
  middle = (1.0 / double(s.over.size())) * middle;
  const double height = s.posture ? center_of_mass(model_, posture_work_, plan_.posture(*s.posture)).z : com_to_.z;
  return Vec3<double>(middle.x, middle.y, height) + s.offset;
}

void MotionRunner::begin_stage() {
  if (stage_ >= plan_.stages.size()) return enter(Phase::done);
  const auto& s = stage();
  com_from_ = com_to_;
  com_to_ = com_target();
  q_from_ = q_to_;
  if (s.posture) q_to_ = plan_.posture(*s.posture);
  difference(model_, q_from_, q_to_, displacement_);
  for (const auto& name : s.release) controller_.enable(limb(name).contact, false);
  if (!s.release.empty()) return enter(Phase::releasing);
  begin_moves();
  enter(Phase::moving);
}

void MotionRunner::begin_moves() {
  // Limbs that were moved before, and do not move on, follow the posture task again.
  for (auto& l : limbs_)
    if (l.moving) controller_.enable(l.task, false), l.moving = false;
  for (const auto& m : stage().moves) {
    auto& l = limb(m.frame);
    l.from = placement(model_, sensed(), l.id);
    l.to = m.to ? *m.to : Pose<double>{l.placement.R, l.placement.p + m.by};
    l.lift = m.lift, l.touch = m.touch, l.moving = true, l.landed = false, l.stopped = 0;
    controller_.enable(l.task);
  }
}

void MotionRunner::enter(Phase next) {
  phase_ = next;
  phase_began_ = time_;
  transitions_.push_back({time_, stage_ < plan_.stages.size() ? stage().name : "end", to_string(next)});
}
void MotionRunner::fail(const std::string& why) {
  failure_ = "stage " + in_quotes(stage_ < plan_.stages.size() ? stage().name : "end") + ", " + to_string(phase_) +
             ", t = " + to_text(time_) + " s: " + why;
  enter(Phase::failed);
}

const Tick& MotionRunner::advance(const VectorIn& q, const VectorIn& v) {
  if (!invalid_state(model_, q, v)) {  // an invalid state is reported by the controller
    q_ = q, v_ = v, placed_ = false;
    proceed();
  }
  set_targets(time_ - phase_began_);
  const auto& tick = controller_.solve(q, v);
  const bool good = tick.status == TickStatus::optimal || tick.status == TickStatus::elastic;
  bad_ticks_ = good ? 0 : bad_ticks_ + 1;
  if (bad_ticks_ == max_bad_ticks && phase_ != Phase::failed)
    fail(std::string("the controller found no solution: ") + to_string(tick.status) + ", " + tick.reason);
  time_ += step_;
  return tick;
}

// The kinematics of the sensed state, computed in ticks that ask for it: few do.
const Workspace& MotionRunner::sensed() {
  if (!placed_) forward_kinematics(model_, work_, q_, v_);
  placed_ = true;
  return work_;
}

// Enters the next phase if its conditions hold.
void MotionRunner::proceed() {
  const double elapsed = time_ - phase_began_;
  switch (phase_) {
    case Phase::releasing:
      for (const auto& name : stage().release)
        if (controller_.active(limb(name).contact)) return;
      begin_moves();
      return enter(Phase::moving);
    case Phase::moving:
      if (elapsed < stage().seconds) return;
      return enter(std::any_of(limbs_.begin(), limbs_.end(), [](const Limb& l) { return l.moving && l.touch; })
                       ? Phase::landing
                       : Phase::settling);
    case Phase::landing: {
      const Limb* in_the_air = nullptr;
      for (auto& l : limbs_) {
        if (!l.moving) continue;
        if (!l.touch || l.landed) continue;
        land(l);
        if (!l.landed) in_the_air = &l;
      }
      if (!in_the_air) return enter(Phase::settling);
      if (elapsed > stage().timeout)
        fail("limb " + in_quotes(in_the_air->frame) + " has not landed after " + to_text(stage().timeout) + " s");
      return;
    }
    case Phase::settling:
      if (settled()) return enter(Phase::holding);
      if (elapsed > stage().timeout) {
        const auto error = controller_.tick().com - com_to_;
        fail("not settled after " + to_text(stage().timeout) + " s: the center of mass is " +
             to_text(std::sqrt(dot(error, error))) + " m from its target, tolerance " + to_text(stage().tolerance) +
             " m");
      }
      return;
    case Phase::holding:
      if (elapsed < stage().hold) return;
      ++stage_;
      return begin_stage();
    case Phase::done:
    case Phase::failed:
      return;
  }
}

// A limb that is on the ground becomes a contact where it is.
void MotionRunner::land(Limb& l) {
  const auto X = placement(model_, sensed(), l.id);
  const auto tilt = std::hypot(X.R.xz, X.R.yz);
  const double height = X.p.z - l.to.p.z, speed = -velocity(model_, sensed(), l.id).linear.z;
  l.stopped = height < stopped_height && speed < stopped_speed ? l.stopped + step_ : 0;
  if ((l.stopped < stopped_time && height > no_ground) || tilt > landing_tilt) return;
  l.landed = true, l.moving = false;
  l.placement = leveled(X, l.to.p.z);
  controller_.enable(l.task, false);
  controller_.set_placement(l.contact, l.placement);
  controller_.enable(l.contact);
}

bool MotionRunner::settled() const {
  for (const auto& c : controller_.tick().contacts)
    if (c.active && c.ramp_fraction < 1) return false;
  const auto error = controller_.tick().com - com_to_;
  const auto& v = controller_.tick().com_velocity;
  return std::sqrt(dot(error, error)) < stage().tolerance && std::sqrt(dot(v, v)) < settled_speed;
}

// Sets the targets at this time.
void MotionRunner::set_targets(double elapsed) {
  MinimumJerk r{0, 0, 0};
  switch (phase_) {
    case Phase::releasing:
      break;
    case Phase::moving:
      r = minimum_jerk(elapsed, stage().seconds);
      break;
    default:
      r = {1, 0, 0};
  }
  auto& com = controller_[com_];
  const auto com_displacement = com_to_ - com_from_;
  com_now_ = com_from_ + r.s * com_displacement;
  com.target = com_now_, com.velocity = r.rate * com_displacement, com.acceleration = r.acceleration * com_displacement;
  auto& posture = controller_[posture_];
  integrate(model_, q_from_, displacement_, r.s, q_now_);
  posture.target = q_now_;
  posture.velocity = r.rate * displacement_, posture.acceleration = r.acceleration * displacement_;
  if (base_q_ >= 0) {
    const auto x = q_now_.segment<4>(base_q_ + 3);
    controller_[base_].target.R = matrix(Quaternion<double>{x[0], x[1], x[2], x[3]});
  }
  for (auto& l : limbs_)
    if (l.moving) set_limb_target(l, elapsed);
}

// The limb moves vertically all the time, raised by a bump 64 s³ (1 - s)³ that is at rest at both ends; it moves along
// the ground and rotates only in the middle part of the time, so that a limb that sags a little does not drag.
void MotionRunner::set_limb_target(Limb& l, double elapsed) {
  auto& task = controller_[l.task];
  const bool landing = phase_ == Phase::landing && l.touch;
  const double seconds = stage().seconds, begin = phase_ == Phase::moving ? elapsed : seconds;
  const auto up = minimum_jerk(begin, seconds), along = minimum_jerk(begin - .2 * seconds, .6 * seconds);
  const auto rotation = logarithm(quaternion(transpose(l.from.R) * l.to.R));
  const auto displacement = l.to.p - l.from.p;
  const double u = up.s * (1 - up.s), slant = 1 - 2 * up.s;
  const double bump = 64 * u * u * u, slope = 192 * u * u * slant, curve = 384 * u * (slant * slant - u);
  const double down = landing ? std::min(max_sinking, landing_speed * elapsed) : 0;
  task.target.p = {l.from.p.x + along.s * displacement.x, l.from.p.y + along.s * displacement.y,
                   l.from.p.z + up.s * displacement.z + bump * l.lift - down};
  task.target.R = l.from.R * matrix(exponential(along.s * rotation));
  task.velocity = {
      {along.rate * displacement.x, along.rate * displacement.y, up.rate * (displacement.z + slope * l.lift)},
      task.target.R * (along.rate * rotation)};
  task.acceleration = {{along.acceleration * displacement.x, along.acceleration * displacement.y,
                        up.acceleration * (displacement.z + slope * l.lift) + up.rate * up.rate * curve * l.lift},
                       task.target.R * (along.acceleration * rotation)};
  if (landing && down < max_sinking) task.velocity.linear.z = -landing_speed;
}

}  // namespace lissom::control
