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

/// D^-½ L⁻ᵀ of all columns of W, as whiten(); sums stay in registers. Degrees of freedom of a subtree follow each
/// other.
inline void whiten_columns(const TreeFactor& f, const RowMatrix& W) {
  in_tiles(W.stride, [&](auto width, int at) {
    for (int j = f.size - 1; j >= 0; --j) {
      double* const line = W.Y + j * W.stride + at;
      auto sum = Tile<width()>::load(line);
      for (int i = j + 1; i < f.size && f.parent[i] >= j; ++i) sum.add(-f.L[i * f.stride + j], W.Y + i * W.stride + at);
      sum.store(line);
    }
    for (int j = 0; j < f.size; ++j) {
      double* const line = W.Y + j * W.stride + at;
      auto scaled = Tile<width()>::load(line);
      scaled.scale(f.scale[j]);
      scaled.store(line);
    }
  });
}

/// L⁻¹ D^-½ of all columns of W: from whitened velocities to velocities.
inline void unwhiten_columns(const TreeFactor& f, const RowMatrix& W) {
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

/// Four lines at once: sums over the same lines of another matrix.
template <int N>
struct FourTiles {
  Tile<N> t[4];
  static FourTiles load(const double* from, int stride) {
    FourTiles f;
    for (int r = 0; r < 4; ++r) f.t[r] = Tile<N>::load(from + r * stride);
    return f;
  }
  void store(double* to, int stride) const {
    for (int r = 0; r < 4; ++r) t[r].store(to + r * stride);
  }
  void add(double a, double b, double c, double d, const double* line) {
    const Tile<N> x = Tile<N>::load(line);
    const Row factors[4] = {Row(a), Row(b), Row(c), Row(d)};
    for (int r = 0; r < 4; ++r)
      for (int k = 0; k < N; ++k) t[r].x[k] += factors[r] * x.x[k];
  }
};

/// U += Yᵀ W: one line of U for each column of Y; lines up to the next multiple of four are written.
inline void add_rows_of(const RowMatrix& Y, const RowMatrix& W, double* U) {
  in_tiles(W.stride, [&](auto width, int at) {
    for (int r = 0; r < Y.columns; r += 4) {
      auto sums = FourTiles<width()>::load(U + r * W.stride + at, W.stride);
      for (int k = 0; k < Y.size; ++k) {
        if (r < Y.first[k] || r >= Y.last[k]) continue;
        const double* const y = Y.Y + k * Y.stride + r;
        sums.add(y[0], y[1], y[2], y[3], W.Y + k * W.stride + at);
      }
      sums.store(U + r * W.stride + at, W.stride);
    }
  });
}

/// W += Y P: P has one line for each column of Y.
inline void add_rows_times(const RowMatrix& Y, const double* P, const RowMatrix& W) {
  in_tiles(W.stride, [&](auto width, int at) {
    int k = 0;
    for (; k + 4 <= Y.size; k += 4) {
      int first = Y.first[k], last = Y.last[k];
      for (int i = k + 1; i < k + 4; ++i) {
        first = Y.first[i] < first ? Y.first[i] : first;
        last = Y.last[i] > last ? Y.last[i] : last;
      }
      last = last < Y.columns ? last : Y.columns;
      auto sums = FourTiles<width()>::load(W.Y + k * W.stride + at, W.stride);
      const double* const y = Y.Y + k * Y.stride;
      for (int r = first; r < last; ++r)
        sums.add(y[r], y[Y.stride + r], y[2 * Y.stride + r], y[3 * Y.stride + r], P + r * W.stride + at);
      sums.store(W.Y + k * W.stride + at, W.stride);
    }
    for (; k < Y.size; ++k) {
      auto sum = Tile<width()>::load(W.Y + k * W.stride + at);
      for (int r = Y.first[k]; r < Y.last[k] && r < Y.columns; ++r)
        sum.add(Y.Y[k * Y.stride + r], P + r * W.stride + at);
      sum.store(W.Y + k * W.stride + at);
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

/// Adds what changes of the friction of blocks do, each in a column of its own: F = p_t - μ y_n t.
inline void add_friction_changes(const Problem<double>& problem, const NewtonMemory& m,
                                 std::span<const FrictionChange> changes, int first_column, int stride, double* X) {
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& change = changes[i];
    const Block<double>& block = problem.blocks[std::size_t(change.block)];
    const Linearized& l = m.blocks[change.block];
    if (l.mode != Mode::slip) continue;
    const bool is_cone = block.kind == Kind::cone;
    const double normal = is_cone ? m.q[block.row] - l.r * m.w[block.row] : m.q[block.normal_row];
    double* const x = X + (l.first + (is_cone ? 1 : 0)) * stride + first_column + int(i);
    x[0] += change.size * larger(normal, 0.0) * l.t0;
    if (block.size > 1) x[stride] += change.size * larger(normal, 0.0) * l.t1;
  }
}

/// X = the change of the impulses in the matrix with each row's velocity, and with each change of friction: the inverse
/// of the matrix, as it were. I: memory for the right-hand sides.
inline void invert(const Problem<double>& problem, const NewtonMemory& m, std::span<const FrictionChange> friction,
                   double regularization, int stride, double* I, double* X) {
  for (int i = 0; i < problem.rows * stride; i += row_width) Row(0.0).store(I + i);
  for (int i = 0; i < problem.rows; ++i) I[i * stride + i] = 1;
  const auto write_all = [&] {
    for (int i = 0; i < int(problem.blocks.size()); ++i) {
      const Block<double>& block = problem.blocks[std::size_t(i)];
      if (m.blocks[i].mode == Mode::open) continue;
      write_changes(block, m.blocks[i], I + block.row * stride, stride, X + m.blocks[i].first * stride);
    }
    add_friction_changes(problem, m, friction, problem.rows, stride, X);
  };
  write_all();
  substitute(m, X, stride);
  // The matrix takes G + ε g 1, as in Newton's steps. Further substitutions remove what ε has changed: (ε/λ)ᵏ, for
  // eigenvalues λ other than 0.
  constexpr int refinements = 1;
  for (int k = 0; k < refinements; ++k) {
    for (int i = 0; i < problem.rows * stride; i += row_width) Row(0.0).store(I + i);
    for (int i = 0; i < int(problem.blocks.size()); ++i) {
      const Linearized& l = m.blocks[i];
      const Block<double>& block = problem.blocks[std::size_t(i)];
      if (l.mode == Mode::open) continue;
      const int rows = block.kind == Kind::cone && block.friction <= 0 ? 1 : block.size;
      const Row shift(-regularization / l.r);
      for (int c = 0; c < rows * stride; c += row_width)
        (shift * Row::load(X + l.first * stride + c)).store(I + block.row * stride + c);
    }
    for (int i = 0; i < problem.rows; ++i) I[i * stride + i] += 1;
    write_all();
    substitute(m, X, stride);
  }
}

/// What Solver::differentiate does; `memory` for the modes and the matrix, `I` and `X` of padded(rows + friction) ×
/// (rows + 4) elements.
inline bool differentiate(const Problem<double>& problem, SolverMemory& memory, const double* p, const double* u,
                          std::span<const FrictionChange> friction, const double* d, int stride, double* dp, double* I,
                          double* X) {
  constexpr double regularization = 1e-8;
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
  const int width_of_X = padded<double>(problem.rows + int(friction.size()));
  invert(problem, m, friction, regularization, width_of_X, I, X);
  for (int i = m.size * width_of_X; i < (m.size + 3) * width_of_X; ++i) X[i] = 0;
  // By blocks of four rows of the matrix; those of open blocks stay without impulse.
  in_tiles(stride, [&](auto width, int at) {
    Tile<width()> none;
    for (int k = 0; k < width(); ++k) none.x[k] = Row(0.0);
    for (int row = 0; row < problem.rows; ++row)
      if (m.at[row] < 0) none.store(dp + row * stride + at);
    for (int i = 0; i < m.size; i += 4) {
      FourTiles<width()> sums;
      for (auto& t : sums.t) t = none;
      const double* const x = X + i * width_of_X;
      for (int r = 0; r < problem.rows; ++r)
        sums.add(x[r], x[width_of_X + r], x[2 * width_of_X + r], x[3 * width_of_X + r], d + r * stride + at);
      for (int r = 0; r < 4 && i + r < m.size; ++r) sums.t[r].store(dp + m.rows[i + r] * stride + at);
    }
  });
  for (int i = 0; i < m.size; ++i)
    for (std::size_t k = 0; k < friction.size(); ++k)
      dp[m.rows[i] * stride + friction[k].column] += X[i * width_of_X + problem.rows + int(k)];
  return true;
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom::contact
