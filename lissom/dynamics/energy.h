#pragma once
// Kinetic energy ½ Σ vᵀ I v, rotors included, and potential energy -Σ m g·c of all links, also those fixed to the
// world; zero at the origin.
#include "lissom/dynamics/rotors.h"
#include "lissom/kinematics/kinematics.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

/// Reads the velocities in k, and v for the rotors.
template <class T, class Real>
LISSOM_FLATTEN void kinetic_energy(const Tree<Real>& tree, const KinematicsScratch<T>& k, const T* v, T* energy) {
  T sum = zero<T>();
  for (const auto& body : tree.outward()) sum += dot(body.inertia * k.v[body.index], k.v[body.index]);
  *energy = Real(0.5) * sum + rotor_energy(tree, v);
}

/// Reads the placements in k.
template <class T, class Real>
LISSOM_FLATTEN void potential_energy(const Tree<Real>& tree, const KinematicsScratch<T>& k, T* energy) {
  Vec3<T> h = cast<T>(tree.bodies[world].inertia.h);
  for (const auto& body : tree.outward())
    h += k.X[body.index].R * body.inertia.h + body.inertia.mass * k.X[body.index].p;
  *energy = -dot(tree.gravity, h);
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
