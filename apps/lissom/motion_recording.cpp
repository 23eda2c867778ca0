#include "motion_recording.h"

#include <array>

#include "lissom/geometry/contact_polygon.h"
#include "lissom/recording/header.h"
#include "output.h"

namespace {

namespace recording = lissom::recording;

std::vector<recording::Signal> motion_signals(const lissom::Model& model, const RecordedMotion& motion,
                                              const RecordedExtras& extras) {
  auto tau = recording::velocity_columns(model);
  for (auto& column : tau) column.unit = column.unit == "m/s" ? "N" : "N·m";
  auto use = tau;
  for (auto& column : use) column.unit = "of the limit";
  std::vector<recording::Column> forces, friction;
  for (const auto& c : motion.contacts) {
    const auto& name = c.name.empty() ? c.frame : c.name;
    for (const char* axis : {".x", ".y", ".z"}) forces.push_back({name + axis, "N"});
    friction.push_back({name, "1"});
  }
  std::vector<recording::Signal> all{
      {"q", recording::configuration_columns(model)},
      {"v", recording::velocity_columns(model)},
      {"tau", std::move(tau)},
      {"torque_use", std::move(use)},
      {"com", {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"desired.x", "m"}, {"desired.y", "m"}, {"desired.z", "m"}}},
      {"forces", std::move(forces)},
      {"friction_use", std::move(friction)},
      {"tick", {{"time", "µs"}, {"iterations", "1"}, {"status", "1"}}},
      {"stage", {{"stage", "1"}, {"phase", "1"}}}};
  all.insert(all.end(), extras.signals().begin(), extras.signals().end());
  return all;
}

// The corners of a contact's face, or its point.
std::vector<std::array<double, 3>> corners(const lissom::Model& model, const lissom::Contact& contact) {
  auto points = contact.points;
  if (points.empty() && contact.kind != lissom::ContactKind::point)
    points = find_contact_polygon(model, lissom::CollisionGeometry(model), model.frame(contact.frame));
  if (points.empty()) points.push_back({0, 0, 0});
  std::vector<std::array<double, 3>> all;
  for (const auto& p : points) all.push_back({p.x, p.y, p.z});
  return all;
}

std::string with_names(nlohmann::json settings, const lissom::Model& model, const RecordedMotion& motion) {
  for (const auto& c : motion.contacts)
    settings["contacts"].push_back({{"name", c.name.empty() ? c.frame : c.name},
                                    {"frame", c.frame},
                                    {"points", corners(model, c)},
                                    {"friction", c.friction}});
  settings["stages"] = motion.stages;
  settings["phases"] = motion.phases;
  return json_text(settings);
}

}  // namespace

MotionRecording::MotionRecording(const std::string& path, nlohmann::json settings, const lissom::Model& model,
                                 const RecordedMotion& motion, const std::string& frames,
                                 const std::vector<lissom::sim::Push>& pushes, const RecordedRos& ros)
    : extras_(model, frames, pushes, true),
      settings_(with_names(std::move(settings), model, motion)),
      signals_(motion_signals(model, motion, extras_)),
      limits_(model.effort_limit()),
      use_(limits_.size()),
      forces_(3 * motion.contacts.size()),
      friction_(motion.contacts.size()) {
  if (path.empty()) return;
  recorder_.emplace(path, recording::describe(model, settings_), signals_, ros.options(model));
  print_notes(*recorder_);
}

void MotionRecording::write(const MotionFrame& r) {
  for (std::size_t k = 0; k < friction_.size(); ++k) {
    const auto& contact = r.robot.contacts()[k];
    forces_[3 * k] = contact.force.x, forces_[3 * k + 1] = contact.force.y, forces_[3 * k + 2] = contact.force.z;
    friction_[k] = contact.friction_use;
  }
  for (std::size_t i = 0; i < use_.size(); ++i)  // 0 without a limit or a motor
    use_[i] = limits_[i] > 0 ? r.tick.unclamped_torques[long(i)] / limits_[i] : 0;
  const auto &com = r.tick.com, &desired = r.desired_com;
  const double positions[] = {com.x, com.y, com.z, desired.x, desired.y, desired.z};
  const double tick[] = {r.tick_us, double(r.tick.iterations), double(int(r.tick.status))};
  const double stage[] = {double(r.stage), double(r.phase)};
  std::vector<recording::Row> rows{r.robot.q(), r.robot.v(),     r.tick.torques,  use_, std::span(positions), forces_,
                                   friction_,   std::span(tick), std::span(stage)};
  for (const auto& row : extras_.rows(r.robot.time(), r.robot.q(), r.desired_q, r.desired_v)) rows.push_back(row);
  if (recorder_) recorder_->write(r.robot.time(), rows);
  if (also_) also_(r.robot.time(), rows);
}

std::uint64_t MotionRecording::close() {
  if (!recorder_) return 0;
  recorder_->close();
  return recorder_->safe_frames();
}
