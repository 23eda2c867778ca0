#pragma once
// A task, ready for the tick: its rows J, J̇ v, desired acceleration and weights. Not for users.
#include "lissom/control/task.h"

namespace lissom::control {

struct TaskEntry {
  AnyTask task;
  std::string name;
  FrameId frame = world_frame, relative_to = world_frame;
  bool enabled = true;
  Matrix J;                         // size × nv; empty for a posture task, whose rows are unit vectors of `dofs`
  std::vector<int> dofs;            // of a posture task
  Eigen::VectorXd Jdot_v, desired;  // desired: the desired acceleration ÿ*
  Eigen::VectorXd row_weights;      // per row, including the task's weight
  Columns6 J6;                      // buffer
  Eigen::VectorXd buffer;           // of the size of v

  int size() const { return int(desired.size()); }
  double weight() const;
  int priority() const;  // 0 for tasks about forces and torques
};

// Looks up frames and allocates memory. Error if a frame is unknown, a size is wrong or a value is out of range.
TaskEntry make_entry(const Model& model, AnyTask task);
// Users may change targets between ticks: whether one of them has a wrong size, and which; allocates nothing.
bool describe_wrong_size(ShortMessage& message, const TaskEntry& entry, const Model& model);
// Computes J, J̇ v, desired accelerations and weights at the state of the snapshot; for tasks about forces and torques
// only desired values and weights.
void evaluate(TaskEntry& entry, const RobotSnapshot& robot);

}  // namespace lissom::control
