#pragma once
// What recordings of simulated robots have besides signals of their own: paths of frames, pushes, references.
#include <array>

#include "lissom/api/workspace.h"
#include "lissom/recording/recorder.h"
#include "lissom/sim/pull_spring.h"
#include "lissom/sim/push.h"

namespace lissom::sim {

/// Signals with positions of frames, forces of pushes and of someone who pulls, and what a controller follows. Signals
/// without columns are left out.
class RecordedExtras {
 public:
  /// `references`: whether there are signals desired_q and desired_v. `pull`: of the simulation, which must outlive
  /// this; null if nobody can pull.
  RecordedExtras(const Model& model, std::vector<FrameId> frames, std::vector<Push> pushes, bool references,
                 const PullLaw* pull = nullptr);

  /// frames: NAME.x, .y, .z in m; pushes: the force at each frame that is pushed, in N, zero while nothing pushes;
  /// pull: the link that someone pulls (its index in Model::links(); -1: nobody pulls), the point where the force acts
  /// and the force, in the world; desired_q and desired_v, with the columns of q and v.
  const std::vector<recording::Signal>& signals() const { return signals_; }
  /// Appends the rows of these signals at time t, in s. They are valid until the next call.
  void append(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& desired_q, const Eigen::VectorXd& desired_v,
              std::vector<recording::Row>& rows);

 private:
  Model model_;
  Workspace work_;
  std::vector<FrameId> frames_;
  std::vector<Push> pushes_;
  std::vector<std::size_t> pushed_;  // of each push, the index of its frame among the columns
  bool references_;
  const PullLaw* pull_;
  std::vector<recording::Signal> signals_;
  std::vector<double> positions_, forces_;
  std::array<double, 7> pulled_{};
};

}  // namespace lissom::sim
