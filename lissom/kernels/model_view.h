#pragma once
// A model as the algorithms see it: the tree, how the model's coordinates lie in the tree's, which entries of M can be
// non-zero, and how configurations move.
#include "lissom/model/model.h"
#include "lissom/tree/coupling.h"
#include "lissom/tree/manifold.h"
#include "lissom/tree/sparsity.h"
#include "lissom/tree/tree.h"

namespace lissom {

template <class Real>
struct ModelView {
  const Tree<Real>& tree;
  const Coupling<Real>& coupling;
  const Sparsity& sparsity;
  const Manifold& manifold;
  explicit ModelView(const Model& model)
      : tree(model.tree<Real>()),
        coupling(model.coupling<Real>()),
        sparsity(model.sparsity()),
        manifold(model.manifold()) {}
};

}  // namespace lissom
