#include "lissom/control/motion_runner.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/state.h"
#include "lissom/control/motion_course.h"
#include "lissom/control/self_clearance.h"
#include "lissom/math/minimum_jerk.h"
#include "lissom/model/text.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::control {

namespace {

constexpr double settled_speed = .05;    // m/s, of the center of mass
constexpr double settling_filter = .03;  // s
constexpr int max_bad_ticks = 20;
// Weight of the orientation of a face that its limb cannot turn as it likes.
constexpr double partial_angular_weight = .03;

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
    : model_(model), plan_(std::move(plan)), controller_(model_, options), robot_(model_), step_(options.step) {
  q_from_ = q_to_ = q_now_ = start();
  displacement_ = Eigen::VectorXd::Zero(model_.nv());
  Workspace work(model_);
  for (const auto& s : plan_.stages)
    posture_com_.push_back(s.posture ? center_of_mass(model_, work, plan_.posture(*s.posture)) : Vec3<double>(0, 0, 0));
  com_from_ = com_to_ = com_now_ = center_of_mass(model_, work, q_to_);
  robot_.update(q_to_, displacement_);
  add_tasks();
  transitions_.reserve(8 * plan_.stages.size() + 8);
  begin_stage();
  controller_.prepare();
}

void MotionRunner::add_tasks() {
  double ground = 0;
  for (const auto& c : plan_.contacts)
    if (std::ranges::find(plan_.standing, name_of(c)) != plan_.standing.end())
      ground += placement_of(c).p.z / double(plan_.standing.size());
  height_ = com_to_.z - ground;
  size_ = std::clamp(height_ / usual_height, .2, 2.);
  const auto& g = gains_ = resolved(plan_.gains, weight(model_), height_);
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
                                      .target = robot_.placement(model_.frame(root.child)),
                                      .linear = {0, 0, 0},
                                      .stiffness = g.base_stiffness,
                                      .weight = g.base_weight,
                                      .name = "orientation of " + root.child});
  }
  for (const auto& c : plan_.contacts) add_contact(c);
  add_clearances();
  add_limb_tasks();
}

void MotionRunner::add_clearances() {
  clearances_ = plan_.clearances;
  if (plan_.self_clearances) {
    std::vector<Eigen::VectorXd> postures;
    for (const auto& [name, q] : plan_.postures) postures.push_back(q);
    const auto named = [&](const Clearance& c) {
      return std::ranges::any_of(plan_.clearances, [&](const Clearance& other) {
        return (c.a.frame == other.a.frame && c.b.frame == other.b.frame) ||
               (c.a.frame == other.b.frame && c.b.frame == other.a.frame);
      });
    };
    for (auto& c : self_clearances(model_, postures))
      if (!named(c)) clearances_.push_back(std::move(c));
  }
  for (const auto& c : clearances_) controller_.add(c);
}

// Where a contact stands at the start: at its placement, or on level ground below its frame.
Pose<double> MotionRunner::placement_of(const Contact& c) {
  return c.placement ? *c.placement : leveled(robot_.placement(model_.frame(c.frame)), c.radius);
}

void MotionRunner::add_contact(Contact c) {
  const auto& g = gains_;
  Limb l{.frame = c.frame, .id = model_.frame(c.frame)};
  l.point = c.kind == ContactKind::point;
  l.radius = c.radius;
  l.placement = placement_of(c);
  if (c.ramp == 0) c.ramp = g.ramp;
  const auto name = name_of(c);
  l.contact = controller_.add(c, {.friction = g.friction_factor,
                                  .support = g.support_scale,
                                  .min_normal_force = c.min_normal_force == 0 ? g.min_normal_force : 0});
  const bool standing = std::ranges::find(plan_.standing, name) != plan_.standing.end();
  controller_.enable(l.contact, standing);
  if (standing) controller_.set_placement(l.contact, l.placement), controller_.activate_without_ramp(l.contact);
  limbs_.push_back(l);
}

void MotionRunner::add_limb_tasks() {
  const auto& g = gains_;
  Workspace work(model_);
  forward_kinematics(model_, work, q_to_);
  for (const auto& s : plan_.stages)
    for (const auto& m : s.moves)
      if (std::ranges::none_of(limbs_, [&](const Limb& l) { return l.frame == m.frame; }))
        limbs_.push_back({.frame = m.frame, .id = model_.frame(m.frame)});
  for (auto& l : limbs_) {
    const bool few = mobility(model_, work, l.id) < 6, face = !l.point && l.contact.index >= 0;
    l.point = l.point || (few && !face);
    l.partial = few && face;
    const double angular_weight = l.point ? 0 : l.partial ? partial_angular_weight : 1;
    l.task = controller_.add(FrameTask{.frame = l.frame,
                                       .angular = {angular_weight, angular_weight, angular_weight},
                                       .stiffness = g.limb_stiffness,
                                       .weight = g.limb_weight,
                                       .name = "path of " + l.frame});
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
  const auto& own = s.posture ? posture_com_[stage_] : com_to_;
  if (s.over.empty()) return own;
  Vec3<double> middle(0, 0, 0);
  for (const auto& name : s.over) middle += limb(name).placement.p;
  middle = (1.0 / double(s.over.size())) * middle;
  return Vec3<double>(middle.x, middle.y, own.z) + s.offset;
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
  for (const auto& m : stage().moves) begin_move(limb(m.frame), m);
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
  if (robot_.update(q, v)) proceed();  // an invalid state is reported by the controller
  set_targets(time_ - phase_began_);
  const auto& tick = controller_.solve(robot_);
  const bool good = tick.status == TickStatus::optimal || tick.status == TickStatus::elastic;
  bad_ticks_ = good ? 0 : bad_ticks_ + 1;
  if (bad_ticks_ == max_bad_ticks && phase_ != Phase::failed)
    fail(std::string("the controller found no solution: ") + to_string(tick.status) + ", " + tick.reason);
  time_ += step_;
  return tick;
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
      if (std::ranges::none_of(limbs_, [](const Limb& l) { return l.moving && l.touch; })) return begin_settling();
      begin_landing();
      return enter(Phase::landing);
    case Phase::landing: {
      const Limb* in_the_air = nullptr;
      for (auto& l : limbs_) {
        if (!l.moving) continue;
        if (!l.touch || l.landed) continue;
        land(l);
        if (!l.landed) in_the_air = &l;
      }
      if (!in_the_air) return begin_settling();
      if (elapsed > stage().timeout)
        fail("limb " + in_quotes(in_the_air->frame) + " has not landed after " + to_text(stage().timeout) + " s");
      return;
    }
    case Phase::settling:
      if (settled()) return enter(Phase::holding);
      if (elapsed > stage().timeout) {
        fail("not settled after " + to_text(stage().timeout) + " s: the center of mass is " + to_text(com_error_) +
             " m from its target, tolerance " + to_text(tolerance()) + " m");
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

void MotionRunner::begin_settling() {
  com_error_ = 2 * tolerance(), com_velocity_ = {0, 0, 0};
  enter(Phase::settling);
}

double MotionRunner::tolerance() const {
  const double given = stage_ < plan_.stages.size() ? stage().tolerance : automatic;
  return given >= 0 ? given : .04 * height_;
}

// Error and velocity are filtered, so that noise does not keep the robot from settling.
bool MotionRunner::settled() {
  const double part = std::min(1.0, step_ / settling_filter);
  const auto error = controller_.tick().com - com_to_;
  com_error_ += part * (std::sqrt(dot(error, error)) - com_error_);
  com_velocity_ += part * (controller_.tick().com_velocity - com_velocity_);
  for (const auto& c : controller_.tick().contacts)
    if (c.active && c.ramp_fraction < 1) return false;
  return com_error_ < tolerance() && std::sqrt(dot(com_velocity_, com_velocity_)) < settled_speed;
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

}  // namespace lissom::control
