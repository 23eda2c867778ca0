#pragma once
// The derivative of the centroidal momentum h(q, v) with respect to q (in the tangent space); that with respect to v is
// the centroidal map. A joint moves its subtree, with the inertia I and momentum h of all bodies in it, as one rigid
// body; relative to the parent, whose velocity is v_λ, the velocities rotate with it:
//   ∂h/∂q = S ×* h + I (v_λ × S)
// about a fixed point. The center of mass c moves, too: the angular momentum about it changes by -∂c/∂q × p, with the
// linear momentum p of the whole robot and ∂c/∂q = (I S)_linear / m.
#include "lissom/dynamics/centroidal.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct CentroidalDerivativesScratch {
  Array<Force<T>> momentum;  // of the subtree of each body, in its frame
  template <class Real>
  explicit CentroidalDerivativesScratch(const Tree<Real>& tree) : momentum(tree.bodies.size()) {}
};

/// Reads placements and velocities in k; writes the center of mass in c and dh, 6 × nv by columns.
template <class T, class Real>
void centroidal_derivatives(const Tree<Real>& tree, const KinematicsScratch<T>& k, CentroidalScratch<T>& c,
                            CentroidalDerivativesScratch<T>& w, T* dh) {
  center_of_mass(tree, k, c);
  Vec3<T> p = zero_vec3<T>();
  for (const auto& body : tree.outward()) {
    w.momentum[body.index] = body.inertia * k.v[body.index];
    p += k.X[body.index].R * w.momentum[body.index].linear;
  }
  const T inverse_mass = T(c.moving_mass != 0 ? 1 / c.moving_mass : Real(0));
  for (const auto& body : tree.inward())
    visit_joint(body, k.at, [&](auto joint) {
      const auto X = joint.X();
      const auto I = body.has_children ? c.subtree[body.index] + body.inertia : composite<T>(body.inertia);
      const auto& h = w.momentum[body.index];
      const auto v_parent = X.to_child(k.v[body.parent]);
      const Pose<T> X_about_com{k.X[body.index].R, k.X[body.index].p - c.moving_com};
      joint.each_axis([&](int j, auto axis, auto sign) {
        const auto S = sign * as_motion<T>(axis);
        const auto change = to_world(X_about_com, cross(S, h) + I * cross(v_parent, S));
        const auto com_change = inverse_mass * (X_about_com.R * (I * S).linear);
        write_column(dh + 6 * j, change.linear, change.angular - cross(com_change, p));
      });
      if (body.parent == world) return;
      gather(c.subtree[body.parent], X.to_parent(I), body.starts_sum);
      w.momentum[body.parent] += X.to_parent(h);
    });
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
