#pragma once
// The inertia of motors' rotors (armature). A rotor rotates in proportion to its joint's rate: it adds to the inertia
// of that degree of freedom, and to nothing else. The recursive Newton–Euler algorithm adds its force where the joint's
// is computed, the articulated-body algorithm its inertia to D (joint.h).
#include "lissom/spatial/reduced_inertia.h"
#include "lissom/tree/tree.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

/// tau += armature a; with velocities instead of accelerations, it adds momenta.
template <class T, class Real>
LISSOM_INLINE void add_rotor_forces(const Tree<Real>& tree, const T* a, T* tau) {
  for (std::size_t i = 0; i < tree.armature.size(); ++i) tau[i] += tree.armature[i] * a[i];
}

/// Adds the armature to the diagonal of M.
template <class T, class Real>
LISSOM_INLINE void add_rotor_inertia(const Tree<Real>& tree, T* M, int stride) {
  T* diagonal = M;
  for (const Real armature : tree.armature) *diagonal += armature, diagonal += stride + 1;
}
/// ½ Σ armature v²
template <class T, class Real>
LISSOM_INLINE T rotor_energy(const Tree<Real>& tree, const T* v) {
  T sum = zero<T>();
  for (std::size_t i = 0; i < tree.armature.size(); ++i) sum += tree.armature[i] * (v[i] * v[i]);
  return Real(0.5) * sum;
}

/// Rotors enter the recursive Newton–Euler algorithm in a joint's force, and the articulated-body algorithm in D and in
/// the inertia that a joint transmits. Most robots have a rotor at every joint or at none, so one of the two cases is
/// chosen once for the whole tree.
struct NoRotors {
  template <class Joint, class F, class Acceleration>
  LISSOM_INLINE const F& joint_force(const Joint&, const F& f, Acceleration) const {
    return f;
  }
  template <class Joint, class D>
  LISSOM_INLINE const D& joint_inertia(const Joint&, const D& SIS) const {
    return SIS;
  }
  template <class Joint, class Inertia, class Columns, class Gain>
  LISSOM_INLINE auto transmitted(const Joint&, const Inertia& I, const Columns& U, const Gain& W) const {
    return I - outer(U, W);
  }
};
struct Rotors {
  template <class Joint, class F, class T>
  LISSOM_INLINE auto joint_force(const Joint& joint, const F& f, const T* a) const {
    return joint.with_rotor(f, joint.rate(a));
  }
  template <class Joint, class D>
  LISSOM_INLINE auto joint_inertia(const Joint& joint, const D& SIS) const {
    return joint.with_rotor(SIS);
  }
  template <class Joint, class Inertia, class Columns, class Gain>
  LISSOM_INLINE auto transmitted(const Joint& joint, const Inertia& I, const Columns& U, const Gain& W) const {
    return reduced(joint.S, joint.body.armature, I, U, W);
  }
};
template <class Real, class F>
LISSOM_INLINE void with_rotors(const Tree<Real>& tree, F&& f) {
  if (tree.armature.empty())
    LISSOM_INLINE_CALL f(NoRotors{});
  else
    LISSOM_INLINE_CALL f(Rotors{});
}
/// The same where the joints have these accelerations: without any, rotors need no forces.
template <class Real, class T, class F>
LISSOM_INLINE void with_rotors(const Tree<Real>& tree, const T*, F&& f) {
  LISSOM_INLINE_CALL with_rotors(tree, f);
}
template <class Real, class F>
LISSOM_INLINE void with_rotors(const Tree<Real>&, Nothing, F&& f) {
  LISSOM_INLINE_CALL f(NoRotors{});
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
