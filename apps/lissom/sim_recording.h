#pragma once
// What `lissom sim` records.
#include <optional>
#include <string>
#include <vector>

#include "lissom/recording/recorder.h"
#include "lissom/sim/simulation.h"
#include "recorded_extras.h"

struct SimRecordingOptions {
  std::string path;
  lissom::recording::Header header;  // the robot and the settings
  std::string frames;                // --record-frames
  std::vector<lissom::sim::Push> pushes;
  lissom::sim::Trajectory reference;    // that the controller follows; empty if there is none
  double frame_count = 0, seconds = 0;  // expected
  std::optional<double> max_gigabytes;  // --max-size
  RecordedRos ros;
};

class SimRecording {
 public:
  // Throws Error if the recording would be too large (recording_size.h).
  SimRecording(const SimRecordingOptions& options, lissom::sim::System& system);
  void write(const lissom::sim::Reading& reading);
  void close() { recorder_.close(); }
  std::uint64_t frames() const { return recorder_.safe_frames(); }

 private:
  bool loops_;
  RecordedExtras extras_;
  lissom::sim::Trajectory reference_;
  lissom::sim::Reference desired_;
  lissom::recording::Recorder recorder_;
};
