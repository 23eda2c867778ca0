#pragma once
// An orthonormal basis of the rows of constraints, in the metric of the mass matrix: the rows J made orthonormal under
// ⟨a, b⟩ = a M⁻¹ bᵀ, by Gram and Schmidt with pivots and a second pass. Rows that depend on others (redundant
// constraints) are left out. The basis solves the KKT systems
//   M x - Jᵀ λ = M x0,   J x = b
// as x = x0 + Σ yᵢ (b̂ᵢ - ĵᵢ x0), with yᵢ = M⁻¹ ĵᵢᵀ from the tree's sparse factor: no matrix is squared but M.
#include "lissom/api/mass_matrix_factor.h"

namespace lissom {

class ConstraintBasis {
 public:
  ConstraintBasis(int rows, int nv);

  // Of the rows J, with the factor of M (or of whatever stands for it). rounding: of each row, how much of its numbers
  // may be rounding; rows that are clear of it come first, so that the others, small and blurred near a singular pose,
  // do not blur them.
  void set(const MassMatrixFactor& factor, const Matrix& J, const Eigen::VectorXd& rounding);
  int rank() const { return rank_; }
  // What is left of the row of which the least is left, against the most: goes to 0 towards a singular pose.
  double pivot_ratio() const { return pivot_ratio_; }

  // x moved, by the least amount in the metric, to where J x = b. Of rows that depend on others b is not looked at.
  void satisfy(Eigen::VectorXd& x, const Eigen::VectorXd& b);
  // For residuals known better than J x - b: x moved, by the least amount, so that J x grows by b; the multipliers of
  // satisfy grow with it.
  void add(Eigen::VectorXd& x, const Eigen::VectorXd& b);
  // After satisfy: the multipliers of the rows, zero for those left out.
  const Eigen::VectorXd& multipliers();

 private:
  void reduce(const Eigen::VectorXd& b);
  void solve(const MassMatrixFactor& factor, int row);
  void orthogonalize(int row, int against);
  double left_of(const MassMatrixFactor& factor, int row);

  // J = parts · ĵ, lower triangular in the order of the pivots, with the lengths on its diagonal; y = M⁻¹ ĵᵀ.
  Matrix J_, Y_, parts_;
  Eigen::VectorXd whole_, left_;  // squared length of a row, and of what is left of it
  Eigen::VectorXd wanted_, amount_, lambda_;
  std::vector<int> order_;
  int rank_ = 0;
  double pivot_ratio_ = 1;
};

}  // namespace lissom
