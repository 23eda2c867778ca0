#pragma once
// The inside of a WholeBody. Not for users.
#include <memory>
#include <optional>

#include "lissom/control/charted.h"
#include "lissom/control/reduced.h"

namespace lissom::control {

struct WholeBody::Impl {
  Model model;
  TickData data;
  Reduced reduced;
  std::unique_ptr<ChartedTick> charted;  // made when it is first asked for
  std::optional<qp::Solver> solver;
  std::vector<int> priorities;
  Eigen::VectorXd before;  // accelerations of the level before
  bool dirty = true;       // something was added
  Tick tick;

  Impl(const Model& model, const WholeBodyOptions& options);
  void prepare();
  const Tick& solve(const VectorIn& q, const VectorIn& v);
  void solve_reduced();
  // The same tick in the paper's coordinates (charted.cpp).
  void solve_charted();
  // Status of a level's answer; false where the tick ends with what is there already.
  bool take(const qp::Solution& solution, bool first);
  void refuse(TickStatus status, const char* reason);
  // The answer from accelerations and the forces of contacts that are held, one after the other.
  void read(const Eigen::Ref<const Eigen::VectorXd>& a, const Eigen::Ref<const Eigen::VectorXd>& forces);
  void read_contact(const ContactEntry& c, const Eigen::Ref<const Eigen::VectorXd>& f, ContactReading& reading) const;
  void read_task(const TaskEntry& t, const Eigen::Ref<const Eigen::VectorXd>& a, TaskReading& reading);
};

}  // namespace lissom::control
