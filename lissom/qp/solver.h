#pragma once
// Solves quadratic programs of a controller: tens to hundreds of variables, and in every tick a problem that resembles
// the previous one.
//
//   qp::Solver solver({.variables = 60, .equalities = 18, .rows = 62});
//   const auto& s = solver.solve({.H = H, .g = g, .A = A, .b = b, .C = C, .l = l, .u = u, .lx = lx, .ux = ux});
//   if (s.status == qp::Status::optimal) use(s.x);
//
// It is a dual active-set method (dual_active_set.h) that starts from the rows that were active in the last solution,
// and factors H block by block (hessian.h). Every solution is verified on the data as given (verify.h). docs/qp.md
// describes all of it.
//
// A solver belongs to one caller at a time. solve() neither allocates nor throws.
#include <memory>

#include "lissom/qp/problem.h"
#include "lissom/qp/solution.h"

namespace lissom::qp {

/// Solves dense convex quadratic programs.
class Solver {
 public:
  /// Allocates memory for problems up to these sizes, and writes to it, so that the first solve causes no page faults.
  explicit Solver(const Sizes& max_sizes);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// The solution stays in the solver until the next call. An invalid problem returns Status::invalid with a reason.
  const Solution& solve(const Problem& problem, const Options& options = {});
  const Solution& solution() const;  ///< of the last call
  /// Discards the warm start: the next problem is solved from a cold start.
  void forget();
  /// The next problem, which has this number of equalities, starts from the rows and bounds from which `other` would
  /// start, whose problem has the same rows and variables. For a problem of which a softer or harder one was solved.
  void start_like(const Solver& other, int equalities);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom::qp
