#pragma once
// Forward dynamics by the articulated-body algorithm: the acceleration a that solves M(q) a + h(q, v) = tau + what
// external forces do. Featherstone, RBDA table 7.1, in body coordinates. Reads q, v, tau and, where given, one external
// force per body, in that body's frame about its origin. Writes a. O(n).
#include "lissom/dynamics/rotors.h"
#include "lissom/tree/visit_joint.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct AbaScratch {
  struct PerBody {
    Motion<T> v, a;
    ArticulatedInertia<T> I;  // what the children hand in
    Force<T> p;
  };
  Array<PerBody> body;
  Array<Force<T>> gain;  // U D⁻¹, one per degree of freedom
  Configuration<T> at;
  template <class Real>
  explicit AbaScratch(const Tree<Real>& tree) : body(tree.bodies.size()), gain(std::size_t(tree.nv)), at(tree.nq) {}
};

template <class T, class Real>
LISSOM_FLATTEN void aba(const Tree<Real>& tree, AbaScratch<T>& w, const T* q, const T* v, const T* tau, T* a,
                        const Force<T>* external = nullptr) {
  configure(tree, w.at, q);
  w.body[world].v = zero_motion<T>();
  w.body[world].a = upward<T>(tree.gravity);

  // Outward: velocities, and the forces they cause.
  for (const auto& body : tree.outward())
    visit_joint(body, w.at, [&](auto joint) {
      auto& i = w.body[body.index];
      i.v = joint.X().to_child(w.body[body.parent].v) + joint.S * joint.rate(v);
      i.p = bias_force(body.inertia, i.v);  // v ×* I v
    });
  if (external)
    for (const auto& body : tree.outward()) w.body[body.index].p -= external[body.index];

  // Inward: articulated inertias I and bias forces p.
  with_rotors(tree, [&](auto rotors) {
    for (const auto& body : tree.inward())
      visit_joint(body, w.at, [&](auto joint) {
        auto& i = w.body[body.index];
        auto& parent = w.body[body.parent];

        // what the joint feels
        const auto I = body.has_children ? i.I + body.inertia : ArticulatedInertia<T>(body.inertia);
        const auto U = I * joint.S;
        const auto D_inverse = inverse(rotors.joint_inertia(joint, dot(joint.S, U)));
        const auto u = joint.force(tau) - dot(joint.S, i.p);
        const auto W = U * D_inverse;
        const auto y = D_inverse * u;
        joint.gain(w.gain.data()) = W;
        joint.set(a, y);  // a holds D⁻¹ u until the last pass

        // what it hands on
        if (body.parent == world) return;
        const auto X = joint.X();
        const auto c = cross(i.v, joint.S * joint.rate(v));
        const auto Ia = rotors.transmitted(joint, I, U, W);  // I - U D⁻¹ Uᵀ
        parent.p += X.to_parent(i.p + Ia * c + U * y);
        gather(parent.I, X.to_parent(Ia), body.reports_first);
      });
  });

  // Outward again: accelerations.
  for (const auto& body : tree.outward())
    visit_joint(body, w.at, [&](auto joint) {
      auto& i = w.body[body.index];
      const auto c = cross(i.v, joint.S * joint.rate(v));
      const auto a_prime = joint.X().to_child(w.body[body.parent].a) + c;
      const auto qdd = joint.rate(a) - dot(joint.gain(w.gain.data()), a_prime);
      joint.set(a, qdd);
      i.a = a_prime + joint.S * qdd;
    });
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
