#pragma once
// What `lissom sim` records of a world, and shows in the browser (docs/recordings.md).
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lissom/recording/recorder.h"
#include "lissom/scenes/simulation.h"
#include "lissom/scenes/world_model.h"
#include "lissom/sim/controller.h"
#include "lissom/sim/recorded_energy.h"
#include "lissom/sim/recorded_extras.h"
#include "recording_options.h"

// Gives contacts places in a row of fixed length. A contact keeps its place from frame to frame, as long as the same
// two parts touch near the same point.
class ContactSlots {
 public:
  // x y z nx ny nz fx fy fz gap slip friction a b; unused places are 0, with a = b = -1.
  static constexpr int width = 14;
  // `names` are those of all parts and links that may touch; a and b are indices into them.
  ContactSlots(int count, const std::vector<std::string>& names);
  lissom::recording::Signal signal() const;
  // Of more contacts than there are places, those with the largest forces are taken.
  const std::vector<double>& row(std::vector<lissom::ContactReading> contacts);
  int count() const { return int(used_.size()); }

 private:
  std::map<std::string, int> index_;
  std::vector<bool> used_;
  std::vector<double> row_, next_;
};

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
  void sum_forces(const std::vector<lissom::ContactReading>& contacts);

  const lissom::scenes::WorldModel& model_;
  std::vector<std::string> names_;       // of everything that touches
  std::map<std::string, int> force_of_;  // of each link that moves, the index of its force
  ContactSlots slots_;
  nlohmann::json settings_;
  lissom::sim::RecordedExtras extras_;
  lissom::sim::RecordedEnergy energy_;
  lissom::sim::Trajectory reference_;
  lissom::sim::Reference desired_;
  std::vector<lissom::recording::Signal> signals_;
  std::vector<double> forces_;
  Eigen::VectorXd q_, v_, tau_;
  std::optional<lissom::recording::Recorder> recorder_;
  FrameSink also_;
};
