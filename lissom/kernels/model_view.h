#pragma once
// The parts of a model that the algorithms read: the tree, the coupling of the tree's coordinates to the model's, which
// entries of M can be non-zero, and the manifold of configurations.
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
  /// For scalars of which a model has no tree of its own.
  ModelView(const Tree<Real>& t, const Coupling<Real>& c, const Sparsity& s, const Manifold& m)
      : tree(t), coupling(c), sparsity(s), manifold(m) {}
};

}  // namespace lissom
