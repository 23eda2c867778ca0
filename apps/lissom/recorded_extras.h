#pragma once
// What verbs record besides signals of their own: paths of frames (--record-frames), pushes, references; and messages
// for other people's viewers (--record-ros).
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lissom/api/workspace.h"
#include "lissom/recording/recorder.h"
#include "lissom/sim/push.h"

// What the help says about --record-frames.
inline const std::string record_frames_help = "FRAME,…: also record the positions of the origins of these frames, in m";

class RecordedExtras {
 public:
  // `frames` is the text of --record-frames. References are signals desired_q and desired_v.
  RecordedExtras(const lissom::Model& model, const std::string& frames, std::vector<lissom::sim::Push> pushes,
                 bool references);

  // frames: NAME.x, .y, .z in m; pushes: the force at each frame that is pushed, in N, zero while nothing pushes;
  // desired_q and desired_v, with the columns of q and v. Signals without columns are left out.
  const std::vector<lissom::recording::Signal>& signals() const { return signals_; }
  // The rows of these signals at time t. They are valid until the next call.
  std::vector<lissom::recording::Row> rows(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& desired_q,
                                           const Eigen::VectorXd& desired_v);

 private:
  lissom::Model model_;
  lissom::Workspace work_;
  std::vector<lissom::FrameId> frames_;
  std::vector<lissom::sim::Push> pushes_;
  std::vector<std::size_t> pushed_;  // of each push, the index of its frame among the columns
  bool references_;
  std::vector<lissom::recording::Signal> signals_;
  std::vector<double> positions_, forces_;
};

// Takes the rows of a frame, as a Recorder does.
using FrameSink = std::function<void(double time, std::span<const lissom::recording::Row> rows)>;

// What the help says about --record-ros.
inline const std::string record_ros_help =
    "what .mcap files have for Foxglove, Rerun and ROS besides: all (default), none, or some of description, "
    "joint_states, tf, meshes, separated by commas";

struct RecordedRos {
  std::string text = "all";                // of --record-ros
  std::vector<std::string> package_paths;  // of --packages

  // The options of a recorder of this robot. Throws Error if the text has another form than the help says.
  lissom::recording::RecorderOptions options(const lissom::Model& model) const;
};

// Prints what is missing in a recording on standard error.
void print_notes(const lissom::recording::Recorder& recorder);
