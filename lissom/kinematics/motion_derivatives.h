#pragma once
// The derivatives of a body's velocity V and acceleration A, in its own frame, with respect to q (in the tangent space)
// and v, by the terms of Singh, Russell and Wensing (2022). An axis S, carried by a parent with velocity v_λ and
// acceleration a_λ, on a body with velocity v:
//   ψ̇ = v_λ × S,   ψ̈ = a_λ × S + v_λ × ψ̇,   Ṡ = v × S
//   ∂V/∂q = ψ̇,   ∂A/∂q = ψ̈ - V × ψ̇,   ∂V/∂v = S,   ∂A/∂v = Ṡ + ψ̇ - V × S,
// all transformed to the frame of the body in question. The pose of the body moves by S. O(depth).
#include "lissom/kinematics/kinematics.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

/// What one degree of freedom contributes, in the frame of the body.
template <class T>
struct MotionSlopes {
  Motion<T> S;    ///< of the pose with respect to q, of the velocity with respect to v
  Motion<T> V_q;  ///< of the velocity with respect to q
  Motion<T> A_q, A_v;
};

/// Reads placements, velocities and accelerations in w. Calls f(j, slopes) for all degrees of freedom j of the tree
/// that move the body `of`.
template <class T, class Real, class F>
void motion_derivatives(const Tree<Real>& tree, const KinematicsScratch<T>& w, int of, F&& f) {
  const auto& V = w.v[of];
  for (int i = of; i != world; i = tree.bodies[i].parent) {
    const auto& body = tree.bodies[i];
    const auto X = inverse(w.X[i]) * w.X[of];  // of the body in question, in the frame of body i
    const auto seen = [&](const Motion<T>& m) {
      return Motion<T>{transpose_times(X.R, m.angular), transpose_times(X.R, m.linear + cross(m.angular, X.p))};
    };
    visit_joint(body, w.at, [&](auto joint) {
      const auto to_child = joint.X();
      const Motion<T> v_parent = to_child.to_child(w.v[body.parent]), a_parent = to_child.to_child(w.a[body.parent]);
      joint.each_axis([&](int j, auto axis, auto sign) {
        const Motion<T> axis_motion = sign * as_motion<T>(axis);
        const Motion<T> psi_dot = cross(v_parent, axis_motion);
        const Motion<T> psi_ddot = cross(a_parent, axis_motion) + cross(v_parent, psi_dot);
        const Motion<T> S = seen(axis_motion), V_q = seen(psi_dot);
        f(j, MotionSlopes<T>{S, V_q, seen(psi_ddot) - cross(V, V_q),
                             seen(cross(w.v[i], axis_motion) + psi_dot) - cross(V, S)});
      });
    });
  }
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
