#pragma once
// A convex quadratic program, dense:
//
//   minimize ½ xᵀ H x + gᵀ x   subject to   A x = b,   l ≤ C x ≤ u,   lx ≤ x ≤ ux.
//
// A Problem only refers to its data, row by row, also to a corner of a larger matrix; nothing is copied or owned here.
#include <span>

#include <Eigen/Core>

namespace lissom::qp {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixIn = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
using VectorIn = Eigen::Ref<const Eigen::VectorXd>;

// A bound of this size or more is none.
inline constexpr double unbounded = 1e20;

struct Problem {
  MatrixIn H;  // symmetric, positive definite or semidefinite
  VectorIn g;
  MatrixIn A;
  VectorIn b;
  MatrixIn C;
  VectorIn l, u;
  VectorIn lx, ux;
  // Of the rows of C: w > 0 makes row i soft, leaving it by s costs ½ w s²; 0: hard. Empty: all are hard.
  VectorIn weight = Eigen::VectorXd();
  // Sizes of the diagonal blocks of H, in order, with the number of variables as their sum (36, 3, 3, 3, …, or
  // 36, 1, 1, 1, …): what lies outside of them is taken for zero. Empty: they are looked for.
  std::span<const int> blocks = {};
};

struct Sizes {
  int variables = 0, equalities = 0, rows = 0;
};

}  // namespace lissom::qp
