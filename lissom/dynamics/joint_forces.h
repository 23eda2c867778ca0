#pragma once
// Statics: tau = Σ Jᵀ f, what forces on bodies do in the joints. Reads q and, in the scratch, a force per body, in its
// frame about its origin (which it sums up towards the base); writes tau.
#include "lissom/dynamics/rnea.h"

namespace lissom {

inline namespace LISSOM_ISA {

template <class T, class Real, class Where>
LISSOM_FLATTEN void joint_forces(const Tree<Real>& tree, RneaScratch<T>& w, const Where& q, T* tau) {
  const auto& at = configured(tree, w.at, q);
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
