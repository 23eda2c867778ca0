#pragma once
// Statics: tau = Σ Jᵀ f, what forces on bodies do in the joints. Reads q and, in the scratch, a force per body, in its
// frame about its origin (which it sums up towards the base); writes tau.
#include "lissom/dynamics/rnea.h"

namespace lissom {

inline namespace LISSOM_ISA_NAMESPACE {

template <class T, class Real, class Where>
LISSOM_FLATTEN void joint_forces(const Tree<Real>& tree, RneaScratch<T>& w, const Where& q, T* tau) {
  hand_inward<false>(tree, w, configured(tree, w.at, q), tau);
}

}  // namespace LISSOM_ISA_NAMESPACE
}  // namespace lissom
