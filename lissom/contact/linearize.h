#pragma once
// How the solution of a contact problem changes with the problem, inside the modes of its blocks (docs/contact.md,
// "Derivatives"): the matrix of Newton's method at the solution, and one substitution for each column. Beside it the
// products of rows in whitened velocities with many columns at once. Compiled for each instruction set (kernels.cpp).
#include "lissom/contact/newton.h"
#include "lissom/contact/whitened.h"

namespace lissom::contact {
inline namespace LISSOM_ISA_NAMESPACE {

/// Several registers of one line, over which sums are kept.
template <int N>
struct Tile {
  Row x[N];
  static Tile load(const double* from) {
    Tile t;
    for (int k = 0; k < N; ++k) t.x[k] = Row::load(from + k * row_width);
    return t;
  }
  void store(double* to) const {
    for (int k = 0; k < N; ++k) x[k].store(to + k * row_width);
  }
  void add(double factor, const double* line) {
    const Row f(factor);
    for (int k = 0; k < N; ++k) x[k] += f * Row::load(line + k * row_width);
  }
  void scale(double factor) {
    const Row f(factor);
    for (int k = 0; k < N; ++k) x[k] = f * x[k];
  }
};

/// Calls work(tile width as a constant, first column) for columns [0, count), which is a multiple of 8.
template <class Work>
inline void in_tiles(int count, Work work) {
  constexpr int wide = 4;
  int at = 0;
  for (; at + wide * row_width <= count; at += wide * row_width) work(std::integral_constant<int, wide>{}, at);
  for (; at < count; at += row_width) work(std::integral_constant<int, 1>{}, at);
}

/// L⁻¹ D^-½ of all columns of W: from whitened velocities to velocities.
inline void unwhiten(const TreeFactor& f, const RowMatrix& W) {
  in_tiles(W.stride, [&](auto width, int at) {
    for (int i = 0; i < f.size; ++i) {
      double* const line = W.Y + i * W.stride + at;
      auto sum = Tile<width()>::load(line);
      sum.scale(f.scale[i]);
      const double* const L = f.L + i * f.stride;
      for (int j = f.parent[i]; j >= 0; j = f.parent[j]) sum.add(-L[j], W.Y + j * W.stride + at);
      sum.store(line);
    }
  });
}

/// U = Yᵀ W: one line of U for each column of Y.
inline void rows_times(const RowMatrix& Y, const RowMatrix& W, double* U) {
  in_tiles(W.stride, [&](auto width, int at) {
    for (int r = 0; r < Y.columns; ++r) {
      Tile<width()> sum{};
      for (int k = 0; k < width(); ++k) sum.x[k] = Row(0.0);
      for (int k = 0; k < Y.size; ++k)
        if (r >= Y.first[k] && r < Y.last[k]) sum.add(Y.Y[k * Y.stride + r], W.Y + k * W.stride + at);
      sum.store(U + r * W.stride + at);
    }
  });
}

/// W += Y P: P has one line for each column of Y.
inline void add_rows_times(const RowMatrix& Y, const double* P, const RowMatrix& W) {
  in_tiles(W.stride, [&](auto width, int at) {
    for (int k = 0; k < Y.size; ++k) {
      double* const line = W.Y + k * W.stride + at;
      auto sum = Tile<width()>::load(line);
      const int last = smaller(Y.last[k], Y.columns);
      for (int r = Y.first[k]; r < last; ++r) sum.add(Y.Y[k * Y.stride + r], P + r * W.stride + at);
      sum.store(line);
    }
  });
}

/// L U x = right-hand sides, in place.
inline void substitute(const NewtonMemory& m, double* X, int stride) {
  const int n = m.size;
  in_tiles(stride, [&](auto width, int at) {
    for (int i = 0; i < n; ++i) {
      auto sum = Tile<width()>::load(X + i * stride + at);
      for (int k = 0; k < i; ++k) sum.add(-m.L[k * m.stride + i], X + k * stride + at);
      sum.store(X + i * stride + at);
    }
    for (int i = n - 1; i >= 0; --i) {
      auto sum = Tile<width()>::load(X + i * stride + at);
      const double* const row = m.A + i * m.stride;
      for (int k = i + 1; k < n; ++k) sum.add(-row[k], X + k * stride + at);
      sum.scale(1 / row[i]);
      sum.store(X + i * stride + at);
    }
  });
}

/// The right-hand sides -∂F for changes d of the velocities of a block at constant impulses: those of stick, or
/// combined from them as write_slip() combines its rows.
inline void write_changes(const Block<double>& block, const Linearized& l, const double* d, int stride, double* X) {
  const bool slips = l.mode == Mode::slip, is_cone = block.kind == Kind::cone;
  const int rows = is_cone && block.friction <= 0 ? 1 : block.size, tangents = is_cone ? 2 : block.size;
  if (!slips) {
    for (int k = 0; k < rows * stride; k += row_width) (Row(-l.r) * Row::load(d + k)).store(X + k);
    return;
  }
  const double *const dn = d, *const dt = is_cone ? d + stride : d;
  double *const Xn = X, *const Xt = is_cone ? X + stride : X;
  const double mu0 = is_cone ? l.mu * l.t0 : 0, mu1 = is_cone ? l.mu * l.t1 : 0;
  for (int c = 0; c < stride; c += row_width) {
    const Row r(-l.r), n = is_cone ? r * Row::load(dn + c) : Row(0.0);
    if (is_cone) n.store(Xn + c);
    const Row t0 = r * Row::load(dt + c);
    if (tangents == 1) {
      (Row(mu0) * n).store(Xt + c);
      continue;
    }
    const Row t1 = r * Row::load(dt + stride + c);
    const Row across = Row(-l.kappa * l.t1) * t0 + Row(l.kappa * l.t0) * t1;
    (Row(mu0) * n - Row(l.t1) * across).store(Xt + c);
    (Row(mu1) * n + Row(l.t0) * across).store(Xt + stride + c);
  }
}

/// Adds what changes of the friction of blocks do: F = p_t - μ y_n t.
inline void add_friction_changes(const Problem<double>& problem, const NewtonMemory& m,
                                 std::span<const FrictionChange> changes, int stride, double* X) {
  for (const auto& change : changes) {
    const Block<double>& block = problem.blocks[std::size_t(change.block)];
    const Linearized& l = m.blocks[change.block];
    if (l.mode != Mode::slip) continue;
    const bool is_cone = block.kind == Kind::cone;
    const double normal = is_cone ? m.q[block.row] - l.r * m.w[block.row] : m.q[block.normal_row];
    double* const x = X + (l.first + (is_cone ? 1 : 0)) * stride + change.column;
    x[0] += change.size * larger(normal, 0.0) * l.t0;
    if (block.size > 1) x[stride] += change.size * larger(normal, 0.0) * l.t1;
  }
}

/// What Solver::differentiate does; `m` has memory for the modes and the matrix, X for as many lines as the problem
/// has rows.
inline bool differentiate(const Problem<double>& problem, SolverMemory& memory, const double* p, const double* u,
                          std::span<const FrictionChange> friction, double* d, int stride, double* X) {
  // The matrix takes G + ε g 1, as in Newton's steps; a second substitution removes what ε has changed.
  constexpr double regularization = 1e-9;
  NewtonMemory& m = memory.newton;
  const int size = padded<double>(problem.rows);
  for (int i = 0; i < size; ++i) {
    memory.p[i] = i < problem.rows ? p[i] : 0.0;
    memory.u[i] = i < problem.rows ? u[i] : 0.0;
  }
  for (int i = 0; i < int(problem.blocks.size()); ++i)
    prepare(problem, problem.blocks[std::size_t(i)], memory.p, memory.u, memory.prepared[i]);
  choose_open(problem, memory.prepared, memory.p, memory.u, false, m);
  assemble(problem, m, regularization, false);
  if (!factorize(m)) return false;
  const auto write_all = [&] {
    for (int i = 0; i < int(problem.blocks.size()); ++i) {
      const Block<double>& block = problem.blocks[std::size_t(i)];
      if (m.blocks[i].mode == Mode::open) continue;
      write_changes(block, m.blocks[i], d + block.row * stride, stride, X + m.blocks[i].first * stride);
    }
    add_friction_changes(problem, m, friction, stride, X);
  };
  write_all();
  substitute(m, X, stride);
  for (int i = 0; i < int(problem.blocks.size()); ++i) {
    const Linearized& l = m.blocks[i];
    const Block<double>& block = problem.blocks[std::size_t(i)];
    if (l.mode == Mode::open) continue;
    const int rows = block.kind == Kind::cone && block.friction <= 0 ? 1 : block.size;
    const Row shift(-regularization / l.r);
    for (int k = 0; k < rows * stride; k += row_width) {
      double* const to = d + block.row * stride + k;
      (Row::load(to) + shift * Row::load(X + l.first * stride + k)).store(to);
    }
  }
  write_all();
  substitute(m, X, stride);
  for (int row = 0; row < problem.rows; ++row) {
    const int at = m.at[row];
    for (int c = 0; c < stride; c += row_width)
      (at >= 0 ? Row::load(X + at * stride + c) : Row(0.0)).store(d + row * stride + c);
  }
  return true;
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom::contact
