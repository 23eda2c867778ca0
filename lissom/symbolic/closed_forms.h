#pragma once
// Runs the algorithms on polynomials.
#include "lissom/symbolic/symbolic_model.h"

namespace lissom::symbolic {

using Polynomials = std::vector<Polynomial>;

/// H(q), nv × nv by rows.
Polynomials mass_matrix(const Model& model, const SymbolicModel& symbolic);
/// C(q, q̇): what inverse dynamics gives without acceleration and gravity.
Polynomials coriolis_forces(const Model& model, const SymbolicModel& symbolic);
/// G(q)
Polynomials gravity_forces(const Model& model, const SymbolicModel& symbolic);
/// ½ q̇ᵀ H q̇, and the potential energy of all bodies that move.
Polynomial kinetic_energy(const Model& model, const SymbolicModel& symbolic);
Polynomial potential_energy(const Model& model, const SymbolicModel& symbolic);

/// The frame of the symbolic model: position, rotation by rows, and Jacobian at its origin along the axes of the world,
/// 6 × nv by rows: linear, then angular.
struct FrameForms {
  Polynomials position, rotation, jacobian;
};
FrameForms frame_forms(const Model& model, const SymbolicModel& symbolic);

}  // namespace lissom::symbolic
