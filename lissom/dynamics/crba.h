#pragma once
// The mass matrix M(q) by the composite-rigid-body algorithm: Featherstone, RBDA table 6.2, in body coordinates.
// Column j of F is the force that a unit acceleration of coordinate j needs, transformed from body to body towards the
// base; at each joint i on the way, Sᵢᵀ F gives the entry M(i, j). Reads q; writes the upper triangle of M, rows
// `stride` apart. Entries of joints on different branches are zero: they are left as they are (or set to zero, where
// they share a block with others).
#include "lissom/dynamics/force_columns.h"
#include "lissom/dynamics/rotors.h"
#include "lissom/tree/joint.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T>
struct CrbaScratch {
  Array<RigidInertia<T, Number<T>>> subtree;  // the sum over the children of each body
  ForceColumns<T> F;
  Configuration<T> at;
  template <class Real>
  explicit CrbaScratch(const Tree<Real>& tree) : subtree(tree.bodies.size()), F(tree.nv), at(tree.nq) {}
};

template <class T, class Real>
LISSOM_FLATTEN void crba(const Tree<Real>& tree, CrbaScratch<T>& w, const T* q, T* M, int stride) {
  configure(tree, w.at, q);

  for (const auto& body : tree.inward())
    visit_joint(body, w.at, [&](auto joint) {
      const auto X = joint.X();

      // The subtree from here on as one rigid body.
      const auto I = body.has_children ? w.subtree[body.index] + body.inertia : composite<T>(body.inertia);
      if (body.parent != world) gather(w.subtree[body.parent], X.to_parent(I), body.starts_sum);

      // The joint's own columns are I S; those of the joints beyond are already expressed in this frame. Each gives its
      // entries of M, and is transformed to the parent.
      for_each_column(w.F, body.v, body.last_v, joint.columns(I), [&](auto f, auto block) {
        joint.each(dot(joint.S, f), [&](int row, auto entries) { block.write(M + row * stride, entries); });
        if (body.parent != world) block.keep(X.to_parent(f));
      });
    });
  add_rotor_inertia(tree, M, stride);
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
