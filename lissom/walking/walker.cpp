#include "lissom/walking/walker.h"

#include <algorithm>
#include <cmath>

#include "lissom/api/state.h"
#include "lissom/constraints/robot_snapshot.h"
#include "lissom/geometry/contact_polygon.h"
#include "lissom/math/minimum_jerk.h"
#include "lissom/model/text.h"
#include "lissom/spatial/quaternion.h"
#include "lissom/walking/leg_joints.h"

namespace lissom::walking {

namespace {

constexpr double max_leg_stretch = .98;  // of a leg's length: how far it may stretch
constexpr double fastest_foot = .7;      // mean speed of a swinging foot, of √(g h)
constexpr double joint_speed_use = .8;   // of the velocity limits of joints
constexpr double weak_ankle = .3;        // of half the sole: how far the center of pressure should be able to go
constexpr double torque_use = .8;        // of the ankles' torques, for which plans may reckon
constexpr double max_descent = .15;      // of the height: how far the center of mass may come down at a time
constexpr double slip_rate = .005;       // fraction of a foot's slip by which its contact follows per tick
constexpr double velocity_filter = .03;  // s, of the center of mass, to judge whether it is at rest

double yaw_of(const Mat3<double>& R) {
  return std::atan2(R.yx, R.xx);
}
Mat3<double> about_z(double yaw) {
  const double c = std::cos(yaw), s = std::sin(yaw);
  return {c, -s, 0, s, c, 0, 0, 0, 1};
}
Columns6 jacobian_of(const RobotSnapshot& robot, FrameId frame) {
  Columns6 J(6, robot.model.nv());
  robot.jacobian(frame, robot.placement(frame).p, identity3<double>(), J);
  return J;
}

}  // namespace

const char* to_string(Walker::Phase phase) {
  constexpr const char* words[] = {"standing", "transfer", "swing", "done"};
  return words[int(phase)];
}

Walker::Walker(const Model& model, const Eigen::VectorXd& q, const std::vector<Contact>& feet,
               const GaitOptions& options, const control::WholeBodyOptions& whole_body, const WalkerGains& gains)
    : model_(model),
      options_(options),
      gains_(gains),
      controller_(model_, whole_body),
      robot_(model_),
      step_(whole_body.step) {
  const auto& g = model_.gravity();
  const double gravity = std::sqrt(dot(g, g));
  if (!(gravity > 0)) throw Error("a robot cannot walk without gravity");
  if (model_.joints().empty() || model_.joints().front().type != JointType::free)
    throw Error("a robot that walks needs a free base: load it with Base::free");
  mass_ = model_.moving_mass();
  if (!sense(q, Eigen::VectorXd::Zero(model_.nv()))) throw Error(robot_.invalid_because().c_str());
  add_legs(feet);
  double ground = 0;
  for (const auto& leg : legs_) ground += leg.stands.height / double(legs_.size());
  height_ = com_.z - ground;
  omega_ = std::sqrt(gravity / height_);
  dcm_ = {com_.x, com_.y};
  add_tasks(q);
  std::vector<StandingLeg> places;
  double foot_length = 0;
  for (const auto& leg : legs_) {
    places.push_back({leg.offset});
    foot_length = std::max(foot_length, 2 * leg.sole.x() / gains_.support_scale);
  }
  // Peaks are 1.9 times the mean of a minimum-jerk motion.
  max_foot_speed_ = std::min(fastest_foot * omega_ * height_, joint_speed_use * max_joint_speed_ * height_ / 1.9);
  plan_ = plan_footsteps(options_, places, body_of(), {height_, gravity, max_foot_speed_, foot_length});
  yaw_from_ = yaw_to_ = body_of().yaw;
  ground_from_ = ground_to_ = ground;
  start_ = body_of();
  for (const auto& leg : legs_) stands_.push_back(leg.stands);
  preview_ = stands_;
  close_support();
  pressure_from_ = dcm_;
  controller_.prepare();
}

void Walker::add_legs(const std::vector<Contact>& feet) {
  std::vector<FrameId> frames;
  for (const auto& foot : feet) frames.push_back(model_.frame(foot.frame));
  const auto joints = leg_joints(model_, frames);
  for (const auto& leg : joints) leg_dofs_.insert(leg_dofs_.end(), leg.begin(), leg.end());
  for (std::size_t i = 0; i < feet.size(); ++i) {
    Leg leg;
    leg.frame = feet[i].frame, leg.id = frames[i], leg.kind = feet[i].kind, leg.joints = int(joints[i].size());
    const auto X = robot_.placement(leg.id);
    Contact contact = feet[i];
    const double ground = options_.start_height;
    leg.clearance = leg.kind == ContactKind::point ? X.p.z - ground : 0;
    leg.stands = {.position = {X.p.x, X.p.y}, .height = ground, .yaw = yaw_of(X.R)};
    leg.aim = leg.stands;
    contact.friction *= gains_.friction_factor;
    contact.ramp = gains_.ramp * std::sqrt(com_.z / 9.81);
    if (contact.kind == ContactKind::surface) {
      if (contact.points.empty()) contact.points = contact_polygon(model_, leg.id);
      scale_about_mean(contact.points, gains_.support_scale);
      for (const auto& p : contact.points) leg.points.push_back({p.x, p.y});
      for (const auto& p : leg.points)
        for (const auto& r : leg.points) leg.sole = leg.sole.cwiseMax(.5 * (p - r).cwiseAbs());
    } else {
      leg.points.push_back(Vec2::Zero());
    }
    measure(leg, joints[i], X);
    contact.placement = {};
    leg.contact = controller_.add(contact);
    controller_.set_placement(leg.contact, standing_pose(leg));
    controller_.activate_without_ramp(leg.contact);
    legs_.push_back(std::move(leg));
  }
  set_offsets();
}

// How long the leg can become, from its first joint to its last one. Of those between, only the ones that pitch stretch
// it: the offsets between the joints of a hip stay as they are.
void Walker::measure(Leg& leg, const std::vector<int>& dofs, const Pose<double>& foot) {
  const auto R = about_z(yaw_of(foot.R));
  const auto J = jacobian_of(robot_, leg.id);
  std::vector<Vec3<double>> origins;
  for (const int dof : dofs)
    for (const auto& joint : model_.joints())
      if (joint.nv > 0 && joint.v_index <= dof && dof < joint.v_index + joint.nv) {
        const double pitches = dot(Vec3<double>(J(3, dof), J(4, dof), J(5, dof)), Vec3<double>(R.xy, R.yy, R.zy));
        if (!origins.empty() && dof != dofs.back() && std::abs(pitches) < .5) continue;
        (origins.empty() ? leg.ankle : leg.hip) = model_.frame(joint.child);
        origins.push_back(robot_.placement(model_.frame(joint.child)).p);
      }
  if (origins.size() < 2) return;
  // A leg that ends in a ball goes on to it.
  const bool ball = leg.kind == ContactKind::point;
  if (ball) leg.ankle = leg.id, origins.insert(origins.begin(), foot.p);
  for (std::size_t k = 1; k < origins.size(); ++k) {
    const auto d = origins[k] - origins[k - 1];
    leg.length += std::sqrt(dot(d, d));
  }
  const auto d = (ball ? foot.p : origins[0]) - foot.p;
  leg.ankle_offset = transpose(about_z(yaw_of(foot.R))) * d;
  limit_by_torques(leg, dofs, foot);
}

// The ankle has to carry the moment of the whole weight about it: the center of pressure goes no farther from its axes
// than the torques allow. The slowest of the joints that swing the leg limits the speed of the foot.
void Walker::limit_by_torques(Leg& leg, const std::vector<int>& dofs, const Pose<double>& foot) {
  const auto R = about_z(yaw_of(foot.R));
  const Vec3<double> ahead(R.xx, R.yx, R.zx), aside(R.xy, R.yy, R.zy);
  const auto J = jacobian_of(robot_, leg.id);
  bool pitch = false, roll = false, ankle_rolls = false;
  for (const int dof : dofs) {
    const Vec3<double> axis(J(3, dof), J(4, dof), J(5, dof));
    const double reach = torque_use * model_.effort_limit()[std::size_t(dof)] / weight(model_);
    const auto joint = std::find_if(model_.joints().begin(), model_.joints().end(),
                                    [&](const Joint& j) { return j.v_index == dof && j.nv == 1; });
    if (joint == model_.joints().end()) continue;
    const auto at = transpose(R) * (robot_.placement(model_.frame(joint->child)).p - foot.p);
    const bool pitches = std::abs(dot(axis, aside)) > .7, rolls = std::abs(dot(axis, ahead)) > .7;
    if (pitches) max_joint_speed_ = std::min(max_joint_speed_, model_.velocity_limit()[std::size_t(dof)]);
    for (auto& p : leg.points) {
      if (pitches && !pitch) p.x() = std::clamp(p.x(), at.x - reach, at.x + reach);
      if (rolls && !roll) p.y() = std::clamp(p.y(), at.y - reach, at.y + reach);
    }
    if (pitches && !pitch && reach < weak_ankle * leg.sole.x())
      remarks_.push_back(
          "the ankle of " + in_quotes(leg.frame) + " has " + to_text(model_.effort_limit()[std::size_t(dof)]) +
          " N m: under the whole weight the center of pressure can move by no more than " + to_text(reach) + " m");
    ankle_rolls = ankle_rolls || (rolls && at.z < .4 * leg.length);
    pitch = pitch || pitches, roll = roll || rolls;
  }
  if (leg.kind == ContactKind::surface && !ankle_rolls) {
    soles_stay_level_ = false;
    remarks_.push_back("the leg of " + in_quotes(leg.frame) +
                       " has no ankle that rolls: its sole tilts when the robot sways, and it takes no capture steps");
  }
}

// How far the hips have to come down so that all legs reach their feet; at most a fraction of the height.
double Walker::needed_descent() const {
  double descent = 0;
  for (const auto& leg : legs_) {
    if (leg.length <= 0) continue;
    const auto hip = robot_.placement(leg.hip).p;
    auto ankle = robot_.placement(leg.ankle).p;
    double x = hip.x - ankle.x, y = hip.y - ankle.y;
    if (leg.swings) {
      const double remaining = std::max(0.0, phase_began_ + phase_seconds_ - time_);
      const auto at = about_z(leg.target.yaw) * leg.ankle_offset;
      x = hip.x + remaining * com_velocity_.x - leg.target.position.x() - at.x;
      y = hip.y + remaining * com_velocity_.y - leg.target.position.y() - at.y;
      ankle.z = leg.target.height + leg.clearance + at.z;
    }
    const double longest = max_leg_stretch * leg.length, across = std::min(std::hypot(x, y), .9 * longest);
    descent = std::max(descent, hip.z - ankle.z - std::sqrt(longest * longest - across * across));
  }
  return std::min(descent, max_descent * height_);
}

// Where each foot is, seen from the middle of all.
void Walker::set_offsets() {
  Vec2 middle = Vec2::Zero(), heading = Vec2::Zero();
  for (const auto& leg : legs_) {
    middle += leg.stands.position / double(legs_.size());
    heading += Vec2(std::cos(leg.stands.yaw), std::sin(leg.stands.yaw));
  }
  // Frames of ball feet may be turned anyhow; the base tells where forward is.
  const auto base = robot_.placement(model_.frame(model_.joints().front().child));
  const bool soles = std::all_of(legs_.begin(), legs_.end(), [](const Leg& l) { return l.points.size() > 1; });
  const double yaw = soles ? std::atan2(heading.y(), heading.x()) : yaw_of(base.R);
  const double c = std::cos(yaw), s = std::sin(yaw);
  for (auto& leg : legs_) {
    const Vec2 d = leg.stands.position - middle;
    leg.offset = {c * d.x() + s * d.y(), -s * d.x() + c * d.y()};
    leg.yaw_offset = std::remainder(leg.stands.yaw - yaw, 2 * M_PI);
  }
  base_tilt_ = transpose(about_z(yaw)) * base.R;
}

std::vector<Walker::Footstep> Walker::grounds() const {
  std::vector<Footstep> all;
  for (std::size_t i = 0; i < legs_.size(); ++i) all.push_back({int(i), legs_[i].aim});
  for (const auto& body : plan_.bodies)
    for (std::size_t i = 0; i < legs_.size(); ++i) all.push_back({int(i), foothold(body, int(i))});
  return all;
}

Foothold Walker::body_of() const {
  Foothold body;
  Vec2 heading = Vec2::Zero();
  for (const auto& leg : legs_) {
    body.position += leg.stands.position / double(legs_.size());
    body.height += leg.stands.height / double(legs_.size());
    const double yaw = leg.stands.yaw - leg.yaw_offset;
    heading += Vec2(std::cos(yaw), std::sin(yaw));
  }
  body.yaw = std::atan2(heading.y(), heading.x());
  return body;
}

Pose<double> Walker::standing_pose(const Leg& leg) const {
  return {about_z(leg.stands.yaw),
          {leg.stands.position.x(), leg.stands.position.y(), leg.stands.height + leg.clearance}};
}

void Walker::limb_targets(std::vector<control::MotionRunner::LimbTarget>& to) const {
  for (const auto& leg : legs_) {
    const bool ball = leg.kind == ContactKind::point;
    if (!leg.swings) to.push_back({&leg.frame, leg.id, standing_pose(leg), ball, true, ball ? leg.clearance : 0});
  }
}

void Walker::add_tasks(const Eigen::VectorXd& q) {
  const auto squared = [&](double frequency) { return frequency * frequency * omega_ * omega_; };
  com_task_ = controller_.add(
      control::CenterOfMassTask{.target = com_, .stiffness = 0, .damping = 0, .weight = gains_.com_weight});
  // What is no leg stays as it is: a soft waist would give way to a push at the chest.
  Eigen::VectorXd weights = Eigen::VectorXd::Constant(model_.nv(), gains_.upper_weight / gains_.posture_weight);
  Eigen::VectorXd stiffness = Eigen::VectorXd::Constant(model_.nv(), squared(gains_.upper_frequency));
  for (const int i : leg_dofs_) weights[i] = 1, stiffness[i] = squared(gains_.posture_frequency);
  posture_ = controller_.add(control::PostureTask{.target = q,
                                                  .joint_weights = weights,
                                                  .joint_stiffness = stiffness,
                                                  .stiffness = squared(gains_.posture_frequency),
                                                  .weight = gains_.posture_weight});
  const double inertia = mass_ * height_ * height_;
  controller_.add(control::MomentumTask{.damping = gains_.momentum_damping * omega_,
                                        .weight = gains_.momentum_weight / (inertia * inertia)});
  const auto& root = model_.joints().front();
  base_ = controller_.add(control::FrameTask{.frame = root.child,
                                             .target = robot_.placement(model_.frame(root.child)),
                                             .linear = {0, 0, 0},
                                             .stiffness = squared(gains_.base_frequency),
                                             .weight = gains_.base_weight,
                                             .name = "orientation of " + root.child});
  for (auto& leg : legs_) {
    const bool turns = leg.joints >= 6 && leg.kind == ContactKind::surface;
    const bool pitches = leg.joints >= 5 && leg.kind == ContactKind::surface;
    leg.path = controller_.add(control::FrameTask{.frame = leg.frame,
                                                  .angular = turns     ? Vec3<double>{1, 1, 1}
                                                             : pitches ? Vec3<double>{.02, 1, 1}
                                                                       : Vec3<double>{0, 0, 0},
                                                  .stiffness = squared(gains_.foot_frequency),
                                                  .weight = gains_.foot_weight,
                                                  .name = "path of " + leg.frame});
    controller_.enable(leg.path, false);
  }
}

bool Walker::sense(const VectorIn& q, const VectorIn& v) {
  if (!robot_.update(q, v)) return false;
  com_ = robot_.com;
  com_velocity_ = (1 / mass_) * Vec3<double>(robot_.momentum[0], robot_.momentum[1], robot_.momentum[2]);
  dcm_ = Vec2(com_.x, com_.y) + Vec2(com_velocity_.x, com_velocity_.y) / omega_;
  return true;
}

const control::Tick& Walker::advance(const VectorIn& q, const VectorIn& v) {
  if (sense(q, v)) {  // an invalid state is reported by the controller
    filtered_velocity_ += std::min(1., step_ / velocity_filter) * (com_velocity_ - filtered_velocity_);
    follow_slips();
    close_support();
    proceed();
    plan_pressure();
    if (phase_ == Phase::swing) adapt();
    set_targets();
  }
  const auto& tick = controller_.solve(robot_);
  time_ += step_;
  return tick;
}

// A contact that has slipped is not pulled back to where it was.
void Walker::follow_slips() {
  for (auto& leg : legs_) {
    if (leg.swings) continue;
    const auto X = robot_.placement(leg.id);
    leg.stands.position += slip_rate * (Vec2(X.p.x, X.p.y) - leg.stands.position);
    leg.stands.yaw += slip_rate * std::remainder(yaw_of(X.R) - leg.stands.yaw, 2 * M_PI);
    controller_.set_placement(leg.contact, standing_pose(leg));
  }
}

void Walker::close_support() {
  support_.clear();
  for (const auto& leg : legs_) {
    if (leg.swings) continue;
    const double c = std::cos(leg.stands.yaw), s = std::sin(leg.stands.yaw);
    for (const auto& p : leg.points)
      support_.add(leg.stands.position + Vec2(c * p.x() - s * p.y(), s * p.x() + c * p.y()));
  }
  support_.close();
}

// ξ̇ = ω (ξ - p) follows the reference with the rate ω (gain - 1).
Vec2 Walker::desired_pressure() const {
  const Vec2 p = dcm_plan_.pressure() + gains_.dcm_gain * (dcm_ - desired_dcm()), inside = support_.nearest(p);
  const double outside = (p - inside).norm(), most = gains_.hip_reach * height_;
  return outside > most ? Vec2(inside + (most / outside) * (p - inside)) : p;
}

void Walker::set_targets() {
  const Vec2 p = desired_pressure(), a = omega_ * omega_ * (Vec2(com_.x, com_.y) - p);
  const double elapsed = time_ - step_began_;
  const auto r = minimum_jerk(elapsed, step_seconds_);
  const double climb = ground_to_ - ground_from_, rate = gains_.height_frequency * omega_;
  const double z = std::min(height_ + ground_from_ + r.s * climb, com_.z - needed_descent());
  controller_[com_task_].acceleration = {
      a.x(), a.y(),
      r.acceleration * climb + rate * rate * (z - com_.z) + 2 * rate * (r.rate * climb - com_velocity_.z)};
  auto& base = controller_[base_];
  const double yaw_change = std::remainder(yaw_to_ - yaw_from_, 2 * M_PI);
  base.target.R = about_z(yaw_from_ + r.s * yaw_change) * base_tilt_;
  base.velocity.angular = {0, 0, r.rate * yaw_change};
  base.acceleration.angular = {0, 0, r.acceleration * yaw_change};
  for (auto& leg : legs_)
    if (leg.swings && !leg.landed) set_foot(leg, phase_began_ + phase_seconds_ - time_);
}

void Walker::set_foot(Leg& leg, double remaining) {
  const Vec3<double> to(leg.target.position.x(), leg.target.position.y(), leg.target.height + leg.clearance - leg.sunk);
  leg.swing.advance(to, std::max(remaining, step_), step_);
  auto& task = controller_[leg.path];
  const auto r = minimum_jerk(leg.swing.fraction(), 1);
  const double yaw_change = std::remainder(leg.target.yaw - leg.stands.yaw, 2 * M_PI);
  task.target = {about_z(leg.stands.yaw + r.s * yaw_change), leg.swing.position};
  task.velocity = {leg.swing.velocity, {0, 0, r.rate * leg.swing.rate() * yaw_change}};
  task.acceleration = {leg.swing.acceleration, {0, 0, 0}};
}

}  // namespace lissom::walking
