// The programs of a tick: solved, and relaxed where their constraints contradict each other.
#include "lissom/control/whole_body_impl.h"

namespace lissom::control {

namespace {

// Of one program. Ticks take up to 25, those in which many limits become active at once up to a hundred.
constexpr int max_iterations = 200;

}  // namespace

// A program whose constraints contradict each other is not proven infeasible first, which would take milliseconds: its
// limits become soft at once, and if that does not suffice, its contacts; the last one always has a solution. While
// constraints contradict each other, a tick begins with what the one before needed.
const qp::Solution& WholeBody::Impl::solve_first(int priority) {
  using Relaxation = Reduced::Relaxation;
  qp::Options once;
  once.elastic = once.prove = false;
  once.max_iterations = max_iterations;
  const auto solved = [&](qp::Solver& by) -> const qp::Solution& {
    const auto& s = by.solve(reduced.problem(), once);
    tick.iterations += s.iterations;
    return s;
  };
  const auto before_this = relaxation;
  for (const bool again : {false, true}) {
    reduced.assemble(data, priority, before);
    relaxation = Relaxation::none;
    if (before_this == Relaxation::none || again) {
      const auto& s = solved(*solver);
      if (s.status == qp::Status::optimal || s.status == qp::Status::invalid) return s;
    }
    for (const auto level : {Relaxation::limits, Relaxation::contacts}) {
      reduced.soften(data, level);
      relaxation = level;
      if (level < before_this && !again) continue;
      if (const auto& s = solved(*soft_solver); s.status == qp::Status::optimal) {
        // What was needed in the tick before may not be needed any more.
        if (before_this != Relaxation::none && !again && reduced.nearly_met(data, s.x)) break;
        return s;
      }
    }
  }
  const auto& s = soft_solver->solve(reduced.problem());
  tick.iterations += s.iterations;
  return s;
}

// Later priorities have little freedom left, sometimes that of a single point, which takes the solver's whole care.
const qp::Solution& WholeBody::Impl::solve_later(int priority) {
  reduced.assemble(data, priority, before);
  for (const auto level : {Reduced::Relaxation::limits, Reduced::Relaxation::contacts})
    if (level <= relaxation) reduced.soften(data, level);
  auto& by = relaxation == Reduced::Relaxation::none ? *solver : *soft_solver;
  const auto& s = by.solve(reduced.problem());
  tick.iterations += s.iterations;
  return s;
}

void WholeBody::Impl::solve_reduced() {
  using Relaxation = Reduced::Relaxation;
  tick.iterations = 0;
  for (int priority : priorities) {
    const bool first = priority == priorities.front();
    const auto& s = first ? solve_first(priority) : solve_later(priority);
    if (!take(s, first)) return;
    before = s.x.head(model.nv());
    read(s.x.head(model.nv()), s.x.tail(s.x.size() - model.nv()));
    tick.objective = s.objective;
    tick.variables = reduced.sizes().variables;
    tick.equalities = reduced.sizes().equalities;
    tick.rows = reduced.sizes().rows;
    for (const auto& c : s.conflicts) {
      const auto& label = reduced.label(c);
      tick.conflicts.push_back({&label.name, c.amount, label.unit});
    }
    if (relaxation == Relaxation::none) continue;
    reduced.violated(data, s.x, tick.conflicts);
    if (!tick.conflicts.empty()) tick.status = TickStatus::elastic;
  }
}

}  // namespace lissom::control
