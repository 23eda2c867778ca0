#pragma once
// The generalized forces tau = Σ Jᵀ f of forces on bodies: the inward half of the recursive Newton–Euler algorithm
// (rnea.h). Reads q and, in `force`, one force per body, in its frame about its origin, which it sums up towards the
// base; writes tau.
#include "lissom/tree/joint.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T, class Real, class Where>
LISSOM_FLATTEN void generalized_forces(const Tree<Real>& tree, Configuration<T>& scratch, const Where& q,
                                       Array<Force<T>>& force, T* tau) {
  const auto& at = configured(tree, scratch, q);
  for (const auto& body : tree.inward())
    visit_joint(body, at, [&](auto joint) {
      const auto& f = force[body.index];
      joint.set(tau, dot(joint.S, f));
      if (body.parent != world) force[body.parent] += joint.X().to_parent(f);
    });
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
