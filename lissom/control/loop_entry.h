#pragma once
// The closed loops of a robot in a tick: rows J a = desired, which keep them closed, and a force for each. Not for
// users.
#include "lissom/constraints/loop_rows.h"
#include "lissom/constraints/robot_snapshot.h"

namespace lissom::control {

class LoopEntry {
 public:
  explicit LoopEntry(const Model& model);

  // The rows at this state, those left out that depend on others. Allocates nothing.
  void evaluate(const RobotSnapshot& robot);

  int max_rows() const { return rows_.count(); }
  int count() const { return count_; }           // of independent rows
  auto J() const { return J_.topRows(count_); }  // of these
  double desired(int k) const { return desired_[k]; }
  int row(int k) const { return used_[std::size_t(k)]; }  // its index among all rows
  const RowLabel& label(int row) const { return labels_[std::size_t(row)]; }

 private:
  LoopRows rows_;
  int count_ = 0;
  Matrix J_, basis_;  // basis_: orthonormal, of the rows so far
  Eigen::VectorXd desired_;
  Eigen::RowVectorXd rest_;
  std::vector<int> used_;
  std::vector<RowLabel> labels_;
};

}  // namespace lissom::control
