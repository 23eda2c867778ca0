#pragma once
// The closures c(q), with ċ and c̈, in extended precision. Near a singular pose a row moves the joints by what is left
// of its Jacobian only, and the rounding of a residual in double, a few 1e-16 of the mechanism's size, is divided by
// that: three times until it reaches the accelerations (c moves q, q turns J, J moves v, v changes J̇v). With residuals
// that are exact to the bits of q and v, what is left is the rounding of q and v themselves, divided once. (Where the
// compiler's long double is a double, nothing is gained and nothing lost.)
#include "lissom/constraints/loop_rows.h"

namespace lissom {

class PreciseRows {
 public:
  PreciseRows(const Model& model, const LoopRows& rows);
  ~PreciseRows();
  PreciseRows(PreciseRows&&) noexcept;
  PreciseRows& operator=(PreciseRows&&) noexcept;

  // None allocates.
  void evaluate(const Model& model, const LoopRows& rows, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                const Eigen::VectorXd& a);
  const Eigen::VectorXd& residual() const { return residual_; }
  const Eigen::VectorXd& rate() const { return rate_; }                  // ċ = J v
  const Eigen::VectorXd& acceleration() const { return acceleration_; }  // c̈ = J a + J̇ v

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
  Eigen::VectorXd residual_, rate_, acceleration_;
};

}  // namespace lissom
