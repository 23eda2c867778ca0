#include "motion_recording.h"

#include <array>

#include "lissom/recording/header.h"
#include "output.h"

namespace {

std::string with_names(nlohmann::json settings, const lissom::Model& model, const RecordedMotion& motion) {
  for (const auto& c : motion.contacts) {
    std::vector<std::array<double, 3>> points;
    for (const auto& p : lissom::control::corners(model, c)) points.push_back({p.x, p.y, p.z});
    settings["contacts"].push_back({{"name", c.name.empty() ? c.frame : c.name},
                                    {"frame", c.frame},
                                    {"points", points},
                                    {"friction", c.friction}});
  }
  settings["stages"] = motion.stages;
  settings["phases"] = motion.phases;
  return json_text(settings);
}

}  // namespace

MotionRecording::MotionRecording(const std::string& path, nlohmann::json settings, const lissom::Model& model,
                                 const RecordedMotion& motion, const std::string& frames,
                                 const std::vector<lissom::sim::Push>& pushes, const lissom::sim::PullLaw* pull,
                                 const RecordedRos& ros)
    : signals_(model, motion.contacts, frames_to_record(model, frames), pushes, pull),
      settings_(with_names(std::move(settings), model, motion)) {
  if (path.empty()) return;
  recorder_.emplace(path, lissom::recording::describe(model, settings_), signals(), ros.options(model));
  print_notes(*recorder_);
}

void MotionRecording::write(const lissom::control::MotionFrame& frame) {
  const auto& rows = signals_.rows(frame);
  if (recorder_) recorder_->write(frame.robot.time(), rows);
  if (also_) also_(frame.robot.time(), rows);
}

void MotionRecording::close() {
  if (recorder_) recorder_->close();
}
