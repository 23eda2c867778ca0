#pragma once
// Forward dynamics by the articulated-body algorithm: the acceleration a that solves M(q) a + h(q, v) = tau + Σ Jᵀ f,
// with external forces f. Featherstone, RBDA table 7.1, in body coordinates. The recursion is for the difference
// between the bodies' accelerations and those at a = 0: the latter, gravity and velocity products included, go into the
// bias forces p in the first pass, as in rnea.h, and no velocity is needed after it. (The table's c_i and Iᵃ c vanish,
// which saves a quarter of the operations.) Reads q, v, tau and, where given, one external force per body, in that
// body's frame about its origin. Writes a. O(n).
#include "lissom/dynamics/rotors.h"
#include "lissom/tree/joint.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct AbaScratch {
  struct PerBody {
    Motion<T> v, a;           // a: first that of a = 0, with gravity; then the difference due to the joints
    ArticulatedInertia<T> I;  // the sum over the children
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

  // Outward: velocities, accelerations at a = 0, and the forces that these require.
  for (const auto& body : tree.outward())
    visit_joint(body, w.at, [&](auto joint) {
      auto& i = w.body[body.index];
      const auto& parent = w.body[body.parent];
      const auto X = joint.X();
      const auto vJ = joint.S * joint.rate(v);
      i.v = X.to_child(parent.v) + vJ;
      i.a = X.to_child(parent.a) + cross(i.v, vJ);
      i.p = newton_euler(body.inertia, i.v, i.a);  // I a + v ×* I v
    });
  if (external)
    for (const auto& body : tree.outward()) w.body[body.index].p -= external[body.index];

  // Inward: articulated inertias I and bias forces p.
  with_rotors(tree, [&](auto rotors) {
    for (const auto& body : tree.inward())
      visit_joint(body, w.at, [&](auto joint) {
        auto& i = w.body[body.index];
        auto& parent = w.body[body.parent];

        // the inertia and force that the joint feels
        const auto I = body.has_children ? i.I + body.inertia : ArticulatedInertia<T>(body.inertia);
        const auto U = I * joint.S;
        const auto D_inverse = inverse(rotors.joint_inertia(joint, dot(joint.S, U)));
        const auto u = joint.force(tau) - dot(joint.S, i.p);
        const auto W = U * D_inverse;
        const auto y = D_inverse * u;
        joint.gain(w.gain.data()) = W;
        joint.set(a, y);  // a holds D⁻¹ u until the last pass

        // the part that it transmits to the parent
        if (body.parent == world) return;
        const auto X = joint.X();
        parent.p += X.to_parent(i.p + U * y);
        gather(parent.I, X.to_parent(rotors.transmitted(joint, I, U, W)), body.starts_sum);  // I - U D⁻¹ Uᵀ
      });
  });

  // Outward again: the joints' accelerations, and those of the bodies that they cause.
  w.body[world].a = zero_motion<T>();
  for (const auto& body : tree.outward())
    visit_joint(body, w.at, [&](auto joint) {
      auto& i = w.body[body.index];
      const auto a_prime = joint.X().to_child(w.body[body.parent].a);
      const auto qdd = joint.rate(a) - dot(joint.gain(w.gain.data()), a_prime);
      joint.set(a, qdd);
      i.a = a_prime + joint.S * qdd;
    });
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
