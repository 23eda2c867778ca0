#pragma once
// Solves contact problems: Coulomb friction on the true cone, joint limits, dry friction, motors, loops.
//
//   contact::ProblemBuffer buffer(max_rows, max_blocks);
//   contact::Solver solver(max_rows, max_blocks);
//   buffer.clear();
//   const int row = buffer.add(contact::cone(0, 0.8));   // then fill buffer.G(i, j) and buffer.b(i)
//   const auto report = solver.solve(buffer.problem(), p, u);
//   if (!report.converged()) …                           // report.residual says how far it is, in m/s
//
// It sweeps over the blocks (block Gauss–Seidel with an exact solution for each block), and takes semismooth Newton
// steps over all of them where sweeps would be slow. docs/contact.md describes all of it.
//
// A solver belongs to one caller at a time. solve() neither allocates nor throws; the same input gives the same bits on
// every processor.
#include <memory>

#include "lissom/contact/problem.h"
#include "lissom/contact/report.h"

namespace lissom::contact {

class Solver {
 public:
  /// Allocates memory for problems up to these sizes.
  Solver(int max_rows, int max_blocks);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// p: `rows` impulses; on entry those to start from (0, or those of the last step), on return the solution. u: their
  /// velocities G p + b. An invalid problem, or one larger than the memory, is reported as such.
  Report solve(const Problem<double>& problem, double* p, double* u, const Settings& settings = {});

  /// How the impulses change with the problem, inside the modes that its blocks have at the solution (p, u). d: for
  /// each row, in each of many columns, the change of its velocity at constant impulses; lines of `stride` elements, a
  /// multiple of 8. dp: as large; on return the changes of the impulses. `friction`: changes of μ, besides. Where the
  /// impulses are not unique, those of the motion are right. Returns false where a pivot vanishes. Allocates for the
  /// first problem, and for larger ones than before.
  bool differentiate(const Problem<double>& problem, const double* p, const double* u,
                     std::span<const FrictionChange> friction, const double* d, int stride, double* dp);
  /// After differentiate(): what a block does, and the velocity that a unit of impulse gives it.
  Mode mode(int block) const;
  double scale(int block) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lissom::contact
