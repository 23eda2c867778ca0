#pragma once
// A tree while it is being built: bodies depth first, as the walk over the description meets them. layout() brings them
// into the order and form of Model::Data.
#include "lissom/model/model_data.h"

namespace lissom {

struct Assembly {
  Tree<double> tree;               // body 0 is the world, the others depth first; index and parent are positions here
  std::vector<int> joint_of_body;  // index in `joints`
  std::vector<Joint> joints;       // q, nq, v, nv in the tree's own numbering, followers included
  std::vector<Link> links;         // body: position in tree.bodies
  std::vector<Frame> frames;
  int snapped_axes = 0;
  double max_snap = 0;
};

// From depth first to level by level; couplings, sparsity, limits, names.
std::shared_ptr<const Model::Data> layout(Assembly assembly, const Description& description,
                                          const BuildOptions& options);

}  // namespace lissom
