#pragma once
// What `lissom sim` records of a world, and shows in the browser (docs/recordings.md).
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lissom/recording/recorder.h"
#include "lissom/scenes/world_signals.h"
#include "lissom/sim/controller.h"
#include "lissom/sim/recorded_extras.h"
#include "recording_options.h"

struct WorldRecordingOptions {
  std::string path;  // --record; empty: nothing is recorded
  nlohmann::json settings;
  std::string frames;  // --record-frames
  std::vector<lissom::sim::Push> pushes;
  const lissom::sim::PullLaw* pull = nullptr;  // of the page; null: nobody can pull
  lissom::sim::Trajectory reference;           // of the only robot; empty if there is none
  double frame_count = 0, seconds = 0;         // expected
  std::optional<double> max_gigabytes;         // --max-size
  RecordedRos ros;
};

class WorldRecording {
 public:
  // Throws Error if the recording would be too large (recording_size.h).
  WorldRecording(const WorldRecordingOptions& options, const lissom::scenes::Scene& scene,
                 const lissom::scenes::WorldModel& model);
  const std::vector<lissom::recording::Signal>& signals() const { return signals_; }
  // With the names of everything that touches, to which contacts refer.
  const nlohmann::json& settings() const { return settings_; }
  // Every frame is given to `also`, too.
  void show(FrameSink also) { also_ = std::move(also); }
  void write(lissom::scenes::Simulation& simulation, const lissom::StepReport& step);
  void close() {
    if (recorder_) recorder_->close();
  }
  std::uint64_t frames() const { return recorder_ ? recorder_->safe_frames() : 0; }

 private:
  lissom::scenes::WorldSignals of_world_;
  nlohmann::json settings_;
  lissom::sim::RecordedExtras extras_;
  lissom::sim::Trajectory reference_;
  lissom::sim::Reference desired_;
  std::vector<lissom::recording::Signal> signals_;
  std::optional<lissom::recording::Recorder> recorder_;
  FrameSink also_;
};
