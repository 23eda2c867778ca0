#pragma once
// A semismooth Newton step on all blocks at once (docs/contact.md, equations 9 to 11): each block is in one of few
// modes, which its own p and u tell; inside these modes the laws are smooth equations, after Alart and Curnier.
//
//   open    p is given: 0 of a contact that separates, a bound of a box. No row of the matrix.
//   stick   u = 0
//   slip    u_n = 0,  p_t = μ y_n y_t/|y_t|  with y = p - u/g, linearized including the direction of y_t
//
// Gauss–Seidel finds the modes in a few sweeps but crawls where blocks are tightly coupled; this step solves the
// coupling exactly but needs the modes. Feet on the ground are hyperstatic: G is singular, so the matrix, and only the
// matrix, takes G + ε g 1. The residual, which decides whether a step is kept, is that of the problem as given.
//
// For one world in double. The matrix stays factorized in NewtonMemory, for the derivatives of a step: dp = -A⁻¹ ∂F,
// with one substitution for each parameter (docs/contact.md).
#include <limits>

#include "lissom/contact/solver_memory.h"
#include "lissom/contact/sweep.h"

namespace lissom::contact {

inline namespace LISSOM_ISA_NAMESPACE {

using Row = Pack<double>;
inline constexpr int row_width = PackOf<double>::width;
constexpr int block_start(int i) {
  return i / 8 * 8;
}

/// The largest residual of all blocks, and whose it is.
inline double worst(const Problem<double>& problem, const PreparedBlock<double>* prepared, const double* p,
                    const double* u, int& block) {
  double largest = -1;
  for (int i = 0; i < int(problem.blocks.size()); ++i) {
    const double r = block_residual(problem.blocks[std::size_t(i)], prepared[i].g, p, u);
    if (!(r <= largest)) largest = r, block = i;
    if (!(r < std::numeric_limits<double>::infinity())) return std::numeric_limits<double>::infinity();
  }
  return larger(largest, 0.0);
}

/// Factorizes A in place, right-hand side in column `size`. Returns false where a pivot is too small. (Rows are scaled
/// by 1/g, so that pivots are of the order of 1.)
inline bool factorize(NewtonMemory& m) {
  const int n = m.size, stride = m.stride, end = block_start(n) + 8;
  for (int k = 0; k < n; ++k) {
    double* const pivot_row = m.A + k * stride;
    const double pivot = pivot_row[k];
    if (!(abs(pivot) > 1e-13)) return false;
    const double inverse = 1 / pivot;
    const int start = block_start(k);
    for (int c = start; c < k; ++c) pivot_row[c] = 0;  // belongs to L, which is stored apart
    double* const multipliers = m.L + k * stride;
    for (int i = start; i <= k; ++i) multipliers[i] = 0;
    for (int i = k + 1; i < n; ++i) {
      double* const row = m.A + i * stride;
      const double factor = row[k] * inverse;
      multipliers[i] = factor;
      const Row f(factor);
      for (int c = start; c < end; c += row_width) (Row::load(row + c) - f * Row::load(pivot_row + c)).store(row + c);
    }
    for (int i = n; i < end; ++i) multipliers[i] = 0;
  }
  return true;
}

/// a · b with eight partial sums, whatever the width of registers.
inline double dot(const double* a, const double* b, int first, int last) {
  constexpr int parts = 8 / row_width;
  Row sum[parts];
  for (Row& s : sum) s = Row(0.0);
  for (int c = first; c < last; c += 8)
    for (int k = 0; k < parts; ++k) sum[k] += Row::load(a + c + k * row_width) * Row::load(b + c + k * row_width);
  double s[8];
  for (int k = 0; k < parts; ++k) sum[k].store(s + k * row_width);
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/// U x = y, with y in column `size` of A.
inline void back_substitute(const NewtonMemory& m) {
  const int end = block_start(m.size) + 8;
  for (int c = 0; c < end; ++c) m.x[c] = 0;
  for (int k = m.size - 1; k >= 0; --k) {
    const double* const row = m.A + k * m.stride;
    m.x[k] = (row[m.size] - dot(row, m.x, block_start(k), end)) / row[k];
  }
}

/// Decides which blocks are open, and collects the rows of the others. m.q and m.w: impulses with open blocks at their
/// bounds, and velocities of these.
///
/// all_stick: contacts start from no impulse. Faces with four corners are hyperstatic, and the step is the least one,
/// so that corners share the load and do not strain against each other; what sweeps leave there may lie outside of the
/// cones.
inline void choose_open(const Problem<double>& problem, const PreparedBlock<double>* prepared, const double* p,
                        const double* u, bool all_stick, NewtonMemory& m) {
  m.size = 0;
  for (int i = 0; i < problem.rows; ++i) m.q[i] = p[i], m.at[i] = -1;
  for (int i = 0; i < int(problem.blocks.size()); ++i) {
    const Block<double>& block = problem.blocks[std::size_t(i)];
    const int row = block.row;
    int rows = block.size;
    Linearized& l = m.blocks[i];
    l = {.mode = Mode::stick, .first = -1, .r = 1 / prepared[i].g, .mu = 0, .t0 = 0, .t1 = 0, .kappa = 0};
    if (prepared[i].g_inverse == 0) l.mode = Mode::open;
    if (block.kind == Kind::cone) {
      if (!(p[row] - l.r * u[row] > 0)) {
        l.mode = Mode::open;
        m.q[row] = 0;
      }
      if (l.mode == Mode::open || block.friction <= 0) m.q[row + 1] = m.q[row + 2] = 0;
      if (block.friction <= 0) rows = 1;
    } else if (block.kind == Kind::box) {
      const double y = p[row] - l.r * u[row];
      if (y <= block.lower || y >= block.upper)
        l.mode = Mode::open, m.q[row] = y <= block.lower ? block.lower : block.upper;
    } else if (block.kind == Kind::disk && !(block.friction * p[block.normal_row] > 0)) {
      l.mode = Mode::open;
      for (int k = 0; k < block.size; ++k) m.q[row + k] = 0;
    }
    if (l.mode == Mode::open) continue;
    if (all_stick && block.kind == Kind::cone) m.q[row] = m.q[row + 1] = m.q[row + 2] = 0;
    l.first = m.size;
    for (int k = 0; k < rows; ++k) m.at[row + k] = m.size, m.rows[m.size++] = row + k;
  }
  const int size = padded<double>(problem.rows);
  for (int i = 0; i < size; i += row_width) Row::load(u + i).store(m.w + i);
  for (int i = 0; i < problem.rows; ++i) {
    const double delta = m.q[i] - p[i];
    if (delta != 0) add_rows<1>(problem.G + i * problem.stride, problem.stride, &delta, m.w, size);
  }
}

/// Rows r G of a block, in the columns of the matrix; right-hand side -r w: the equations of a block that sticks.
inline void write_stick(const Problem<double>& problem, NewtonMemory& m, int first, int rows, double r,
                        double regularization) {
  for (int k = 0; k < rows; ++k) {
    const int row = m.rows[first + k];
    const double* const G = problem.G + row * problem.stride;
    double* const A = m.A + (first + k) * m.stride;
    for (int c = 0; c < m.size; ++c) A[c] = r * G[m.rows[c]];
    A[first + k] += regularization;
    A[m.size] = -r * m.w[row];
    for (int c = m.size + 1; c < block_start(m.size) + 8; ++c) A[c] = 0;
  }
}

/// The tangential rows of a block that slips, in place of those of stick. They are combined from the rows of stick
/// (whose left-hand sides are r δu): δp_t - μ t (δp_n - r δu_n) - κ P (δp_t - r δu_t) = -(p_t - μ y_n t), with P = 1 -
/// t tᵀ. A disk has no normal row of its own: its radius is μ p_n, lagged in y but not in the matrix.
inline void write_slip(NewtonMemory& m, const Linearized& l, int first, int normal, int own_normal, const double* force,
                       int tangents) {
  const double t[2] = {l.t0, l.t1};
  const double P[2][2] = {{l.kappa * (1 - l.t0 * l.t0), -l.kappa * l.t0 * l.t1},
                          {-l.kappa * l.t0 * l.t1, l.kappa * (1 - l.t1 * l.t1)}};
  double *const A0 = m.A + first * m.stride, *const A1 = tangents > 1 ? A0 + m.stride : A0;
  const double* const An = own_normal >= 0 ? m.A + own_normal * m.stride : nullptr;
  const int end = block_start(m.size) + 8;
  for (int c = 0; c < end; c += row_width) {
    const Row x0 = Row::load(A0 + c), x1 = Row::load(A1 + c);
    Row y0 = P[0][0] * x0, y1 = P[1][1] * x1;
    if (tangents > 1) y0 += P[0][1] * x1, y1 += P[1][0] * x0;
    if (An) {
      const Row xn = Row::load(An + c);
      y0 += l.mu * t[0] * xn, y1 += l.mu * t[1] * xn;
    }
    y0.store(A0 + c);
    if (tangents > 1) y1.store(A1 + c);
  }
  for (int k = 0; k < tangents; ++k) {
    double* const A = m.A + (first + k) * m.stride;
    A[first + k] += 1;
    for (int j = 0; j < tangents; ++j) A[first + j] -= P[k][j];
    if (normal >= 0) A[normal] -= l.mu * t[k];
    A[m.size] = -force[k];
  }
}

/// Fills the matrix and its right-hand side at (m.q, m.w). all_stick: no block slips.
inline void assemble(const Problem<double>& problem, NewtonMemory& m, double regularization, bool all_stick) {
  for (int i = 0; i < int(problem.blocks.size()); ++i) {
    const Block<double>& block = problem.blocks[std::size_t(i)];
    Linearized& l = m.blocks[i];
    if (l.mode == Mode::open) continue;
    const bool is_cone = block.kind == Kind::cone;
    const int rows = is_cone && block.friction <= 0 ? 1 : block.size;
    write_stick(problem, m, l.first, rows, l.r, regularization);
    if (block.kind == Kind::box || block.kind == Kind::free || (is_cone && rows == 1)) continue;
    const int tangents = is_cone ? 2 : block.size, row = is_cone ? block.row + 1 : block.row;
    const double y0 = m.q[row] - l.r * m.w[row], y1 = tangents > 1 ? m.q[row + 1] - l.r * m.w[row + 1] : 0.0;
    const double normal = is_cone ? m.q[block.row] - l.r * m.w[block.row] : m.q[block.normal_row];
    const double radius = block.friction * larger(normal, 0.0), length = root(y0 * y0 + y1 * y1);
    if (length <= radius || all_stick) continue;
    l = {Mode::slip, l.first, l.r, block.friction, y0 / length, y1 / length, tangents > 1 ? radius / length : 0.0};
    const double force[2] = {m.q[row] - radius * l.t0, tangents > 1 ? m.q[row + 1] - radius * l.t1 : 0.0};
    if (is_cone)
      write_slip(m, l, l.first + 1, l.first, l.first, force, 2);
    else
      write_slip(m, l, l.first, m.at[block.normal_row], -1, force, tangents);
  }
}

/// Impulses with their velocities and residual.
struct Point {
  double *p, *u;  // padded
  double residual;
  int worst_block;
};

inline void copy(const Point& from, Point& to, int size) {
  for (int i = 0; i < size; i += row_width) {
    Row::load(from.p + i).store(to.p + i);
    Row::load(from.u + i).store(to.u + i);
  }
  to.residual = from.residual, to.worst_block = from.worst_block;
}

/// What Newton's method is given and counts.
struct Newton {
  const Problem<double>& problem;
  PreparedBlock<double>* prepared;
  NewtonMemory& memory;
  double tolerance, max_impulse, suspect_impulse;
  int max_factorizations;
  int factorizations = 0;
  bool suspect = false;  // a step asked for impulses beyond suspect_impulse, as it does where there is no solution
};

/// The direction from a point; afterwards memory.q are the impulses that a full step leads to.
inline bool newton_direction(Newton& n, const Point& at, double regularization, bool all_stick) {
  NewtonMemory& m = n.memory;
  ++n.factorizations;
  choose_open(n.problem, n.prepared, at.p, at.u, all_stick, m);
  assemble(n.problem, m, regularization, all_stick);
  if (!factorize(m)) return false;
  back_substitute(m);
  for (int i = 0; i < m.size; ++i) m.q[m.rows[i]] += m.x[i];
  return true;
}

/// Moves impulses to the nearest admissible ones: where a full step changes modes, it may end far outside, and what
/// comes next would start from there.
inline void make_admissible(const Problem<double>& problem, double* p) {
  for (const Block<double>& block : problem.blocks) {
    double* const q = p + block.row;
    if (block.kind == Kind::box) {
      q[0] = smaller(larger(q[0], block.lower), block.upper);
    } else if (block.kind == Kind::cone) {
      if (!(q[0] > 0)) {
        q[0] = q[1] = q[2] = 0;
        continue;
      }
      const double length = root(q[1] * q[1] + q[2] * q[2]), radius = block.friction * q[0];
      if (length > radius) q[1] *= radius / length, q[2] *= radius / length;
    }
  }
}

/// The point at some fraction of the step. Its residual is infinite where the cap is exceeded, and where suspect
/// impulses do not end at a solution.
inline void part_of_step(Newton& n, const Point& from, double fraction, Point& to) {
  double largest = 0;
  for (int i = 0; i < n.problem.rows; ++i) to.p[i] = from.p[i] + fraction * (n.memory.q[i] - from.p[i]);
  make_admissible(n.problem, to.p);
  for (int i = 0; i < n.problem.rows; ++i) largest = larger(abs(to.p[i]), largest);
  const bool suspect = largest > n.suspect_impulse;
  n.suspect = n.suspect || suspect;
  to.residual = std::numeric_limits<double>::infinity();
  if (!(largest <= n.max_impulse)) return;
  velocities(n.problem, to.p, to.u);
  const double residual = worst(n.problem, n.prepared, to.p, to.u, to.worst_block);
  if (!suspect || residual < n.tolerance) to.residual = residual;
}

/// Two sweeps from where a full step ends. A step across modes may end far away, with all impulses too large, but those
/// that have to be zero are: sweeps then find the rest at once.
inline void settle(Newton& n, Point& at) {
  if (!(at.residual < std::numeric_limits<double>::infinity())) return;
  Sweeps<double> sweeps{n.problem, n.prepared, at.p, at.u, n.max_impulse, 0};
  for (int i = 0; i < 2; ++i) sweep(sweeps);
  at.residual = worst(n.problem, n.prepared, at.p, at.u, at.worst_block);
}

/// Steps from `at` until the tolerance is reached, the budget is used up, or nothing lowers the residual any more.
///
/// A full step may raise the residual and still be right, since it changes modes: as in an active-set method, the next
/// one then ends at the solution. So up to two more full steps are tried from there. Meanwhile `fallback` is the best
/// of the shorter steps from where this began. all_stick: in the first step no block slips.
inline void newton_steps(Newton& n, Point& at, Point& fallback, double regularization, bool all_stick) {
  constexpr double progress = 0.9;
  constexpr int max_rising = 2;
  const int size = padded<double>(n.problem.rows);
  Point next{n.memory.p, n.memory.u, 0, -1};
  double reference = at.residual;
  int rising = 0;  // steps since the residual was `reference`
  while (!(at.residual < n.tolerance)) {
    const bool stepped = n.factorizations < n.max_factorizations && newton_direction(n, at, regularization, all_stick);
    all_stick = false;
    next.residual = std::numeric_limits<double>::infinity();
    if (stepped) part_of_step(n, at, 1, next);
    if (!(next.residual < progress * reference)) settle(n, next);
    if (next.residual < progress * reference) {
      copy(next, at, size);
      reference = at.residual, rising = 0;
      continue;
    }
    if (stepped && rising == 0) {
      copy(at, fallback, size);
      Point shorter{n.memory.shorter_p, n.memory.shorter_u, 0, -1};
      for (const double damping : {0.35, 0.12}) {
        part_of_step(n, at, damping, shorter);
        if (!(shorter.residual < progress * reference)) continue;
        copy(shorter, fallback, size);
        break;
      }
    }
    if (stepped && rising < max_rising && next.residual < 100 * reference) {
      copy(next, at, size);
      ++rising;
      continue;
    }
    if (rising == 0 && !stepped) return;
    copy(fallback, at, size);
    if (!(at.residual < progress * reference)) return;
    reference = at.residual, rising = 0;
  }
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom::contact
