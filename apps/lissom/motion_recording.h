#pragma once
// What `lissom control` records, and shows in the browser.
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lissom/control/run.h"
#include "lissom/recording/recorder.h"
#include "recorded_extras.h"

// What a recording says about a motion as a whole.
struct RecordedMotion {
  std::vector<lissom::Contact> contacts;
  std::vector<std::string> stages, phases;  // names
};

// One tick of a motion.
struct MotionFrame {
  const lissom::sim::SimulatedRobot& robot;
  const lissom::control::Tick& tick;
  double tick_us;
  lissom::Vec3<double> desired_com;
  const Eigen::VectorXd &desired_q, &desired_v;
  std::size_t stage, phase;  // indices of their names
};

class MotionRecording {
 public:
  // Nothing is recorded if `path` is empty. `frames` is the text of --record-frames. The names of stages and phases are
  // added to the settings, as "stages" and "phases": the signal stage holds their indices; and "contacts", with their
  // frames, corners and friction.
  MotionRecording(const std::string& path, nlohmann::json settings, const lissom::Model& model,
                  const RecordedMotion& motion, const std::string& frames, const std::vector<lissom::sim::Push>& pushes,
                  const RecordedRos& ros);
  const std::vector<lissom::recording::Signal>& signals() const { return signals_; }
  const std::string& settings() const { return settings_; }
  // Every frame is given to `also`, too.
  void show(FrameSink also) { also_ = std::move(also); }
  void write(const MotionFrame& frame);
  // Returns the number of frames that are safe.
  std::uint64_t close();

 private:
  RecordedExtras extras_;
  std::string settings_;
  std::vector<lissom::recording::Signal> signals_;
  std::optional<lissom::recording::Recorder> recorder_;
  FrameSink also_;
  std::vector<double> limits_, use_, forces_, friction_;
};
