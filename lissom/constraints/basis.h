#pragma once
// An orthonormal basis of the row space of constraints, in the metric of M⁻¹: rank-revealing Gram–Schmidt with pivoting
// and reorthogonalization under ⟨a, b⟩ = a M⁻¹ bᵀ. Rows that depend on others (redundant constraints) are left out. The
// basis solves the KKT systems
//   M x - Jᵀ λ = M x0,   J x = b
// as x = x0 + Σ yᵢ (b̂ᵢ - ĵᵢ x0), with yᵢ = M⁻¹ ĵᵢᵀ from the tree's sparse factor: J M⁻¹ Jᵀ, which would square the
// condition number of J, is never formed.
#include "lissom/api/mass_matrix_factor.h"

namespace lissom {

/// The basis, with the memory for as many rows. It belongs to one caller at a time.
class ConstraintBasis {
 public:
  ConstraintBasis(int rows, int nv);

  /// Computes the basis of the rows J. factor: of M, or of the matrix that an integrator uses instead. rounding: the
  /// rounding error of each row. Pivots are the rows that are largest relative to their rounding error, so that rows
  /// that are small and inaccurate near a singular configuration do not affect the accuracy of the others.
  void set(const MassMatrixFactor& factor, const Matrix& J, const Eigen::VectorXd& rounding);
  int rank() const { return rank_; }
  /// Smallest over largest pivot (length of a row after orthogonalization): goes to 0 towards a singular configuration.
  double pivot_ratio() const { return pivot_ratio_; }

  /// Changes x by the least amount in the metric of M, so that J x = b. b is ignored for rows that were left out.
  void satisfy(Eigen::VectorXd& x, const Eigen::VectorXd& b);
  /// Changes x by the least amount, so that J x increases by b, and the multipliers of satisfy() accordingly: for
  /// residuals that are known more accurately than J x - b.
  void add(Eigen::VectorXd& x, const Eigen::VectorXd& b);
  /// After satisfy(): the multipliers λ of the rows, zero for those left out.
  const Eigen::VectorXd& multipliers();

 private:
  void reduce(const Eigen::VectorXd& b);
  void solve(const MassMatrixFactor& factor, int row);
  void orthogonalize(int row, int against);
  double remaining(const MassMatrixFactor& factor, int row);

  // J = L ĵ, with L lower triangular in the order of the pivots, which are its diagonal; Y = M⁻¹ ĵᵀ.
  Matrix J_, Y_, L_;
  Eigen::VectorXd squared_norm_, remaining_;  // of each row, and of its part orthogonal to the basis
  Eigen::VectorXd target_, amount_, lambda_;  // L⁻¹ b; by how much x is moved along each y
  std::vector<int> order_;
  int rank_ = 0;
  double pivot_ratio_ = 1;
};

}  // namespace lissom
