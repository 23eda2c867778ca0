#pragma once
// The Coriolis matrix C(q, v): C v = h(q, v) - g(q), and Ṁ - 2 C is skew-symmetric.
// Echeandia and Wensing, "Numerical Methods to Compute the Coriolis Matrix and Christoffel Symbols for Rigid-Body
// Systems", 2021, in body coordinates: composite inertias I and the matrices B of subtrees (body_coriolis.h) are summed
// inward as in the CRBA, and each degree of freedom j sends three forces towards the base:
//   f1 = I Ṡ + B S,   f2 = I S,   f3 = Bᵀ S,     with Ṡ = v × S
// At each joint i on the way, C(i, j) = S_iᵀ f1 and C(j, i) = Ṡ_iᵀ f2 + S_iᵀ f3.
// Reads q, v; writes C, rows `stride` apart; entries of joints on different branches are zero and are left as they are.
#include "lissom/dynamics/force_columns.h"
#include "lissom/tree/joint.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct CoriolisScratch {
  struct PerBody {
    Motion<T> v;
    RigidInertia<T, Number<T>> I;  // the sum over the children
    BodyCoriolis<T> B;             // the sum over the body and its children
  };
  Array<PerBody> body;
  ForceColumns<T> F1, F2, F3;
  Configuration<T> at;
  template <class Real>
  explicit CoriolisScratch(const Tree<Real>& tree)
      : body(tree.bodies.size()), F1(tree.nv), F2(tree.nv), F3(tree.nv), at(tree.nq) {}
};

template <class T, class Real>
LISSOM_FLATTEN void coriolis(const Tree<Real>& tree, CoriolisScratch<T>& w, const T* q, const T* v, T* C, int stride) {
  configure(tree, w.at, q);
  w.body[world].v = zero_motion<T>();

  for (const auto& body : tree.outward())
    visit_joint(body, w.at, [&](auto joint) {
      auto& i = w.body[body.index];
      i.v = joint.X().to_child(w.body[body.parent].v) + joint.S * joint.rate(v);
      i.B = body_coriolis(body.inertia, i.v);
    });

  for (const auto& body : tree.inward())
    visit_joint(body, w.at, [&](auto joint) {
      auto& i = w.body[body.index];
      const auto X = joint.X();
      const auto I = body.has_children ? i.I + body.inertia : composite<T>(body.inertia);
      if (body.parent != world) {
        gather(w.body[body.parent].I, X.to_parent(I), body.starts_sum);
        w.body[body.parent].B += X.to_parent(i.B);
      }

      // The forces of this joint's own degrees of freedom.
      auto own1 = joint.columns(I), own2 = own1, own3 = own1;
      joint.each_axis([&](int j, auto axis, auto sign) {
        const auto S = sign * as_motion<T>(axis);
        own1[j - body.v] = I * (sign * cross(i.v, axis)) + i.B * S;
        own3[j - body.v] = transpose_times(i.B, S);
      });
      set_columns(w.F1, body.v, own1);
      set_columns(w.F2, body.v, own2);
      set_columns(w.F3, body.v, own3);

      // C(i, j) and C(j, i) for this joint i and every j from here on.
      for_each_column(
          body.v, body.last_v,
          [&](auto F1j, auto F2j, auto F3j) {
            const auto f1 = F1j.force(), f2 = F2j.force(), f3 = F3j.force();
            joint.each(dot(joint.S, f1), [&](int row, auto entries) { F1j.write(C + row * stride, entries); });
            joint.each_axis([&](int column, auto axis, auto sign) {
              F2j.write_down(C + column, stride, sign * (dot(cross(i.v, axis), f2) + dot(axis, f3)));
            });
            if (body.parent == world) return;
            F1j.keep(X.to_parent(f1));
            F2j.keep(X.to_parent(f2));
            F3j.keep(X.to_parent(f3));
          },
          w.F1, w.F2, w.F3);
    });
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
