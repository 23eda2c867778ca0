#pragma once
// The options of `lissom control`, and what motion files and gaits share: the simulated robot, recording and page.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "control_walk.h"
#include "lissom/control/whole_body.h"
#include "live_view.h"
#include "model_arguments.h"
#include "motion_recording.h"

namespace verb::control {

struct Options {
  ModelArguments model;
  WalkArguments walk;
  ViewArguments page;
  std::string motion = "stand", simulator = "contact", old_simulator, formulation = "reduced", record, record_frames,
              record_ros = "all";
  std::vector<std::string> pushes;
  std::string scene;
  lissom::sim::Imperfections imperfections;
  std::optional<double> friction;
  std::string sensing = "full", mode = "torque";
  int substeps = 1;
  bool json = false, quiet = false, list = false, no_check = false;
};

// The settings of a run, for reports and recordings.
nlohmann::json settings(const Options& o);
// Throw Error where there is none of this name.
lissom::sim::Simulator simulator(Options& o);
lissom::control::Formulation formulation(const std::string& name);
// The simulated robot that the options describe.
lissom::sim::RobotOptions robot_options(Options& o, const lissom::Model& model);

// Records a run and shows it in the browser, where the options say so.
class ControlOutput {
 public:
  // `robot` gets the forces with which someone pulls in the browser.
  ControlOutput(const Options& o, const lissom::Model& controlled, const RecordedMotion& motion,
                lissom::sim::RobotOptions& robot);
  bool is_open() const { return record_.has_value(); }
  void write(const lissom::control::MotionFrame& frame);
  // Whether the run has to end: Ctrl-C, the page says so, or it cannot be recorded any more.
  bool stops();
  // Closes the recording. If that, or a frame, could not be written, the run has failed for this reason.
  template <class Report>
  void close(Report& report) {
    close();
    if (error_.empty()) return;
    // (A run that was stopped was stopped for this reason; one that failed before has both.)
    report.failure = report.failure.empty() || report.stopped ? error_ : report.failure + "; " + error_;
    report.succeeded = report.stopped = false;
  }
  // The number of frames that are safe.
  std::uint64_t frames() const { return record_ ? record_->frames() : 0; }
  // Tells the page, and where it could not be recorded standard error, how the run ended.
  void finish(double seconds, const std::string& failure);

 private:
  void close();

  lissom::Model model_;
  lissom::sim::PullLaw pull_;
  std::optional<MotionRecording> record_;
  std::unique_ptr<LiveView> live_;
  double now_ = 0;
  std::string error_;  // why it cannot be recorded
};

}  // namespace verb::control
