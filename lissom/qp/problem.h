#pragma once
// A convex quadratic program, dense:
//
//   minimize ½ xᵀ H x + gᵀ x   subject to   A x = b,   l ≤ C x ≤ u,   lx ≤ x ≤ ux.
//
// A Problem only refers to its data, which may be a corner of a larger matrix (rows must be contiguous); nothing is
// copied or owned here.
#include <span>

#include <Eigen/Core>

#include "lissom/math/eigen_arguments.h"

namespace lissom::qp {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixIn = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
using lissom::VectorIn;

/// Bounds of at least this magnitude count as infinite.
inline constexpr double unbounded = 1e20;

/// The data of a quadratic program. They have to outlive the call of Solver::solve().
struct Problem {
  MatrixIn H;  ///< symmetric, positive definite or semidefinite
  VectorIn g;
  MatrixIn A;
  VectorIn b;
  MatrixIn C;
  VectorIn l, u;
  VectorIn lx, ux;
  /// A weight w > 0 makes a row of C soft: violating it by s costs ½ w s². 0: the row is hard. Empty: all are hard.
  VectorIn weight = Eigen::VectorXd();
  /// Sizes of the diagonal blocks of H, in order, with the number of variables as their sum (36, 3, 3, 3, …, or
  /// 36, 1, 1, 1, …): elements outside of them are taken as zero. Empty: the blocks are detected.
  std::span<const int> blocks = {};
};

/// The size of a problem, or the maximum sizes that a solver has memory for.
struct Sizes {
  int variables = 0, equalities = 0, rows = 0;
};

}  // namespace lissom::qp
