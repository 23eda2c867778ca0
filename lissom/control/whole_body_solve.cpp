// The programs of a tick: solved, and relaxed where their constraints contradict each other.
#include <algorithm>

#include "lissom/control/whole_body_impl.h"

namespace lissom::control {

namespace {

// A program that can still be relaxed gets these: as it is, and with soft limits. (A cold start takes up to 200.)
constexpr int max_iterations[] = {200, 120};

}  // namespace

// The program of a priority, relaxed as far as the level says.
void WholeBody::Impl::assemble(int priority, Reduced::Relaxation level) {
  using Relaxation = Reduced::Relaxation;
  reduced.assemble(data, priority, before);
  for (const auto softer : {Relaxation::limits, Relaxation::contacts})
    if (softer <= level) reduced.soften(data, softer);
}

// Solves the program that is assembled with the solver of its level of relaxation. It starts from the active set of
// the level with which the tick began.
const qp::Solution& WholeBody::Impl::attempt(Reduced::Relaxation level, Reduced::Relaxation began) {
  using Relaxation = Reduced::Relaxation;
  qp::Options once;
  once.elastic = once.prove = false;
  const int left = std::max(1, max_tick_iterations - tick.iterations);
  once.max_iterations = level == Relaxation::contacts ? left : std::min(left, max_iterations[int(level)]);
  auto& by = solver(level);
  if (level != began) by.start_like(solver(began), reduced.sizes().equalities);
  const auto& s = by.solve(reduced.problem(), once);
  tick.iterations += s.iterations;
  return s;
}

// A program whose constraints contradict each other is not proven infeasible first, which would take milliseconds: its
// limits become soft at once, and if that does not suffice, its contacts; the last one always has a solution. While
// constraints contradict each other, a tick begins with what the one before needed. Each level is tried once at most.
const qp::Solution& WholeBody::Impl::solve_first(int priority) {
  using Relaxation = Reduced::Relaxation;
  const auto began = relaxation;
  const qp::Solution* s = nullptr;
  for (const auto level : {Relaxation::none, Relaxation::limits, Relaxation::contacts}) {
    if (level < began) continue;
    if (level == began)
      assemble(priority, level);
    else
      reduced.soften(data, level);
    relaxation = level;
    s = &attempt(level, began);
    if (s->status == qp::Status::optimal || s->status == qp::Status::invalid) break;
  }
  // What was needed in the tick before may not be needed any more.
  if (s->status != qp::Status::optimal || relaxation == Relaxation::none || relaxation != began ||
      !reduced.nearly_met(data, s->x))
    return *s;
  for (const auto level : {Relaxation::none, Relaxation::limits}) {
    if (level >= began || tick.iterations >= max_tick_iterations) break;
    assemble(priority, level);
    relaxation = level;
    if (const auto& harder = attempt(level, began); harder.status == qp::Status::optimal) return harder;
  }
  relaxation = began;
  assemble(priority, began);
  return *s;
}

// Later priorities have little freedom left, sometimes that of a single point, which takes the solver's whole care.
const qp::Solution& WholeBody::Impl::solve_later(int priority) {
  assemble(priority, relaxation);
  qp::Options careful;
  careful.max_iterations = std::max(1, max_tick_iterations - tick.iterations);
  const auto& s = solver(relaxation).solve(reduced.problem(), careful);
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
