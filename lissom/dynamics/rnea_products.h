#pragma once
// Products with the derivatives of inverse dynamics, in O(n), without the derivatives themselves: along a direction
// (δq, δv, δa), and the gradient of wᵀ tau. Both follow from Singh, Russell and Wensing 2022 (rnea_derivatives.h) by
// exchanging sums: over the joints i that carry a degree of freedom j, and over all j that a joint carries. Here in
// body coordinates, with the velocity v_λ and acceleration a_λ of the parent (gravity included) in the frame of the
// child, B of body_coriolis.h, and f the force of the subtree.
//
// Jacobian-vector product. Outward, with s = S δq:
//   V = X V_λ + v_λ × s + S δv,   A = X A_λ + a_λ × s + v_λ × (v_λ × s) + (v_λ + v) × S δv + S δa
// Inward: F sums I A + 2B V over the subtree, and s ×* f of the joints beyond; δtau = Sᵀ F.
//
// Vector-Jacobian product. Outward: w = X w_λ + S w_i, the velocity of the bodies for the joint rates w.
// Inward: P sums I w, and Q sums 2Bᵀ w over the subtree;
//   ∂/∂a = Sᵀ P,   ∂/∂v = Sᵀ (Q - (v_λ + v) ×* P),   ∂/∂q = -Sᵀ (a_λ ×* P + v_λ ×* (Q - v_λ ×* P) + w_λ ×* f)
#include "lissom/dynamics/rotors.h"
#include "lissom/tree/joint.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct RneaProductsScratch {
  struct PerBody {
    Motion<T> v, a, v_parent, a_parent;  // the latter two are the parent's, in the frame of this body
    Force<T> f;
  };
  struct Forward {
    Motion<T> V, A;
    Force<T> F;
  };
  struct Backward {
    Motion<T> w, w_parent;
    Force<T> P, Q;
  };
  Array<PerBody> body;
  Array<Forward> forward;
  Array<Backward> backward;
  Configuration<T> at;
  template <class Real>
  explicit RneaProductsScratch(const Tree<Real>& tree)
      : body(tree.bodies.size()), forward(tree.bodies.size()), backward(tree.bodies.size()), at(tree.nq) {}
};

/// Velocities, accelerations and forces as in rnea.h, in the frames of the bodies.
template <class Joint, class T, class Real>
LISSOM_INLINE void move_body(const Joint& joint, const Body<Real>& body, RneaProductsScratch<T>& w, const T* v,
                             const T* a, const Force<T>* external) {
  auto& i = w.body[body.index];
  const auto& parent = w.body[body.parent];
  const auto X = joint.X();
  const auto vJ = joint.S * joint.rate(v);
  i.v_parent = X.to_child(parent.v);
  i.a_parent = X.to_child(parent.a);
  i.v = i.v_parent + vJ;
  i.a = i.a_parent + joint.S * joint.rate(a) + cross(i.v, vJ);
  i.f = newton_euler(body.inertia, i.v, i.a);
  if (external) i.f -= external[body.index];
}

/// Reads q, v, a, the direction dq, dv, da and, where given, one external force per body, in that body's frame, which
/// moves with the body. Writes the change of tau.
template <class T, class Real>
LISSOM_FLATTEN void rnea_jvp(const Tree<Real>& tree, RneaProductsScratch<T>& w, const T* q, const T* v, const T* a,
                             const T* dq, const T* dv, const T* da, T* dtau, const Force<T>* external = nullptr) {
  configure(tree, w.at, q);
  w.body[world].v = w.forward[world].V = w.forward[world].A = zero_motion<T>();
  w.body[world].a = upward<T>(tree.gravity);

  for (const auto& body : tree.outward())
    visit_joint(body, w.at, [&](auto joint) {
      move_body(joint, body, w, v, a, external);
      const auto& i = w.body[body.index];
      const auto& parent = w.forward[body.parent];
      auto& d = w.forward[body.index];
      const auto X = joint.X();
      const auto s = joint.S * joint.rate(dq);
      const auto change = joint.S * joint.rate(dv);
      const auto psi_dot = zero_motion<T>() + cross(i.v_parent, s);
      d.V = X.to_child(parent.V) + psi_dot + change;
      d.A = X.to_child(parent.A) + cross(i.a_parent, s) + cross(i.v_parent, psi_dot) + cross(i.v_parent + i.v, change) +
            joint.S * joint.rate(da);
      const auto V2 = d.V + d.V;
      d.F = body.inertia * d.A + body_coriolis(body.inertia, i.v) * V2;
    });

  for (const auto& body : tree.inward())
    visit_joint(body, w.at, [&](auto joint) {
      const auto& d = w.forward[body.index];
      joint.set(dtau, dot(joint.S, d.F));
      if (body.parent == world) return;
      const auto X = joint.X();
      const auto& f = w.body[body.index].f;
      const auto s = zero_motion<T>() + joint.S * joint.rate(dq);
      w.body[body.parent].f += X.to_parent(f);
      w.forward[body.parent].F += X.to_parent(d.F + cross(s, f));
    });
  add_rotor_forces(tree, da, dtau);
}

/// Reads q, v, a, the weights and, where given, external forces as above. Writes the gradient of weightsᵀ tau with
/// respect to q (in the tangent space), v and a.
template <class T, class Real>
LISSOM_FLATTEN void rnea_vjp(const Tree<Real>& tree, RneaProductsScratch<T>& w, const T* q, const T* v, const T* a,
                             const T* weights, T* gradient_q, T* gradient_v, T* gradient_a,
                             const Force<T>* external = nullptr) {
  configure(tree, w.at, q);
  w.body[world].v = w.backward[world].w = zero_motion<T>();
  w.body[world].a = upward<T>(tree.gravity);

  for (const auto& body : tree.outward())
    visit_joint(body, w.at, [&](auto joint) {
      move_body(joint, body, w, v, a, external);
      auto& b = w.backward[body.index];
      b.w_parent = joint.X().to_child(w.backward[body.parent].w);
      b.w = b.w_parent + joint.S * joint.rate(weights);
      b.P = body.inertia * b.w;
      b.Q = transpose_times(body_coriolis(body.inertia, w.body[body.index].v), b.w + b.w);
    });

  for (const auto& body : tree.inward())
    visit_joint(body, w.at, [&](auto joint) {
      const auto& i = w.body[body.index];
      const auto& b = w.backward[body.index];
      joint.set(gradient_a, dot(joint.S, b.P));
      joint.set(gradient_v, dot(joint.S, b.Q - cross(i.v_parent + i.v, b.P)));
      joint.set(gradient_q, dot(joint.S, cross(i.v_parent, cross(i.v_parent, b.P) - b.Q) - cross(i.a_parent, b.P) -
                                             cross(b.w_parent, i.f)));
      if (body.parent == world) return;
      const auto X = joint.X();
      auto& parent = w.backward[body.parent];
      w.body[body.parent].f += X.to_parent(i.f);
      parent.P += X.to_parent(b.P);
      parent.Q += X.to_parent(b.Q);
    });
  add_rotor_forces(tree, weights, gradient_a);
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
