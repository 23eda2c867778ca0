#pragma once
// Inverse dynamics by the recursive Newton–Euler algorithm: tau = M(q) a + h(q, v) - Σ Jᵀ f, gravity and rotor inertia
// included, with external forces f. Featherstone, RBDA table 5.1, in body coordinates; gravity is an upward
// acceleration of the world. Reads q, v, a and, where given, one external force per body, in that body's frame about
// its origin. Writes tau. It takes about 105 multiplications and 90 additions per body.
#include "lissom/dynamics/rotors.h"
#include "lissom/tree/handover.h"
#include "lissom/tree/joint.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct BodyMotion {
  Motion<T> v, a;
};
template <class T>
struct RneaScratch {
  Array<BodyMotion<T>> motion;
  Array<Force<T>> force;
  Configuration<T> at;
  template <class Real>
  explicit RneaScratch(const Tree<Real>& tree) : motion(tree.bodies.size()), force(tree.bodies.size()), at(tree.nq) {}
};

/// q is a vector, or the Configuration that another algorithm has made of it; a is a vector, or Nothing where all joint
/// accelerations are zero.
template <class T, class Real, class Where, class Acceleration>
LISSOM_FLATTEN void rnea(const Tree<Real>& tree, RneaScratch<T>& w, const Where& q, const T* v, Acceleration a, T* tau,
                         const Force<T>* external = nullptr) {
  const auto& at = configured(tree, w.at, q);
  w.motion[world] = {zero_motion<T>(), upward<T>(tree.gravity)};

  with_handover<T>(tree, [&](auto handover) {
    // From the base outward: velocity, acceleration, and the force they require.
    auto motion = handover.outward(w.motion);
    for (const auto& body : tree.outward())
      visit_joint(body, at, [&](auto joint) {
        const auto& parent = motion.of_parent(body);
        const auto X = joint.X();
        const auto vJ = joint.S * joint.rate(v);

        auto& i = motion[body];
        i.v = X.to_child(parent.v) + vJ;
        i.a = X.to_child(parent.a) + joint.S * joint.rate(a) + cross(i.v, vJ);
        w.force[body.index] = newton_euler(body.inertia, i.v, i.a);  // I a + v ×* I v
        motion.pass(i);
      });
    if (external)
      for (const auto& body : tree.outward()) w.force[body.index] -= external[body.index];

    // From the tips inward: the joint supplies Sᵀ f, the parent carries the whole force.
    auto force = handover.inward(w.force);
    with_rotors(tree, a, [&](auto rotors) {
      for (const auto& body : tree.inward())
        visit_joint(body, at, [&](auto joint) {
          const auto& f = force.sum(body);
          joint.set(tau, rotors.joint_force(joint, dot(joint.S, f), a));
          if (body.parent != world) force.add_to_parent(body, joint.X().to_parent(f));
        });
    });
  });
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
