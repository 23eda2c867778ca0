#pragma once
// The tick as a quadratic program over x = (a, forces of contacts and loops); torques follow from the equation of
// motion. Not for users.
//   cost          Σ weight ‖J a + J̇ v - ÿ*‖², and regularization
//   A x = b       the equation of motion of degrees of freedom without a motor:  M_u a - (Jᵀ G)_u f = -h_u;
//                 closed loops and contacts:  J a = desired - J̇ v
//   l ≤ C x ≤ u   cones, normal forces, torques M_m a - (Jᵀ G)_m f + h_m within their limits, clearances (soft)
//   bounds        of accelerations, from joint limits; normal forces ≥ 0
#include <optional>

#include "lissom/control/clearance_entry.h"
#include "lissom/control/contact_entry.h"
#include "lissom/control/loop_entry.h"
#include "lissom/control/task_rows.h"
#include "lissom/control/whole_body.h"

namespace lissom::control {

// The data of a tick that all formulations read.
struct TickData {
  const Model& model;
  const RobotSnapshot* robot = nullptr;  // of the tick that is being solved
  std::vector<TaskEntry> tasks;
  std::vector<ContactEntry> contacts;
  std::vector<ClearanceEntry> clearances;
  std::optional<LoopEntry> loops;    // of a robot that has some
  Eigen::VectorXd bias;              // h, and forces that joints have by themselves
  std::vector<int> motors, passive;  // degrees of freedom
  Eigen::VectorXd torque_limit;      // of the motors, in their order
  Eigen::VectorXd lower, upper;      // of a
  WholeBodyOptions options;

  TickData(const Model& of, const WholeBodyOptions& o);
  double weight() const;  // of the robot, N
  int loop_rows() const { return loops ? loops->count() : 0; }
};

class Reduced {
 public:
  // Allocates buffers for the largest tick, with all contacts active.
  void resize(const TickData& data, bool priorities);
  // The program of one priority; tasks of earlier ones keep their accelerations J `before`.
  void assemble(const TickData& data, int priority, const Eigen::VectorXd& before);
  qp::Problem problem() const;
  // What is relaxed in a program whose constraints contradict each other: limits of torques, joints and normal forces,
  // at a cost above that of any task; then also the motion of contacts (and tasks of earlier priorities), so that only
  // the equation of motion and the cones are left, which always have a solution.
  enum class Relaxation { none, limits, contacts };
  static constexpr int levels = 3;
  // Relaxes the program as assembled; `contacts` after `limits`.
  void soften(const TickData& data, Relaxation level);
  // Whether x violates nothing by much: less relaxation may suffice.
  bool nearly_met(const TickData& data, const Eigen::Ref<const Eigen::VectorXd>& x) const;
  // Appends what x violates, one entry per limit and contact, the largest of each kind first.
  void violated(const TickData& data, const Eigen::Ref<const Eigen::VectorXd>& x,
                std::vector<ConflictReading>& to) const;
  const qp::Sizes& sizes() const { return sizes_; }
  const qp::Sizes& max_sizes() const { return max_sizes_; }
  // Name and unit of a row or variable.
  const RowLabel& label(const qp::Conflict& conflict) const;

 private:
  enum class Violation { force_limit, joint_limit, contact };
  // Calls tell(kind, label, amount) for each row that is relaxed.
  template <class Tell>
  void each_violation(const TickData& data, const Eigen::Ref<const Eigen::VectorXd>& x, Tell tell) const;
  void add_costs(const TickData& data, int priority);
  void add_task(const TaskEntry& task);
  void add_task_products();
  void add_torque_cost(const TickData& data, const TaskEntry& task);
  void add_force_cost(const TickData& data, const TaskEntry& task);
  // Writes the columns of forces of contacts and loops, in the equation of motion of degree of freedom i.
  void put_forces(const TickData& data, int i, Eigen::Ref<Eigen::RowVectorXd> row) const;
  void add_equalities(const TickData& data, int priority, const Eigen::VectorXd& before);
  void add_contact_rows(const TickData& data);
  void add_torque_rows(const TickData& data);
  void add_clearance_rows(const TickData& data);
  void add_bounds(const TickData& data);

  qp::Sizes sizes_, max_sizes_;
  int nv_ = 0;
  Matrix H_, A_, C_;
  Matrix J_, JtW_;  // the rows of all tasks of a priority, and their weighted transpose
  int stacked_ = 0;
  Eigen::VectorXd g_, b_, l_, u_, lx_, ux_, weight_;
  std::vector<int> blocks_;
  int blocks_used_ = 0;
  std::vector<char> limit_row_;  // 1: a limit, which soften() makes soft
  // The counts of the program as assembled; sizes_ has fewer where contacts are soft. hard_: those that never are.
  int all_equalities_ = 0, hard_equalities_ = 0;
  bool coupled_ = false;  // H is not block diagonal
  // Labels of the rows and variables of this tick, which point into the vectors below.
  std::vector<const RowLabel*> equality_labels_, row_labels_, variable_labels_;
  std::vector<RowLabel> motor_labels_, passive_labels_, joint_labels_, clearance_labels_;
  std::vector<std::vector<RowLabel>> task_labels_;  // one for each row of each task
  struct ContactLabels {
    RowLabel translation, rotation, cone, normal_force;
  };
  std::vector<ContactLabels> contact_labels_;
};

}  // namespace lissom::control
