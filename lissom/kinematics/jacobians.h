#pragma once
// Geometric Jacobians. A column is the velocity that a unit rate of one degree of freedom gives: three linear elements,
// then three angular ones.
#include "lissom/kinematics/kinematics.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
LISSOM_INLINE void write_column(T* column, const Vec3<T>& linear, const Vec3<T>& angular) {
  column[0] = linear.x, column[1] = linear.y, column[2] = linear.z;
  column[3] = angular.x, column[4] = angular.y, column[5] = angular.z;
}

/// All joints at once: column j is the motion that degree of freedom j gives to every body beyond it, at the world's
/// origin and along the world's axes. Reads q; writes placements and J, 6 × nv by columns.
template <class T, class Real>
LISSOM_FLATTEN void jacobians(const Tree<Real>& tree, KinematicsScratch<T>& w, const T* q, T* J) {
  configure(tree, w.at, q);
  for (const auto& body : tree.outward())
    visit_joint(body, w.at, [&](auto joint) {
      auto& X = w.X[body.index];
      X = w.X[body.parent] * joint.X();
      joint.each_axis([&](int j, auto axis, auto sign) {
        const auto s = sign * to_world(X, axis);
        write_column(J + 6 * j, s.linear, s.angular);
      });
    });
}

/// The Jacobian of one body at the point p (world coordinates), along the axes of the rotation R_WE: it gives the
/// velocity of the body's particle that is at p at this instant. Reads the placements in w; writes 6 × nv elements by
/// columns, zero for joints that do not move the body.
template <class T, class Real>
LISSOM_FLATTEN void jacobian(const Tree<Real>& tree, const KinematicsScratch<T>& w, int of, const Vec3<T>& p,
                             const Mat3<T>& R_WE, T* J) {
  for (int k = 0; k < 6 * tree.nv; ++k) J[k] = zero<T>();
  for (int i = of; i != world; i = tree.bodies[i].parent)
    visit_joint(tree.bodies[i], w.at, [&](auto joint) {
      joint.each_axis([&](int j, auto axis, auto sign) {
        const auto s = sign * to_world(w.X[i], axis);
        write_column(J + 6 * j, transpose_times(R_WE, plus_cross(s.linear, s.angular, p)),
                     transpose_times(R_WE, s.angular));
      });
    });
}

/// The time derivative J̇ of that Jacobian, with which d/dt (J v) = J v̇ + J̇ v. The point moves with velocity p_dot,
/// the axes rotate with angular velocity omega (both in world coordinates). Reads placements and velocities in w.
template <class T, class Real>
LISSOM_FLATTEN void jacobian_rate(const Tree<Real>& tree, const KinematicsScratch<T>& w, int of, const Vec3<T>& p,
                                  const Vec3<T>& p_dot, const Mat3<T>& R_WE, const Vec3<T>& omega, T* J_dot) {
  for (int k = 0; k < 6 * tree.nv; ++k) J_dot[k] = zero<T>();
  for (int i = of; i != world; i = tree.bodies[i].parent)
    visit_joint(tree.bodies[i], w.at, [&](auto joint) {
      const auto body_velocity = to_world(w.X[i], w.v[i]);
      joint.each_axis([&](int j, auto axis, auto sign) {
        // An axis is fixed in its body, and so moves with the body's velocity.
        const auto s = sign * to_world(w.X[i], axis), s_dot = cross(body_velocity, s);
        const auto linear = plus_cross(s.linear, s.angular, p);
        const auto linear_dot = plus_cross(plus_cross(s_dot.linear, s_dot.angular, p), s.angular, p_dot);
        write_column(J_dot + 6 * j, transpose_times(R_WE, linear_dot - cross(omega, linear)),
                     transpose_times(R_WE, s_dot.angular - cross(omega, s.angular)));
      });
    });
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
