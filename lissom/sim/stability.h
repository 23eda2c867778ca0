#pragma once
// Whether the gains of motors, and the springs, dampers and friction of joints, are too stiff for a step of an explicit
// integrator. With M a = -D v - K q near a state, its error grows if h λ(M⁻¹ D) or h √λ(M⁻¹ K) leaves the method's
// range of stability, where λ is the largest eigenvalue. For a single joint they are h d / M and h² k / M, with M the
// inertia that the joint feels if all others are free: it is smaller than its diagonal element of the mass matrix.
#include "lissom/sim/integrator.h"

namespace lissom::sim {

/// The fastest motion that forces of joints cause, relative to a step.
struct Stiffness {
  double damping = 0;                ///< h λ(M⁻¹ D)
  double frequency = 0;              ///< h √λ(M⁻¹ K)
  int damped_dof = -1;               ///< that has the largest part in the first one; -1: none
  int stiff_dof = -1;                ///< in the second one
  double d = 0, damped_inertia = 0;  ///< damping of damped_dof, and the inertia that it feels (kg m², or kg)
  double k = 0, stiff_inertia = 0;   ///< the same for stiff_dof
};
/// Which springs count: those of joints (and all gains, dampers and friction of joints), those between points, or both.
enum class Springs { of_joints, between_points, all };
/// Evaluates the forces at x, and throws an Error if it is not a state of the model. Motors at their limits count with
/// their gains, because they will not stay there.
Stiffness stiffness_of(System& system, const State& x, double step, Springs which = Springs::all);
bool stable(const IntegratorInfo& method, const Stiffness& stiffness);
/// A warning with figures, the joint, and what to do, if the method is not stable; empty if it is.
std::string instability(const Model& model, const IntegratorInfo& method, const Stiffness& stiffness, double step,
                        double t);

}  // namespace lissom::sim
