#pragma once
// What `lissom control` records.
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lissom/control/run.h"
#include "lissom/recording/recorder.h"
#include "recorded_extras.h"

class MotionRecording {
 public:
  // `frames` is the text of --record-frames. The names of stages and phases are added to the settings, as "stages" and
  // "phases": the signal stage holds their indices.
  MotionRecording(const std::string& path, nlohmann::json settings, const lissom::Model& model,
                  const lissom::control::MotionPlan& motion, const std::string& frames,
                  const std::vector<lissom::sim::Push>& pushes, const RecordedRos& ros);
  void write(const lissom::control::MotionReading& reading);
  // Returns the number of frames that are safe.
  std::uint64_t close();

 private:
  RecordedExtras extras_;
  lissom::recording::Recorder recorder_;
  std::vector<double> limits_, use_, forces_, friction_;
};
