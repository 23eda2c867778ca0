#pragma once
// Closed loops in Python, with the memory that they need.
#include "bound_model.h"
#include "lissom/constraints/closed_loops.h"
#include "one_caller.h"

namespace lissom::python {

struct BoundLoops {
  explicit BoundLoops(const Model& robot) : model(robot), work(robot), loops(robot) {}
  Model model;
  Workspace work;
  ClosedLoops loops;
  OneCaller in_use;
};

/// Calls f(row) for all rows, one after the other: the loops have one memory.
template <class F>
void for_states(BoundLoops& self, const Call& call, const F& f) {
  const OneCaller::Scope use(self.in_use, "ClosedLoops");
  in_pieces(call.rows(), 1024, [&](long first, long count) {
    for (long i = first; i < first + count; ++i) f(i);
  });
}

/// Names of joints, or a truth value for each degree of freedom; None: all.
std::vector<bool> actuated_dofs(const Model& model, nb::handle actuated);

void bind_loop_derivatives(nb::module_& m, nb::class_<BoundLoops>& l);

}  // namespace lissom::python
