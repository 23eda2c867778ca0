#include "lissom/control/joint_reference.h"

#include <algorithm>
#include <cmath>

#include "lissom/constraints/actuation.h"
#include "lissom/constraints/contact.h"
#include "lissom/model/text.h"

namespace lissom::control {

namespace {

constexpr double full_torque_error = .05, full_torque_speed = 2.5;  // rad, rad/s
constexpr const char* mode_names[] = {"torque", "position", "velocity"};

}  // namespace

const char* to_string(JointMode mode) {
  return mode_names[int(mode)];
}
JointMode joint_mode_of(const std::string& name) {
  for (const auto mode : {JointMode::torque, JointMode::position, JointMode::velocity})
    if (name == to_string(mode)) return mode;
  throw Error("no mode " + in_quotes(name) + "; there are torque, position and velocity");
}

// (A motor without a limit gets the weight of the robot at a lever of 0.3 m.)
ServoGains servo_gains(const Model& model, JointMode mode) {
  ServoGains gains{Eigen::VectorXd::Zero(model.nv()), Eigen::VectorXd::Zero(model.nv())};
  if (mode == JointMode::torque) return gains;
  for (const int i : actuation(model).motors) {
    const double limit = model.effort_limit()[std::size_t(i)];
    const double torque = std::isfinite(limit) ? limit : .3 * weight(model);
    if (mode == JointMode::position) gains.stiffness[i] = torque / full_torque_error;
    gains.damping[i] = torque / full_torque_speed;
  }
  return gains;
}

JointReference::JointReference(const Model& model, const ServoGains& gains, const Eigen::VectorXd& q, double step,
                               double time_constant)
    : q_(q),
      v_(Eigen::VectorXd::Zero(model.nv())),
      has_positions_(!gains.stiffness.isZero(0)),
      step_(step),
      share_(std::min(1.0, step / time_constant)) {
  if (!(step > 0) || !(time_constant > 0))
    throw Error("JointReference: step is " + to_text(step) + " s and time_constant " + to_text(time_constant) +
                " s, expected positive numbers");
  for (const auto& joint : model.joints()) {
    if (!joint_traits(joint.type).is_flat()) continue;
    for (int k = 0; k < joint.nv; ++k) {
      const int iq = joint.q_index + k, iv = joint.v_index + k;
      if (gains.stiffness[iv] == 0 && gains.damping[iv] == 0) continue;
      servos_.push_back({iq, iv, model.lower()[std::size_t(iq)], model.upper()[std::size_t(iq)],
                         model.velocity_limit()[std::size_t(iv)], gains.stiffness[iv], gains.damping[iv]});
    }
  }
}

void JointReference::advance(const Tick& tick, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  if (tick.status != TickStatus::optimal && tick.status != TickStatus::elastic) {
    v_.setZero();
    return;
  }
  for (const auto& s : servos_) advance(s, tick.accelerations[s.v], tick.torques[s.v], q[s.q], v[s.v]);
}

void JointReference::advance(const Servo& s, double a, double torque, double q, double v) {
  auto& q_ref = q_[s.q];
  auto& v_ref = v_[s.v];
  const double settled = s.stiffness > 0 ? v : v + torque / s.damping;
  v_ref = std::clamp(v_ref + step_ * a + share_ * (settled - v_ref), -s.fastest, s.fastest);
  const double home = s.stiffness > 0 ? q + torque / s.stiffness : q;
  const double next = q_ref + step_ * v_ref + share_ * (home - q_ref);
  q_ref = std::clamp(next, s.lower, s.upper);
  if (q_ref != next) v_ref = 0;
}

}  // namespace lissom::control
