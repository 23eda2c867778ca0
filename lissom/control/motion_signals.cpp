#include "lissom/control/motion_signals.h"

#include "lissom/geometry/contact_polygon.h"
#include "lissom/recording/header.h"

namespace lissom::control {

namespace {

std::vector<recording::Signal> signals_of(const Model& model, const std::vector<Contact>& contacts,
                                          const sim::RecordedExtras& extras) {
  auto use = recording::effort_columns(model);
  for (auto& column : use) column.unit = "of the limit";
  std::vector<recording::Column> forces, friction;
  for (const auto& c : contacts) {
    const auto& name = c.name.empty() ? c.frame : c.name;
    for (const char* axis : {".x", ".y", ".z"}) forces.push_back({name + axis, "N"});
    friction.push_back({name, "1"});
  }
  std::vector<recording::Signal> all{
      {"q", recording::configuration_columns(model)},
      {"v", recording::velocity_columns(model)},
      {"tau", recording::effort_columns(model)},
      {"torque_use", std::move(use)},
      {"com", {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"desired.x", "m"}, {"desired.y", "m"}, {"desired.z", "m"}}},
      {"forces", std::move(forces)},
      {"friction_use", std::move(friction)},
      {"tick", {{"time", "µs"}, {"iterations", "1"}, {"status", "1"}}},
      {"stage", {{"stage", "1"}, {"phase", "1"}}}};
  for (auto& signal : sim::RecordedEnergy::signals()) all.push_back(std::move(signal));
  all.insert(all.end(), extras.signals().begin(), extras.signals().end());
  return all;
}

}  // namespace

MotionSignals::MotionSignals(const Model& model, const std::vector<Contact>& contacts, std::vector<FrameId> frames,
                             std::vector<sim::Push> pushes, const sim::PullLaw* pull)
    : extras_(model, std::move(frames), std::move(pushes), true, pull),
      signals_(signals_of(model, contacts, extras_)),
      limits_(model.effort_limit()),
      use_(limits_.size()),
      forces_(3 * contacts.size()),
      friction_(contacts.size()) {}

const std::vector<recording::Row>& MotionSignals::rows(const MotionFrame& r) {
  for (std::size_t k = 0; k < friction_.size(); ++k) {
    const auto& contact = r.robot.contacts()[k];
    forces_[3 * k] = contact.force.x, forces_[3 * k + 1] = contact.force.y, forces_[3 * k + 2] = contact.force.z;
    friction_[k] = contact.friction_use;
  }
  for (std::size_t i = 0; i < use_.size(); ++i)  // 0 without a limit or a motor
    use_[i] = limits_[i] > 0 ? r.tick.unclamped_torques[long(i)] / limits_[i] : 0;
  const auto &com = r.tick.com, &desired = r.desired_com;
  com_ = {com.x, com.y, com.z, desired.x, desired.y, desired.z};
  tick_ = {r.tick_us, double(r.tick.iterations), double(int(r.tick.status))};
  stage_ = {double(r.stage), double(r.phase)};
  rows_.clear();
  for (const recording::Row row :
       {recording::Row(r.robot.q()), recording::Row(r.robot.v()), recording::Row(r.tick.torques), recording::Row(use_),
        recording::Row(com_), recording::Row(forces_), recording::Row(friction_), recording::Row(tick_),
        recording::Row(stage_)})
    rows_.push_back(row);
  energy_.append(r.robot.energy().kinetic, r.robot.energy().potential, r.figures, rows_);
  extras_.append(r.robot.time(), r.robot.q(), r.desired_q, r.desired_v, rows_);
  return rows_;
}

std::vector<Vec3<double>> corners(const Model& model, const Contact& contact) {
  auto points = contact.points;
  if (points.empty() && contact.kind != ContactKind::point)
    points = find_contact_polygon(model, CollisionGeometry(model), model.frame(contact.frame));
  if (points.empty()) points.push_back({0, 0, 0});
  return points;
}

}  // namespace lissom::control
