#pragma once
// Discrete mechanics on the group. A step of length h moves body i by a displacement g_i, seen in its own frame: a turn
// exp(φ) and the way d of its center of mass. The discrete Lagrangian is h Σ ½ m |d/h|² + ½ ωᵀ I_c ω, ω = φ/h (less
// what potentials take, which the integrator adds). Its derivatives with respect to the two ends of the step are the
// momenta with which the step begins and ends: m d/h and, about the center of mass,
//   end    dexp⁻ᵀ_{-φ} I_c ω = y - ½ φ×y + k φ×(φ×y),  y = I_c ω       begin   the same, turned back by g
// (after Lee, Liu, Park, Srinivasa, A Linear-Time Variational Integrator for Multibody Systems, section 3; there with
// screws in place of turn and way, which keeps the momentum about the world's origin, but not that about the center of
// mass: this one keeps both).
//
// Displacements are composed from the joints' own, never as the difference of two poses: that would lose the digits
// that a step is small by.
#include "lissom/dynamics/generalized_forces.h"
#include "lissom/dynamics/rotors.h"
#include "lissom/spatial/quaternion.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

// A small displacement: a turn and the way of the origin.
template <class T>
struct Displacement {
  Quaternion<T> turn;
  Vec3<T> way;
};

// (R - 1) r of a turn, without the difference.
template <class T>
LISSOM_INLINE Vec3<T> moved_by_turn(const Quaternion<T>& turn, const Vec3<T>& r) {
  const Vec3<T> u{turn.x, turn.y, turn.z};
  const auto once = cross(u, r);
  return (turn.w + turn.w) * once + Number<T>(2) * cross(u, once);
}
// The same displacement of a body, seen in a frame that lies at X in its frame: X⁻¹ g X.
template <class T>
LISSOM_INLINE Displacement<T> expressed_in(const Pose<T>& X, const Displacement<T>& g) {
  const auto u = transpose_times(X.R, Vec3<T>{g.turn.x, g.turn.y, g.turn.z});
  return {{g.turn.w, u.x, u.y, u.z}, transpose_times(X.R, g.way + moved_by_turn(g.turn, X.p))};
}
template <class T>
LISSOM_INLINE Displacement<T> operator*(const Displacement<T>& a, const Displacement<T>& b) {
  return {a.turn * b.turn, a.way + b.way + moved_by_turn(a.turn, b.way)};
}
template <class T>
LISSOM_INLINE Displacement<T> exponential(const Motion<T>& m) {
  return {exponential(m.angular), left_jacobian_times(m.angular, m.linear)};
}

// What a body has at one end of a step.
template <class T>
struct DiscreteMomentum {
  Force<T> begin, end;
};
template <class T, class Real>
LISSOM_INLINE DiscreteMomentum<T> discrete_momentum(const RigidInertia<Real>& body, const Displacement<T>& g, T rate) {
  const Vec3<Real> com = body.mass > 0 ? (1 / body.mass) * body.h : Vec3<Real>{0, 0, 0};
  const auto about_com = shifted(body, -com).I;
  const auto R = matrix(g.turn);
  const auto c = cast<T>(com);
  const auto linear = (body.mass * rate) * (g.way + moved_by_turn(g.turn, c));
  const auto phi = logarithm(g.turn);
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

// Writes the momenta as generalized forces, those of rotors included: `begin` over q0, and, where asked for, `end` over
// q1.
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
