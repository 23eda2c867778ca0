#pragma once
// The derivatives of a Jacobian with respect to q (the kinematic Hessian). A joint j that carries the axis of degree of
// freedom k rotates column k as a whole; a joint j between that axis and the point moves the point only:
//   ∂(linear_k, angular_k)/∂q_j = ω_j × (linear_k, angular_k)     if joint j carries k, or moves with it
//                               = (ω_k × linear_j, 0)             if k carries joint j
#include "lissom/kinematics/jacobians.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

/// The derivatives of the Jacobian of a body at the point p, which moves with it, along the world's axes. Reads the
/// placements in w and that Jacobian J, 6 × nv by columns. Calls f(k, j, linear, angular) for all degrees of freedom
/// that move the body.
template <class T, class Real, class F>
void jacobian_derivatives(const Tree<Real>& tree, int of, const T* J, F&& f) {
  const auto column = [&](int k) {
    const T* const c = J + 6 * k;
    return Motion<T>{{c[3], c[4], c[5]}, {c[0], c[1], c[2]}};
  };
  const auto each = [&](const Body<Real>& body, auto&& use) {
    for (int i = body.v; i < body.v + body.dofs; ++i) use(i, column(i));
  };
  for (int outer = of; outer != world; outer = tree.bodies[outer].parent)
    for (int inner = outer; inner != world; inner = tree.bodies[inner].parent)
      each(tree.bodies[outer], [&](int o, const Motion<T>& beyond) {
        each(tree.bodies[inner], [&](int i, const Motion<T>& carries) {
          f(o, i, cross(carries.angular, beyond.linear), cross(carries.angular, beyond.angular));
          if (inner != outer) f(i, o, cross(carries.angular, beyond.linear), zero_vec3<T>());
        });
      });
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
