#pragma once
// What `lissom sim` records, and shows in the browser.
#include <optional>
#include <string>
#include <vector>

#include "lissom/recording/recorder.h"
#include "lissom/sim/recorded_energy.h"
#include "lissom/sim/recorded_extras.h"
#include "lissom/sim/simulation.h"
#include "recording_options.h"

struct SimRecordingOptions {
  std::string path;                  // --record; empty: nothing is recorded
  lissom::recording::Header header;  // the robot and the settings
  std::string frames;                // --record-frames
  std::vector<lissom::sim::Push> pushes;
  const lissom::sim::PullLaw* pull = nullptr;  // of the page; null: nobody can pull
  lissom::sim::Trajectory reference;           // that the controller follows; empty if there is none
  double frame_count = 0, seconds = 0;         // expected
  std::optional<double> max_gigabytes;         // --max-size
  RecordedRos ros;
};

class SimRecording {
 public:
  // Throws Error if the recording would be too large (recording_size.h).
  SimRecording(const SimRecordingOptions& options, lissom::sim::System& system);
  const std::vector<lissom::recording::Signal>& signals() const { return signals_; }
  // Every frame is given to `also`, too.
  void show(FrameSink also) { also_ = std::move(also); }
  void write(const lissom::sim::Reading& reading);
  void close() {
    if (recorder_) recorder_->close();
  }
  std::uint64_t frames() const { return recorder_ ? recorder_->safe_frames() : 0; }

 private:
  bool loops_;
  lissom::sim::RecordedExtras extras_;
  lissom::sim::RecordedEnergy energy_;
  lissom::sim::Trajectory reference_;
  lissom::sim::Reference desired_;
  std::vector<lissom::recording::Signal> signals_;
  std::optional<lissom::recording::Recorder> recorder_;
  FrameSink also_;
};
