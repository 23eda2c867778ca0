#pragma once
// Inverse dynamics by the recursive Newton–Euler algorithm: tau = M(q) a + h(q, v), gravity included, minus what
// external forces do. Featherstone, RBDA table 5.1, in body coordinates; gravity is an upward acceleration of the
// world. Reads q, v, a and, where given, one external force per body, in that body's frame about its origin. Writes
// tau. About 105 additions and multiplications per body.
#include "lissom/tree/pass.h"
#include "lissom/tree/visit_joint.h"

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

// From the base outward: velocity, acceleration, and the force they require.
template <bool in_registers, class T, class Real, class Acceleration>
LISSOM_INLINE void move_outward(const Tree<Real>& tree, RneaScratch<T>& w, const Configuration<T>& at, const T* v,
                                Acceleration a) {
  FromParent<BodyMotion<T>, in_registers> outward;
  for (const auto& body : tree.outward())
    visit_joint(body, at, [&](auto joint) {
      auto& i = w.motion[body.index];
      const auto& parent = outward.of(body, w.motion[body.parent]);
      const auto X = joint.X();
      const auto vJ = joint.S * joint.rate(v);

      i.v = X.to_child(parent.v) + vJ;
      i.a = X.to_child(parent.a) + joint.S * joint.rate(a) + cross(i.v, vJ);
      w.force[body.index] = newton_euler(body.inertia, i.v, i.a);  // I a + v ×* I v
      outward.pass(i);
    });
}

// From the tips inward: the joint takes its share of the force, the parent carries all of it.
template <bool in_registers, class T, class Real>
LISSOM_INLINE void hand_inward(const Tree<Real>& tree, RneaScratch<T>& w, const Configuration<T>& at, T* tau) {
  FromChildren<Force<T>, in_registers> inward;
  for (const auto& body : tree.inward())
    visit_joint(body, at, [&](auto joint) {
      const auto& f = inward.of(body, w.force[body.index]);
      joint.set(tau, dot(joint.S, f));
      if (body.parent != world) inward.pass(body, joint.X().to_parent(f), w.force[body.parent]);
    });
}

// q: a vector, or the Configuration that another algorithm has made of it. a: a vector, or Nothing where all joint
// accelerations are zero.
template <class T, class Real, class Where, class Acceleration>
LISSOM_FLATTEN void rnea(const Tree<Real>& tree, RneaScratch<T>& w, const Where& q, const T* v, Acceleration a, T* tau,
                         const Force<T>* external = nullptr) {
  const auto& at = configured(tree, w.at, q);
  w.motion[world] = {zero_motion<T>(), upward<T>(tree.gravity)};
  in_registers_or_memory<T>(tree, [&](auto in_registers) {
    move_outward<in_registers>(tree, w, at, v, a);
    if (external)
      for (const auto& body : tree.outward()) w.force[body.index] -= external[body.index];
    hand_inward<in_registers>(tree, w, at, tau);
  });
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
