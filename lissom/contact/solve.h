#pragma once
// The solver for one world in double: bursts of Gauss–Seidel sweeps, each followed by Newton steps as long as these
// lower the residual, inside a budget (docs/contact.md). Compiled for each instruction set (kernels.cpp).
#include <limits>

#include "lissom/contact/newton.h"
#include "lissom/contact/report.h"

namespace lissom::contact {

inline namespace LISSOM_ISA_NAMESPACE {

/// Whether all elements are finite. (A sum of zeros, unless one of them is not.)
inline int first_not_finite(const double* x, int size) {
  for (int i = 0; i < size; ++i)
    if (!(abs(x[i]) < std::numeric_limits<double>::infinity())) return i;
  return -1;
}

inline int block_of_row(const Problem<double>& problem, int row) {
  for (int i = 0; i < int(problem.blocks.size()); ++i)
    if (row < problem.blocks[std::size_t(i)].row + problem.blocks[std::size_t(i)].size) return i;
  return -1;
}

/// The cap on impulses, and what makes a Newton step suspect: only problems without a solution ask for that much.
struct Caps {
  double max_impulse, suspect;
};

/// Without a cap of the user's: relative to the impulses that stop the fastest row alone, and to the bounds of boxes.
/// Heavy bodies on light ones may need a great deal more than these, by the ratio of their masses.
inline Caps automatic_caps(const Problem<double>& problem, const PreparedBlock<double>* prepared) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double speed = 0, g = infinity, bound = 0;
  for (int i = 0; i < problem.rows; ++i) speed = larger(abs(problem.b[i]), speed);
  for (int i = 0; i < int(problem.blocks.size()); ++i) {
    const Block<double>& block = problem.blocks[std::size_t(i)];
    if (prepared[i].g_inverse > 0) g = smaller(prepared[i].g, g);
    if (block.kind != Kind::box) continue;
    if (abs(block.lower) < infinity) bound = larger(abs(block.lower), bound);
    if (abs(block.upper) < infinity) bound = larger(abs(block.upper), bound);
  }
  const double scale = speed / g + bound;
  return scale > 0 ? Caps{1e14 * scale, 1e8 * scale} : Caps{infinity, infinity};
}

/// Computes u = G p + b; discards a start that is not finite. Returns the block with an element that is not finite, or
/// -1.
inline int start(const Problem<double>& problem, SolverMemory& m, Report& report) {
  velocities(problem, m.p, m.u);
  if (first_not_finite(m.u, problem.rows) < 0) return -1;
  report.discarded_start = first_not_finite(m.p, problem.rows) >= 0;
  for (int i = 0; i < problem.rows; ++i) m.p[i] = 0;
  velocities(problem, m.p, m.u);
  const int row = first_not_finite(m.u, problem.rows);
  return row < 0 ? -1 : block_of_row(problem, row);
}

/// Starts again from no impulses. The modes of the last step mislead where bodies have just struck.
inline void start_cold(const Problem<double>& problem, SolverMemory& m) {
  const int size = padded<double>(problem.rows);
  for (int i = 0; i < size; ++i) m.p[i] = 0;
  velocities(problem, m.p, m.u);
  for (int i = 0; i < int(problem.blocks.size()); ++i) m.prepared[i].lambda = 0;
}

/// Sweeps and Newton steps until the tolerance or the end of the budget is reached. Returns whether the cap acted.
///
/// A round is a burst of sweeps and some Newton steps. In the second one, everything that touches sticks at first: so
/// it is with heavy bodies on light ones, whose friction sweeps misjudge. From the third on it starts cold. In the
/// fourth a strong shift shortens steps that are too long although the modes are right, as a proximal term would; in
/// the fifth a tiny one resolves masses that differ by 1e8.
inline bool iterate(const Problem<double>& problem, SolverMemory& m, const Settings& settings, Caps caps, bool is_warm,
                    Point& at, Report& report) {
  Sweeps<double> sweeps{problem, m.prepared, m.p, m.u, caps.max_impulse, 0};
  Newton newton{problem, m.prepared, m.newton, settings.tolerance, caps.max_impulse, caps.suspect, 0};
  Point best{m.best_p, m.best_u, std::numeric_limits<double>::infinity(), -1};
  Point fallback{m.fallback_p, m.fallback_u, 0, -1};
  bool capped = false;
  const int size = padded<double>(problem.rows);
  int burst = 3;
  for (int round = is_warm ? 0 : 2;; ++round, burst = smaller(2 * burst + 2, 78)) {
    if (is_warm && round == 2) {
      start_cold(problem, m);
      burst = 3;
    }
    for (int i = 0; i < burst && report.sweeps < settings.max_sweeps; ++i) {
      ++report.sweeps;
      if (sweep(sweeps) < 0.3 * settings.tolerance) break;
    }
    capped = capped || sweeps.capped > 0;
    at.residual = worst(problem, m.prepared, m.p, m.u, at.worst_block);
    newton.max_factorizations =
        smaller(newton.factorizations + (settings.max_factorizations + 3) / 4, settings.max_factorizations);
    const double shift = round == 3 ? 1e-2 : round == 4 ? 1e-12 : 1e-9;
    newton_steps(newton, at, fallback, shift, round == 1 || round == 4);
    report.factorizations = newton.factorizations;
    if (at.residual < settings.tolerance) return false;
    if (at.residual < best.residual) copy(at, best, size);
    if (report.sweeps >= settings.max_sweeps) break;
  }
  if (best.residual < at.residual) copy(best, at, size);
  return capped || newton.suspect;
}

inline Report solve(const Problem<double>& problem, SolverMemory& m, double* p, double* u, const Settings& settings) {
  Report report;
  const int size = padded<double>(problem.rows);
  bool is_warm = false;
  for (int i = 0; i < problem.rows; ++i) {
    m.p[i] = p[i];
    is_warm = is_warm || p[i] != 0;
  }
  for (int i = problem.rows; i < size; ++i) m.p[i] = 0;
  report.worst_block = start(problem, m, report);
  if (report.worst_block >= 0) {
    report.residual = std::numeric_limits<double>::infinity();
    for (int i = 0; i < problem.rows; ++i) p[i] = u[i] = 0;
    return report;
  }
  for (int i = 0; i < int(problem.blocks.size()); ++i)
    prepare(problem, problem.blocks[std::size_t(i)], m.p, m.u, m.prepared[i]);
  const Caps caps =
      settings.max_impulse > 0 ? Caps{settings.max_impulse, settings.max_impulse} : automatic_caps(problem, m.prepared);
  Point at{m.p, m.u, 0, -1};
  bool capped = false;
  if (settings.fixed_sweeps > 0) {
    Sweeps<double> sweeps{problem, m.prepared, m.p, m.u, caps.max_impulse, 0};
    for (; report.sweeps < settings.fixed_sweeps; ++report.sweeps) sweep(sweeps);
    capped = sweeps.capped > 0;
    at.residual = worst(problem, m.prepared, m.p, m.u, at.worst_block);
  } else if (problem.rows > 0) {
    capped = iterate(problem, m, settings, caps, is_warm, at, report);
  }
  report.residual = at.residual, report.worst_block = at.worst_block;
  report.status = at.residual < settings.tolerance ? Status::converged
                  : capped                         ? Status::infeasible
                                                   : Status::budget_exhausted;
  for (int i = 0; i < problem.rows; ++i) p[i] = m.p[i], u[i] = m.u[i];
  return report;
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom::contact
