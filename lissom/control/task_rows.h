#pragma once
// A task, ready for the tick: its rows J, J̇ v and what it wishes for, along with how they count.
#include "lissom/control/task.h"

namespace lissom::control {

struct TaskEntry {
  AnyTask task;
  std::string name;
  FrameId frame = world_frame, from = world_frame;
  bool enabled = true;
  Matrix J;                         // size × nv; empty for posture, whose rows are those of `dofs`
  std::vector<int> dofs;            // of a posture task
  Eigen::VectorXd Jdot_v, desired;  // desired: the acceleration that the task asks for
  Eigen::VectorXd row_weights;      // per row, with the task's weight in them
  Columns6 J6;                      // room to work in
  Eigen::VectorXd buffer;           // likewise, of the size of v

  int size() const { return int(desired.size()); }
  double weight() const;
  int priority() const;  // 0 for tasks about forces and torques
};

// Frames found, memory taken. Error where a frame is unknown, a size is wrong or a number makes no sense.
TaskEntry make_entry(const Model& model, AnyTask task);
// Users may have changed targets since: what is wrong with their sizes, or nullptr.
const char* complaint(const TaskEntry& entry, const Model& model);
// Rows, rates, wishes and weights of this moment. (Of tasks about forces and torques, wishes and weights alone.)
void evaluate(TaskEntry& entry, RobotSnapshot& robot);

}  // namespace lissom::control
