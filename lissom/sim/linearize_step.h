#pragma once
// The derivatives of one step of an integrator: discrete A and B.
#include "lissom/api/derivatives.h"
#include "lissom/sim/integrator.h"

namespace lissom::sim {

/// x(t + step) = A x(t) + B δtau for the error x = (δq, δv) of 2 nv elements, δq in the tangent spaces of q at the
/// beginning and at the end of the step.
struct StepLinearization {
  Matrix A, B;  ///< 2 nv × 2 nv and 2 nv × nv
  State end;    ///< of the step
};

/// The derivatives of the step that the integrator of this name takes from x, with the torques tau of the motors, which
/// stay constant during the step; the controller of the system is not asked. All other forces act: passive joint
/// forces, springs, pushes. A motor at its effort limit has a zero column in B. With closed loops, the projections onto
/// closed states are part of the step: A takes directions that open the loops to those that keep them closed.
///
/// dopri5 takes one inner step, without error control. Throws an Error if the step is not positive, the state is not
/// valid, or the derivatives are not available: for force laws, with IntegratorOptions::zero_order_hold, in charts of
/// orientations other than the exponential, and for implicit_euler and variational with closed loops.
StepLinearization linearize_step(System& system, std::string_view integrator, const State& x, const VectorIn& tau,
                                 double step, const IntegratorOptions& options = {});

}  // namespace lissom::sim
