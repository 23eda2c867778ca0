#pragma once
// Inverse dynamics by the recursive Newton–Euler algorithm: tau = M(q) a + h(q, v), gravity included, minus what
// external forces do. Featherstone, RBDA table 5.1, in body coordinates; gravity is an upward acceleration of the
// world. Reads q, v, a and, where given, one external force per body, in that body's frame about its origin. Writes
// tau. About 105 additions and multiplications per body.
#include "lissom/model/visit_joint.h"

namespace lissom {

inline namespace LISSOM_ISA {

template <class T>
struct RneaScratch {
  struct PerBody {
    Motion<T> v, a;
    Force<T> f;
  };
  Array<PerBody> body;
  Configuration<T> at;
  template <class Real>
  explicit RneaScratch(const Tree<Real>& tree) : body(tree.bodies.size()), at(tree.nq) {}
};

// q: a vector, or the Configuration that another algorithm has made of it. a: a vector, or Nothing where all joint
// accelerations are zero.
template <class T, class Real, class Where, class Acceleration>
LISSOM_FLATTEN void rnea(const Tree<Real>& tree, RneaScratch<T>& w, const Where& q, const T* v, Acceleration a, T* tau,
                         const Force<T>* external = nullptr) {
  const auto& at = configured(tree, w.at, q);
  w.body[world].v = zero_motion<T>();
  w.body[world].a = upward<T>(tree.gravity);

  // From the base outward: velocity, acceleration, and the force they require.
  for (const auto& body : tree.outward())
    visit_joint(body, at, [&](auto joint) {
      auto& i = w.body[body.index];
      const auto& parent = w.body[body.parent];
      const auto X = joint.X();
      const auto vJ = joint.S * joint.rate(v);

      i.v = X.to_child(parent.v) + vJ;
      i.a = X.to_child(parent.a) + joint.S * joint.rate(a) + cross(i.v, vJ);
      i.f = newton_euler(body.inertia, i.v, i.a);  // I a + v ×* I v
    });
  if (external)
    for (const auto& body : tree.outward()) w.body[body.index].f -= external[body.index];

  // From the tips inward: the joint takes its share of the force, the parent carries all of it.
  for (const auto& body : tree.inward())
    visit_joint(body, at, [&](auto joint) {
      const auto& i = w.body[body.index];
      joint.set(tau, dot(joint.S, i.f));
      if (body.parent != world) w.body[body.parent].f += joint.X().to_parent(i.f);
    });
}

}  // namespace LISSOM_ISA
}  // namespace lissom
