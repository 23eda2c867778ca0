#pragma once
// Signals that verbs record besides those of their own: paths of frames (--record-frames), pushes, references.
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
