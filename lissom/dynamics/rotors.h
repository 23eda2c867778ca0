#pragma once
// The inertia of motors' rotors (armature). A rotor turns with its joint, in step with its rate: it adds to the inertia
// that the degree of freedom feels, and to nothing else. The articulated-body algorithm takes it into D (joint.h).
#include "lissom/tree/tree.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

// tau += armature a; or momenta, from velocities.
template <class T, class Real>
LISSOM_INLINE void add_rotor_forces(const Tree<Real>& tree, const T* a, T* tau) {
  for (std::size_t i = 0; i < tree.armature.size(); ++i) tau[i] += tree.armature[i] * a[i];
}
template <class T, class Real>
LISSOM_INLINE void add_rotor_forces(const Tree<Real>&, Nothing, T*) {}

// The diagonal of M += armature.
template <class T, class Real>
LISSOM_INLINE void add_rotor_inertia(const Tree<Real>& tree, T* M, int stride) {
  for (std::size_t i = 0; i < tree.armature.size(); ++i) M[i * std::size_t(stride + 1)] += T(tree.armature[i]);
}
// ½ Σ armature v²
template <class T, class Real>
LISSOM_INLINE T rotor_energy(const Tree<Real>& tree, const T* v) {
  T sum = zero<T>();
  for (std::size_t i = 0; i < tree.armature.size(); ++i) sum += tree.armature[i] * (v[i] * v[i]);
  return Real(0.5) * sum;
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
