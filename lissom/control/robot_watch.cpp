#include "lissom/control/robot_watch.h"

#include <algorithm>
#include <cmath>

#include "lissom/control/motion_plan.h"
#include "lissom/model/text.h"

namespace lissom::control {

namespace {

std::vector<MotorReport> motors_of(const Model& model, const std::vector<int>& motors) {
  std::vector<MotorReport> all;
  for (const auto& joint : model.joints())
    for (int i = 0; i < joint.nv; ++i)
      if (std::ranges::find(motors, joint.v_index + i) != motors.end())
        all.push_back({joint.name, 0, joint.effort_limit[i], 1e9, 0, joint.velocity_limit[i]});
  return all;
}

// "torque of" of "torque of left_knee".
std::string_view kind_of(std::string_view constraint) {
  const auto of = constraint.find(" of ");
  return of == std::string_view::npos ? constraint : constraint.substr(0, of);
}

}  // namespace

RobotWatch::RobotWatch(const Model& model, std::vector<int> motors, const std::vector<Contact>& contacts,
                       const sim::SimulatedRobot& robot, RobotFigures report)
    : model_(model), dofs_(std::move(motors)), robot_(robot), report_(report), weight_(weight(robot.model())) {
  for (const auto& c : contacts) report_.contacts.push_back({name_of(c)});
  report_.motors = motors_of(model, dofs_);
}

void RobotWatch::watch(const Tick& tick) {
  watch_motors(tick);
  watch_contacts(tick);
  watch_conflicts(tick);
}

void RobotWatch::watch_motors(const Tick& tick) {
  for (std::size_t k = 0; k < dofs_.size(); ++k) {
    auto& m = report_.motors[k];
    m.max_torque = std::max(m.max_torque, std::abs(tick.unclamped_torques[dofs_[k]]));
    if (m.saturated < 0 && std::abs(tick.unclamped_torques[dofs_[k]]) >= .999 * m.limit) m.saturated = robot_.time();
    m.max_velocity = std::max(m.max_velocity, std::abs(robot_.v()[dofs_[k]]));
    const auto& joint = model_.joint(m.joint);
    if (joint.nq != 1 || joint.lower.empty()) continue;
    const double q = robot_.q()[joint.q_index];
    m.nearest_limit = std::min({m.nearest_limit, q - joint.lower[0], joint.upper[0] - q});
  }
}

void RobotWatch::watch_contacts(const Tick& tick) {
  for (std::size_t k = 0; k < report_.contacts.size(); ++k) {
    auto& c = report_.contacts[k];
    const auto& touch = robot_.contacts()[k];
    c.max_normal = std::max(c.max_normal, touch.normal);
    auto& use = touch.normal > sim::light_load * weight_ ? c.friction_use : c.light_friction_use;
    use = std::max(use, touch.friction_use);
    c.slip = std::max(c.slip, touch.slip);
    c.loaded_slip = std::max(c.loaded_slip, touch.loaded_slip);
    c.planned_friction_use = std::max(c.planned_friction_use, tick.contacts[k].friction_use);
  }
}

void RobotWatch::watch_conflicts(const Tick& tick) {
  for (const auto& c : tick.conflicts) {
    const auto known = std::ranges::find_if(report_.conflicts, [&](const ConflictReport& r) {
      return r.unit == c.unit && kind_of(r.name) == kind_of(*c.name);
    });
    const bool is_new = known == report_.conflicts.end();
    auto& entry = is_new ? report_.conflicts.emplace_back(ConflictReport{.name = *c.name, .unit = c.unit}) : *known;
    if (is_new) entry.first = robot_.time();
    if (is_new || entry.last != robot_.time()) ++entry.ticks, entry.last = robot_.time();
    if (std::ranges::find(entry.names, *c.name) == entry.names.end()) entry.names.push_back(*c.name);
    if (std::abs(c.amount) > std::abs(entry.amount)) entry.amount = c.amount, entry.name = *c.name;
  }
}

std::string RobotWatch::saturated() const {
  std::string text;
  for (const auto& m : report_.motors)
    if (m.saturated >= 0)
      text += (text.empty() ? "" : ", ") + m.joint + " (" + to_text(m.limit) + " N m, from " + to_text(m.saturated) +
              " s on)";
  return text;
}

std::vector<std::string> RobotWatch::beyond_limits(const Tolerances& tolerances) const {
  std::vector<std::string> misses;
  for (const auto& m : report_.motors) {
    if (m.nearest_limit < -tolerances.joint_limit)
      misses.push_back(m.joint + " goes " + to_text(-m.nearest_limit) + " rad beyond its position limit");
    if (m.velocity_limit > 0 && m.max_velocity > tolerances.velocity * m.velocity_limit)
      misses.push_back(m.joint + " moves with " + to_text(m.max_velocity) + " rad/s, its limit is " +
                       to_text(m.velocity_limit));
  }
  return misses;
}

}  // namespace lissom::control
