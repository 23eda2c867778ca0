#pragma once
// How the state after a step of a world depends on the state before it, on the forces and on parameters
// (docs/contact.md, "Derivative of a step").
#include <string>
#include <vector>

#include "lissom/api/workspace.h"

namespace lissom {

/// A number that a step depends on, besides state and forces.
struct StepParameter {
  enum class Kind {
    /// Coulomb's coefficient of the contacts between a and b: names of bodies, robots or fixed shapes, "" for any.
    friction,
    /// The factor of World::scale_masses({a, factor}), at 1: of a rigid body, a robot or a link ("robot/link").
    mass,
  };
  Kind kind = Kind::friction;
  std::string a, b = {};
};

/// What a contact does in the smooth stage of a step: it has no impulse; it sticks; it slides at the border of its
/// cone.
enum class ContactMode { separated, sticks, slides };

/// Derivatives of a step in the tangent space: x = (δq, δv), each of all bodies and robots in the order in which they
/// were added (N elements each), x⁺ = A x + B δtau + P δparameters. They are those inside the modes that contacts,
/// joint limits and motors had in the step.
struct StepDerivatives {
  std::vector<StepParameter> parameters;  ///< which ones P is for
  Matrix A;                               ///< 2N × 2N
  Matrix B;                               ///< 2N × N
  Matrix P;                               ///< 2N × parameters

  std::vector<ContactMode> modes;  ///< of the contacts, in the order of World::contacts() after the step
  /// How far impulses and velocities are from another mode, of all contacts, joint limits and dry friction: m/s, an
  /// impulse counted by the velocity that it gives. Infinite where nothing touches.
  double border = 0;
  /// The least |gap| of what touches or soon may, in m or rad: a gap that changes its sign changes the derivative, too.
  double gap_border = 0;
};

}  // namespace lissom
