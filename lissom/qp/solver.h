#pragma once
// Solves quadratic programs of a controller: some ten to some hundred variables, a new one every tick that looks much
// like the last.
//
//   qp::Solver solver({.variables = 60, .equalities = 18, .rows = 62});
//   const auto& s = solver.solve({.H = H, .g = g, .A = A, .b = b, .C = C, .l = l, .u = u, .lx = lx, .ux = ux});
//   if (s.status == qp::Status::optimal) use(s.x);
//
// A dual active-set method (dual.h) that starts from the rows that were active last time, over a factor of H by its
// blocks (hessian.h). Every answer is checked on the data as they were given (verify.h). docs/qp.md tells the whole.
//
// A solver belongs to one caller at a time. solve() neither allocates nor throws.
#include <memory>

#include "lissom/qp/problem.h"
#include "lissom/qp/solution.h"

namespace lissom::qp {

class Solver {
 public:
  // Memory for problems up to these sizes, each of them on its own; touched, so that the first solve does not pay for
  // its pages.
  explicit Solver(const Sizes& largest);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  // The solution stays in the solver until the next call.
  const Solution& solve(const Problem& problem, const Options& options = {});
  const Solution& solution() const;
  // The next problem is solved from a cold start.
  void forget();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom::qp
