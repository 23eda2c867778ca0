#pragma once
// The private part of a WholeBody. Not for users.
#include <memory>
#include <vector>

#include "lissom/control/charted.h"
#include "lissom/control/passive_force_law.h"
#include "lissom/control/reduced.h"

namespace lissom::control {

struct WholeBody::Impl {
  Model model;
  RobotSnapshot sensed;  // of callers that give q and v
  TickData data;
  PassiveForceLaw passive_forces;
  Reduced reduced;
  std::unique_ptr<ChartedTick> charted;  // created at the first tick that needs it
  // A solver for each level of relaxation, so that each keeps the active set of its own kind of program.
  std::vector<qp::Solver> solvers;
  Reduced::Relaxation relaxation = Reduced::Relaxation::none;  // that the last program needed
  std::vector<int> priorities;
  Eigen::VectorXd before;  // accelerations of the previous priority
  bool dirty = true;       // something was added
  Tick tick;
  ShortMessage message;  // of a state or target that is refused; tick.reason points to it

  Impl(const Model& model, const WholeBodyOptions& options);
  void prepare();
  const Tick& solve(const RobotSnapshot& robot);
  bool unfit(const RobotSnapshot& robot);
  void solve_reduced();
  qp::Solver& solver(Reduced::Relaxation level) { return solvers[std::size_t(level)]; }
  void assemble(int priority, Reduced::Relaxation level);
  const qp::Solution& attempt(Reduced::Relaxation level, Reduced::Relaxation began);
  // Solve the program of a priority; the first is relaxed as far as it needs, and the later ones like it.
  const qp::Solution& solve_first(int priority);
  const qp::Solution& solve_later(int priority);
  // Solves the same tick in the paper's coordinates (charted.cpp).
  void solve_charted();
  // Takes over the status of the solution of one priority; returns false if the tick ends without this solution.
  bool take(const qp::Solution& solution, bool first);
  void refuse(TickStatus status, const char* reason);
  // Fills the tick from accelerations and the forces of the active contacts, one contact after the other.
  void read(const Eigen::Ref<const Eigen::VectorXd>& a, const Eigen::Ref<const Eigen::VectorXd>& forces);
  void clamp_torques();
  void read_contact(const ContactEntry& c, const Eigen::Ref<const Eigen::VectorXd>& f, ContactReading& reading) const;
  void read_task(const TaskEntry& t, const Eigen::Ref<const Eigen::VectorXd>& a, TaskReading& reading);
};

}  // namespace lissom::control
