#include "lissom/control/motion_report.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lissom/api/kinematics.h"
#include "lissom/api/state.h"
#include "lissom/control/motion_watch.h"
#include "lissom/math/quantile.h"
#include "lissom/model/text.h"
#include "lissom/spatial/quaternion.h"

namespace lissom::control {

namespace {

constexpr double after_push = 1;  // s: how long a robot may take to return after a push
constexpr double during = 2;      // of the tolerances at the ends of holds: what is allowed during them

std::string in_millimeters(double meters) {
  return to_text(std::round(1e4 * meters) / 10) + " mm";
}

}  // namespace

double MotionReport::max_friction_use() const {
  double most = 0;
  for (const auto& c : contacts) most = std::max(most, c.friction_use);
  return most;
}
double MotionReport::max_slip() const {
  double most = 0;
  for (const auto& c : contacts) most = std::max(most, c.slip);
  return most;
}
double MotionReport::max_loaded_slip() const {
  double most = 0;
  for (const auto& c : contacts) most = std::max(most, c.loaded_slip);
  return most;
}
double MotionReport::max_torque_use() const {
  double most = 0;
  for (const auto& m : motors) most = std::max(most, m.max_torque / m.limit);
  return most;
}

MotionWatch::MotionWatch(const Model& model, MotionRunner& runner, const sim::SimulatedRobot& robot,
                         const Tolerances& tolerances, MotionReport& report)
    : model_(model),
      runner_(runner),
      robot_(robot),
      tolerances_(tolerances),
      report_(report),
      work_(robot.model()),
      robot_watch_(model, runner.controller().motors(), runner.plan().contacts, robot,
                   {report.contacts, report.motors, report.conflicts}),
      size_(std::clamp(runner.height() / usual_height, .2, 3.)) {
  const auto named = runner.plan().clearances.size();
  for (const auto& c : runner.clearances())
    report_.clearances.push_back({.name = name_of(c),
                                  .min_distance = std::numeric_limits<double>::infinity(),
                                  .required = c.min_distance,
                                  .influence_distance = c.influence_distance,
                                  .automatic = report_.clearances.size() >= named});
  report_.watched_pairs = int(runner.clearances().size() - named);
}

void MotionWatch::watch(const Tick& tick, double tick_us) {
  ++report_.ticks;
  const bool elastic = tick.status == TickStatus::elastic;
  if (elastic && report_.first_elastic < 0) report_.first_elastic = robot_.time();
  report_.elastic_ticks += elastic;
  report_.failed_ticks += !elastic && tick.status != TickStatus::optimal;
  times_.push_back(tick_us);
  if (elastic) elastic_times_.push_back(tick_us);
  robot_watch_.watch(tick);
  for (std::size_t k = 0; k < report_.clearances.size(); ++k)
    report_.clearances[k].min_distance = std::min(report_.clearances[k].min_distance, tick.clearances[k]);
  const auto error = center_of_mass(robot_.model(), work_, robot_.q()) - runner_.desired_com();
  com_error_ = std::sqrt(dot(error, error));
  report_.max_com_error = std::max(report_.max_com_error, com_error_);
  look_at_hold();
}

void MotionWatch::track(const JointReference& reference) {
  report_.tracking_unit = reference.has_positions() ? "rad" : "rad/s";
  for (const auto& m : report_.motors) {
    const auto& joint = model_.joint(m.joint);
    if (joint.nq != 1) continue;
    const double off = reference.has_positions() ? std::abs(reference.q()[joint.q_index] - robot_.q()[joint.q_index])
                                                 : std::abs(reference.v()[joint.v_index] - robot_.v()[joint.v_index]);
    if (off > report_.max_tracking_error) report_.max_tracking_error = off, report_.tracking_joint = m.joint;
  }
}

// What counts most is the last tick of a hold: a push may take the robot away for a moment.
void MotionWatch::look_at_hold() {
  const bool holding = runner_.phase() == MotionRunner::Phase::holding;
  if (holding_ && (!holding || runner_.stage_index() != stage_)) end_hold();
  holding_ = holding;
  if (!holding) return;
  stage_ = runner_.stage_index();
  targets_.clear();
  runner_.limb_targets(targets_);
  desired_ = runner_.desired_q();
  q_ = robot_.q();
  held_com_ = runner_.desired_com();
  com_tolerance_ = std::max(tolerances_.com * size_, 1.5 * runner_.tolerance());
  if (!is_pushed()) look_during_hold();
}

// Or was within the last second; or somebody may pull at it.
bool MotionWatch::is_pushed() const {
  const auto& options = robot_.options();
  const double now = robot_.time();
  return options.forces || std::ranges::any_of(options.imperfections.pushes, [&](const sim::Push& push) {
           return push.from <= now && now < push.until + after_push;
         });
}

void MotionWatch::look_during_hold() {
  const auto& stage = runner_.plan().stages[stage_];
  const auto miss = [&](const std::string& what, double off, double tolerance) {
    if (off > tolerance && during_missed_ != stage_)
      during_missed_ = stage_, report_.misses.push_back("during the hold of stage " + in_quotes(stage.name) +
                                                        ", at t = " + to_text(robot_.time()) + " s, " + what);
  };
  report_.max_hold_com_error = std::max(report_.max_hold_com_error, com_error_);
  miss("the center of mass is " + in_millimeters(com_error_) + " from its target", com_error_, during * com_tolerance_);
  const auto [joint, off] = worst_joint();
  if (!joint) return;
  report_.max_hold_posture_error = std::max(report_.max_hold_posture_error, off);
  miss(joint->name + " is " + to_text(off) + " rad from its posture", off, during * tolerances_.posture);
}

void MotionWatch::end_hold() {
  const auto& stage = runner_.plan().stages[stage_];
  const auto com = center_of_mass(robot_.model(), work_, q_) - held_com_;
  const double off = std::sqrt(dot(com, com));
  report_.hold_com_error = std::max(report_.hold_com_error, off);
  if (off > com_tolerance_)
    report_.misses.push_back("at the end of stage " + in_quotes(stage.name) + ", the center of mass is " +
                             in_millimeters(off) + " from its target, tolerance " + in_millimeters(com_tolerance_));
  forward_kinematics(robot_.model(), work_, q_);
  look_at_limbs();
  look_at_posture();
}

void MotionWatch::look_at_limbs() {
  const auto& stage = runner_.plan().stages[stage_].name;
  for (const auto& target : targets_) {
    const auto X = placement(robot_.model(), work_, target.id);
    const auto away = X.p - target.placement.p;
    const auto rotation = logarithm(quaternion(transpose(target.placement.R) * X.R));
    const double distance = std::sqrt(dot(away, away)), angle = target.point ? 0 : std::sqrt(dot(rotation, rotation));
    auto known = std::ranges::find(report_.limbs, *target.frame, &LimbReport::frame);
    if (known == report_.limbs.end()) {
      report_.limbs.push_back({*target.frame, 0, 0, stage});
      known = report_.limbs.end() - 1;
    }
    if (distance > known->distance) known->distance = distance, known->stage = stage;
    known->angle = std::max(known->angle, angle);
    const double tolerance = tolerances_.limb * size_ + target.radius;
    if (distance > tolerance || angle > tolerances_.limb_angle)
      report_.misses.push_back("at the end of stage " + in_quotes(stage) + ", " + *target.frame + " is " +
                               in_millimeters(distance) +
                               (angle > tolerances_.limb_angle ? " and " + to_text(angle) + " rad" : "") +
                               " from its target, tolerance " + in_millimeters(tolerance));
  }
}

// The joint that is farthest from the posture of the stage, and how far; none if no posture is asked for.
std::pair<const Joint*, double> MotionWatch::worst_joint() {
  const auto& stage = runner_.plan().stages[stage_];
  // (A limb that is moved has a target of its own, and a stage without a hold goes on before joints have settled.)
  if (!stage.posture || !stage.moves.empty() || stage.hold == 0) return {nullptr, 0};
  difference_ = difference(model_, desired_, q_);
  double most = 0;
  const Joint* which = nullptr;
  for (const auto& joint : model_.joints())
    for (int i = joint.v_index; joint.type != JointType::free && i < joint.v_index + joint.nv; ++i)
      if (const double off = std::abs(difference_[i]); off > most) most = off, which = &joint;
  return {which, most};
}

void MotionWatch::look_at_posture() {
  const auto [which, most] = worst_joint();
  if (!which) return;
  if (most > report_.hold_posture_error) report_.hold_posture_error = most, report_.hold_posture_joint = which->name;
  if (most > tolerances_.posture)
    report_.misses.push_back("at the end of stage " + in_quotes(runner_.plan().stages[stage_].name) + ", " +
                             which->name + " is " + to_text(most) + " rad from its posture, tolerance " +
                             to_text(tolerances_.posture));
}

void MotionWatch::judge() {
  if (holding_ && runner_.done()) end_hold();
  if (!runner_.done()) report_.misses.clear();  // the reason why it is not done says more
  if (runner_.done())
    for (auto& miss : robot_watch_.beyond_limits(tolerances_)) report_.misses.push_back(std::move(miss));
  sum_up();
}

void MotionWatch::sum_up() {
  std::erase_if(report_.clearances, [](const ClearanceReport& c) { return c.automatic && !c.near(); });
  std::ranges::sort(times_);
  std::ranges::sort(elastic_times_);
  report_.tick_median = quantile(times_, .5), report_.tick_p99 = quantile(times_, .99),
  report_.tick_max = quantile(times_, 1);
  report_.elastic_median = quantile(elastic_times_, .5), report_.elastic_max = quantile(elastic_times_, 1);
}

}  // namespace lissom::control
