#pragma once
// The derivatives of loop rows at a state (q, v) with accelerations a and constraint forces λ: of ċ = J v and c̈ = J a +
// J̇ v for constant v and a, and of the generalized forces Jᵀ λ for constant λ. Derivatives with respect to q are along
// the tangent space. They exist at every q, also where the loops are open. Not installed.
#include "lissom/constraints/loop_rows.h"
#include "lissom/constraints/moving_body.h"

namespace lissom {

class LoopDerivatives {
 public:
  LoopDerivatives(const Model& model, const LoopRows& rows);
  void evaluate(const Model& model, const LoopRows& rows, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                const Eigen::VectorXd& a, const Eigen::VectorXd& lambda);
  const Matrix& rate_dq() const { return rate_dq_; }                  ///< ∂ċ/∂q; ∂ċ/∂v is J
  const Matrix& acceleration_dq() const { return acceleration_dq_; }  ///< ∂c̈/∂q
  const Matrix& acceleration_dv() const { return acceleration_dv_; }  ///< ∂c̈/∂v; ∂c̈/∂a is J
  /// The constraint forces of the loops on each body, in its frame about its origin, as the kernels take external
  /// forces. (Couplings have generalized forces only.)
  const std::vector<double>& forces() const { return forces_; }
  /// What ∂(Jᵀ λ)/∂q has beyond the derivative for forces that are constant in the frames of their bodies, which the
  /// derivatives of inverse dynamics with these external forces contain.
  const Eigen::MatrixXd& force_change_dq() const { return force_change_dq_; }

 private:
  Matrix rate_dq_, acceleration_dq_, acceleration_dv_;
  Eigen::MatrixXd force_change_dq_;
  std::vector<double> forces_;
  BodySlopes slopes_;
  BodySlopes::OfBody a_, b_;
};

}  // namespace lissom
