#pragma once
// Discrete mechanics on the group. A step of length h moves body i by a displacement g_i, expressed in its own frame: a
// rotation R = exp(φ) and the displacement d of its center of mass. The discrete Lagrangian is
//   h Σ (½ m |d/h|² + ½ ωᵀ I_c ω),   ω = φ/h
// (less the potentials, which the integrator adds). Its derivatives with respect to the two ends of the step are the
// momenta with which the step begins and ends: m d/h and, about the center of mass,
//   end    dexp⁻ᵀ_{-φ} I_c ω = y - ½ φ×y + k φ×(φ×y),  y = I_c ω       begin   R times that
// (after Lee, Liu, Park, Srinivasa, A Linear-Time Variational Integrator for Multibody Systems, section 3; there,
// displacements are screw motions, which conserves the momentum about the world's origin, but not that about the center
// of mass: this version conserves both).
//
// Displacements are composed from those of the joints, never as the difference of two poses, which would lose digits
// for small steps.
#include "lissom/dynamics/generalized_forces.h"
#include "lissom/dynamics/rotors.h"
#include "lissom/spatial/quaternion.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

/// A small displacement: a rotation, and the translation of the origin.
template <class T>
struct Displacement {
  Quaternion<T> rotation;
  Vec3<T> translation;
};

/// (R - 1) r, computed without the difference.
template <class T>
LISSOM_INLINE Vec3<T> moved_by_rotation(const Quaternion<T>& rotation, const Vec3<T>& r) {
  const Vec3<T> u{rotation.x, rotation.y, rotation.z};
  const auto once = cross(u, r);
  return (rotation.w + rotation.w) * once + Number<T>(2) * cross(u, once);
}
/// The same displacement of a body, expressed in a frame with the pose X in the body's frame: X⁻¹ g X.
template <class T>
LISSOM_INLINE Displacement<T> expressed_in(const Pose<T>& X, const Displacement<T>& g) {
  const auto u = transpose_times(X.R, Vec3<T>{g.rotation.x, g.rotation.y, g.rotation.z});
  return {{g.rotation.w, u.x, u.y, u.z}, transpose_times(X.R, g.translation + moved_by_rotation(g.rotation, X.p))};
}
template <class T>
LISSOM_INLINE Displacement<T> operator*(const Displacement<T>& a, const Displacement<T>& b) {
  return {a.rotation * b.rotation, a.translation + b.translation + moved_by_rotation(a.rotation, b.translation)};
}
template <class T>
LISSOM_INLINE Displacement<T> exponential(const Motion<T>& m) {
  return {exponential(m.angular), left_jacobian_times(m.angular, m.linear)};
}

/// The momenta of a body at the two ends of a step, each in the body's frame at that end.
template <class T>
struct DiscreteMomentum {
  Force<T> begin, end;
};
template <class T, class Real>
LISSOM_INLINE DiscreteMomentum<T> discrete_momentum(const RigidInertia<Real>& body, const Displacement<T>& g, T rate) {
  const Vec3<Real> com = body.mass > 0 ? (1 / body.mass) * body.h : Vec3<Real>{0, 0, 0};
  const auto about_com = shifted(body, -com).I;
  const auto R = matrix(g.rotation);
  const auto c = cast<T>(com);
  const auto linear = (body.mass * rate) * (g.translation + moved_by_rotation(g.rotation, c));
  const auto phi = logarithm(g.rotation);
  const auto spin = left_jacobian_solve(phi, about_com * (rate * phi));
  const auto linear_at_end = transpose_times(R, linear);
  return {{R * spin + cross(c, linear), linear}, {spin + cross(c, linear_at_end), linear_at_end}};
}

template <class T>
struct DiscreteMomentumScratch {
  Array<Displacement<T>> displacement;
  Array<DiscreteMomentum<T>> momentum;
  Array<Force<T>> force;
  Configuration<T> at;
  template <class Real>
  explicit DiscreteMomentumScratch(const Tree<Real>& tree)
      : displacement(tree.bodies.size()), momentum(tree.bodies.size()), force(tree.bodies.size()), at(tree.nq) {}
};

/// Writes the momenta as generalized forces, those of rotors included: `begin` at q0 and, unless it is nullptr, `end`
/// at q1.
template <class T, class Real>
LISSOM_FLATTEN void discrete_momenta(const Tree<Real>& tree, DiscreteMomentumScratch<T>& w, const T* q0, const T* q1,
                                     const T* v, T h, T* begin, T* end) {
  configure(tree, w.at, q0);
  const T rate = inverse(h);
  auto& g = w.displacement;
  auto& momentum = w.momentum;
  g[world] = {{one<T>(), zero<T>(), zero<T>(), zero<T>()}, zero_vec3<T>()};
  for (const auto& body : tree.outward())
    visit_joint(body, w.at, [&](auto joint) {
      const Pose<T> X = Pose<T>{} * joint.X();
      const auto by_joint = zero_motion<T>() + joint.S * joint.rate(v);
      g[body.index] = expressed_in(X, g[body.parent]) * exponential(h * by_joint);
      momentum[body.index] = discrete_momentum(body.inertia, g[body.index], rate);
    });
  for (const auto& body : tree.outward()) w.force[body.index] = momentum[body.index].begin;
  generalized_forces(tree, w.at, q0, w.force, begin);
  add_rotor_forces(tree, v, begin);
  if (!end) return;
  for (const auto& body : tree.outward()) w.force[body.index] = momentum[body.index].end;
  generalized_forces(tree, w.at, q1, w.force, end);
  add_rotor_forces(tree, v, end);
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
