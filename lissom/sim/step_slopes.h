#pragma once
// The derivatives of one step, method by method. Not for users: linearize_step.h.
#include "lissom/sim/integrators.h"
#include "lissom/sim/linearize_step.h"
#include "lissom/sim/system_slopes.h"

namespace lissom::sim {

/// A step to differentiate: the state at its beginning, its length, and the memory of all derivatives.
struct DifferentiatedStep {
  System& system;
  SystemSlopes& slopes;
  const State& x;
  double h;
  std::string_view integrator;
  const IntegratorOptions& options;

  int nv() const { return system.model().nv(); }
  /// The derivatives of q exp(dt v).
  IntegrateDerivatives moved(const Eigen::VectorXd& q, const Eigen::VectorXd& v, double dt) const {
    return integrate_derivatives(system.model(), system.work(), q, v, dt);
  }
};

/// The end of a step, before the projection onto closed states, and its derivatives with respect to q, v and tau at the
/// beginning: nv × 3 nv.
struct StepSlopes {
  Eigen::VectorXd q, v;
  Eigen::MatrixXd dq, dv;
};

StepSlopes runge_kutta_slopes(const DifferentiatedStep& s, const Tableau& tableau);
StepSlopes semi_implicit_slopes(const DifferentiatedStep& s);
StepSlopes implicit_joints_slopes(const DifferentiatedStep& s);
StepSlopes implicit_euler_slopes(const DifferentiatedStep& s);
StepSlopes variational_slopes(const DifferentiatedStep& s);

}  // namespace lissom::sim
