#pragma once
// Derivatives of the dynamics of robots with closed loops. The acceleration a and the constraint forces λ solve
//   M a + h - Jᵀ λ = tau,   J a + J̇ v = 0,
// and their derivatives the same system with other right-hand sides:
//   M δa - Jᵀ δλ = δtau - ∂(M a + h - Jᵀ λ),   J δa = -∂(J a + J̇ v),
// where ∂ is along (δq, δv) for constant a and λ. Derivatives with respect to q are along the tangent space of the open
// tree. These equations define a and λ at every q and v, so the derivatives exist in every direction, also in those
// that open the loops. Where rows are redundant, the equations of the independent ones are differentiated, those which
// forward_dynamics chooses at this q, and the others keep λ = 0: that is exact along directions that keep the loops
// closed, (δq, δv) with J δq = 0 and J δv + (∂(J v)/∂q) δq = 0, along which the rank does not change. Errors are those
// of closed_loops.h.
#include "lissom/api/derivatives.h"
#include "lissom/constraints/closed_loops.h"

namespace lissom {

/// Accelerations and multipliers of a robot with closed loops, with their derivatives.
struct ClosedLoopDerivatives {
  Eigen::VectorXd a, multipliers;               ///< as forward_dynamics and ClosedLoops::multipliers() give them
  Matrix da_dq, da_dv, da_dtau;                 ///< nv × nv
  Matrix dlambda_dq, dlambda_dv, dlambda_dtau;  ///< of the multipliers: rows × nv, zero for redundant rows
};
/// The derivatives of a = forward_dynamics(model, work, loops, q, v, tau) and of its multipliers.
ClosedLoopDerivatives forward_dynamics_derivatives(const Model& model, Workspace& work, ClosedLoops& loops,
                                                   const VectorIn& q, const VectorIn& v, const VectorIn& tau);

/// Torques and multipliers of a robot with closed loops, with their derivatives.
struct ClosedLoopTorqueDerivatives {
  Eigen::VectorXd tau, multipliers;           ///< as inverse_dynamics gives them
  Matrix dtau_dq, dtau_dv, dtau_da;           ///< nv × nv; zero rows where not actuated
  Matrix dlambda_dq, dlambda_dv, dlambda_da;  ///< of the multipliers, those of least norm: rows × nv
};
/// The derivatives of inverse_dynamics(model, work, loops, q, v, a, actuated). Throws an Error if the actuated joints
/// cannot produce every acceleration that keeps the loops closed, since torques then exist for some of them only.
ClosedLoopTorqueDerivatives inverse_dynamics_derivatives(const Model& model, Workspace& work, ClosedLoops& loops,
                                                         const VectorIn& q, const VectorIn& v, const VectorIn& a,
                                                         const std::vector<bool>& actuated);

/// The directions (δq, δv) that keep the loops closed: an orthonormal basis of them, 2 nv × 2 (nv - rank), at a closed
/// state.
Matrix closed_directions(const Model& model, Workspace& work, ClosedLoops& loops, const VectorIn& q, const VectorIn& v);

/// ẋ = A x + B δtau for x = (δq, δv), as linearize() of derivatives.h. At an equilibrium A takes `directions` to
/// themselves: the mechanism has the eigenvalues of directionsᵀ A directions, while A has two zeros more for each
/// independent row, of errors that open the loops. (Elsewhere the directions turn while the robot moves.)
struct ClosedLoopLinearization {
  Matrix A, B;
  Matrix directions;  ///< closed_directions at this state
};
ClosedLoopLinearization linearize(const Model& model, Workspace& work, ClosedLoops& loops, const VectorIn& q,
                                  const VectorIn& v, const VectorIn& tau);

}  // namespace lissom
