#pragma once
// The space that closures span, in the metric of the mass matrix: rows J made orthonormal under ⟨a, b⟩ = a M⁻¹ bᵀ, by
// Gram and Schmidt with pivots and a second pass. What depends on other rows (redundant closures) is left out. This
// solves the KKT systems of closed loops
//   M x - Jᵀ λ = M x0,   J x = b
// as x = x0 + Σ yᵢ (b̂ᵢ - ĵᵢ x0), with yᵢ = M⁻¹ ĵᵢᵀ from the tree's sparse factor: no matrix is squared but M.
#include "lissom/api/workspace.h"

namespace lissom {

class ClosureSpan {
 public:
  ClosureSpan(int rows, int nv);

  // Of the rows J, with the factor of M (or of whatever stands for it) that is in the workspace.
  void set(const Model& model, Workspace& work, const Matrix& J);
  int rank() const { return rank_; }

  // x moved, by the least amount in the metric, to where J x = b. Of rows that depend on others b is not looked at.
  void satisfy(Eigen::VectorXd& x, const Eigen::VectorXd& b);
  // After satisfy: the multipliers of the rows, zero for those left out.
  const Eigen::VectorXd& multipliers();

 private:
  void solve(const Model& model, Workspace& work, int row);
  void orthogonalise(int row, int against);
  double left_of(const Model& model, Workspace& work, int row);

  // J = parts · ĵ, lower triangular in the order of the pivots, with the lengths on its diagonal; y = M⁻¹ ĵᵀ.
  Matrix J_, Y_, parts_;
  Eigen::VectorXd whole_, left_;  // squared length of a row, and of what is left of it
  Eigen::VectorXd wanted_, amount_, lambda_;
  std::vector<int> order_;
  int rank_ = 0;
};

}  // namespace lissom
