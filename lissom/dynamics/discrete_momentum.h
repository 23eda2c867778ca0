#pragma once
// Discrete mechanics on the group. A step of length h moves body i by g_i = exp(h V_i), seen in its own frame; the
// discrete Lagrangian is h Σ ½ V_iᵀ I_i V_i (less what potentials take, which the integrator adds). Its derivatives
// with respect to the two ends of the step are the momenta with which the step begins and ends:
//   end    p⁻ = dexp⁻ᵀ_{-hV} I V = y - ½ Ψ×*y + 1/12 Ψ×*Ψ×*y - 1/720 …,  y = I V, Ψ = h V
//   begin  p⁺ = Ad*_g p⁻: the same wrench seen from where the body was
// (Lee, Liu, Park, Srinivasa, A Linear-Time Variational Integrator for Multibody Systems, eqs. 8 to 14). A free robot
// so keeps its momentum however long the series is; what is left out of it is of the sixth order in Ψ.
//
// Displacements are composed from the joints' own, never as the difference of two poses: that would lose the digits
// that a step is small by.
#include "lissom/dynamics/joint_forces.h"
#include "lissom/spatial/quaternion.h"

namespace lissom {

inline namespace LISSOM_ISA {

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
LISSOM_INLINE Displacement<T> seen_in(const Pose<T>& X, const Displacement<T>& g) {
  const auto u = transpose_times(X.R, Vec3<T>{g.turn.x, g.turn.y, g.turn.z});
  return {{g.turn.w, u.x, u.y, u.z}, transpose_times(X.R, g.way + moved_by_turn(g.turn, X.p))};
}
template <class T>
LISSOM_INLINE Displacement<T> operator*(const Displacement<T>& a, const Displacement<T>& b) {
  return {a.turn * b.turn, a.way + b.way + moved_by_turn(a.turn, b.way)};
}
template <class T>
LISSOM_INLINE Displacement<T> exponential(const Motion<T>& m) {
  return {exponential(m.angular), carried_along(m.angular, m.linear)};
}
template <class T>
LISSOM_INLINE Motion<T> logarithm(const Displacement<T>& g) {
  const auto phi = logarithm(g.turn);
  return {phi, carrying(phi, g.way)};
}

template <class T>
LISSOM_INLINE Force<T> momentum_at_end(const Motion<T>& psi, const Force<T>& y) {
  using S = Number<T>;
  const auto once = cross(psi, y), twice = cross(psi, once), four = cross(psi, cross(psi, twice));
  return y + once * T(S(-1. / 2)) + twice * T(S(1. / 12)) + four * T(S(-1. / 720));
}

// Reads q0, the velocity v that takes q0 to q1 = q0 exp(h v), and q1. Writes the momenta as generalized forces: `begin`
// over q0, and, where asked for, `end` over q1. g: room for a displacement per body.
template <class T, class Real>
LISSOM_FLATTEN void discrete_momenta(const Tree<Real>& tree, RneaScratch<T>& w, Array<Displacement<T>>& g, const T* q0,
                                     const T* q1, const T* v, T h, T* begin, T* end) {
  configure(tree, w.at, q0);
  const T rate = inverse(h);
  g[world] = {{one<T>(), zero<T>(), zero<T>(), zero<T>()}, zero_vec3<T>()};
  for (const auto& body : tree.outward())
    visit_joint(body, w.at, [&](auto joint) {
      const Pose<T> X = Pose<T>{} * joint.X();
      const auto by_joint = zero_motion<T>() + joint.S * joint.rate(v);
      auto& moved = g[body.index];
      moved = seen_in(X, g[body.parent]) * exponential(h * by_joint);
      const auto psi = logarithm(moved);
      w.body[body.index].f = momentum_at_end(psi, body.inertia * (rate * psi));
    });
  // The recursion inward sums forces up in place: one kind is kept aside while the other is worked on.
  if (end) {
    for (const auto& body : tree.outward()) {
      auto& i = w.body[body.index];
      i.v = {i.f.moment, i.f.linear};
    }
    joint_forces(tree, w, q1, end);
    for (const auto& body : tree.outward()) {
      auto& i = w.body[body.index];
      i.f = {i.v.angular, i.v.linear};
    }
  }
  for (const auto& body : tree.outward()) {
    const auto& moved = g[body.index];
    w.body[body.index].f = seen_from_world(Pose<T>{matrix(moved.turn), moved.way}, w.body[body.index].f);
  }
  joint_forces(tree, w, q0, begin);
}

}  // namespace LISSOM_ISA
}  // namespace lissom
