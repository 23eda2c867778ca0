#pragma once
// What `lissom control` records, and shows in the browser.
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lissom/control/motion_signals.h"
#include "recording_options.h"

// What a recording says about a motion as a whole.
struct RecordedMotion {
  std::vector<lissom::Contact> contacts;
  std::vector<std::string> stages, phases;  // names
};

class MotionRecording {
 public:
  // Nothing is recorded if `path` is empty. `frames` is the text of --record-frames. The names of stages and phases are
  // added to the settings, as "stages" and "phases": the signal stage holds their indices; and "contacts", with their
  // frames, corners and friction. `pull` is null if nobody can pull.
  MotionRecording(const std::string& path, nlohmann::json settings, const lissom::Model& model,
                  const RecordedMotion& motion, const std::string& frames, const std::vector<lissom::sim::Push>& pushes,
                  const lissom::sim::PullLaw* pull, const RecordedRos& ros);
  const std::vector<lissom::recording::Signal>& signals() const { return signals_.signals(); }
  const std::string& settings() const { return settings_; }
  // Every frame is given to `also`, too.
  void show(FrameSink also) { also_ = std::move(also); }
  void write(const lissom::control::MotionFrame& frame);
  void close();
  // The number of frames that are safe.
  std::uint64_t frames() const { return recorder_ ? recorder_->safe_frames() : 0; }

 private:
  lissom::control::MotionSignals signals_;
  std::string settings_;
  std::optional<lissom::recording::Recorder> recorder_;
  FrameSink also_;
};
