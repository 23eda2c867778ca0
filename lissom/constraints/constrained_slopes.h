#pragma once
// The derivatives of the equations of motion with constraint forces, and the solution of the KKT system for many
// right-hand sides: what the derivatives of constrained dynamics and of simulated steps share. Not installed.
#include "lissom/constraints/closed_loops.h"
#include "lissom/constraints/loop_derivatives.h"
#include "lissom/kernels/kernels.h"
#include "lissom/tree/array.h"

namespace lissom {

/// The derivatives of r = inverse_dynamics(q, v, a) - Jᵀ λ with external forces, which move with their bodies.
class ConstrainedSlopes {
 public:
  /// loops: nullptr if there are none.
  ConstrainedSlopes(const Model& model, const ClosedLoops* loops);
  /// external: nullptr, or a force per body, as the kernels take them. lambda: ignored without loops.
  void evaluate(const Model& model, const ClosedLoops* loops, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                const Eigen::VectorXd& a, const Eigen::VectorXd& lambda, const double* external);
  /// The derivative of M s - Jᵀ λ with respect to q, for constant s and λ: without velocities and gravity.
  const Eigen::MatrixXd& evaluate_momentum(const Model& model, const ClosedLoops* loops, const Eigen::VectorXd& q,
                                           const Eigen::VectorXd& s, const Eigen::VectorXd& lambda);
  const Eigen::MatrixXd& dq() const { return dq_; }
  const Eigen::MatrixXd& dv() const { return dv_; }
  const Eigen::MatrixXd& M() const { return M_; }
  /// The derivatives of the rows, after evaluate() with loops.
  const LoopDerivatives& of_rows() const { return *of_rows_; }

 private:
  void recursion(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                 const double* external);

  std::unique_ptr<KernelScratch> scratch_;
  Array<double> dq_rows_, dv_rows_, M_rows_;
  Eigen::MatrixXd dq_, dv_, M_, without_;
  Eigen::VectorXd zero_;
  std::vector<double> external_;
  std::optional<LoopDerivatives> of_rows_;
};

/// Solves M X - Jᵀ L = forces, J X = targets column by column, where J has the rows and M the factor with which `loops`
/// was evaluated last (constrain or project); L is zero for redundant rows. The multipliers of `loops` are lost.
void solve_constrained(ClosedLoops& loops, const MassMatrixFactor& factor, const Eigen::MatrixXd& forces,
                       const Eigen::MatrixXd& targets, Matrix& X, Matrix& L);

}  // namespace lissom
