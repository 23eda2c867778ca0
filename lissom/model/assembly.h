#pragma once
// A tree that is being built: its bodies are in depth-first order, in which the traversal of the description visits
// them. layout() brings them into the order and form of Model::Data.
#include "lissom/model/model_data.h"

namespace lissom {

struct Assembly {
  Tree<double> tree;               // body 0 is the world; index and parent are depth-first
  std::vector<int> joint_of_body;  // index in `joints`
  std::vector<Joint> joints;       // q_index … nv count the tree's coordinates, followers included
  std::vector<Link> links;         // Link::body is an index in tree.bodies
  std::vector<Frame> frames;
  int snapped_axes = 0;
  double max_snap = 0;
};

// Reorders the bodies from depth-first to breadth-first; adds couplings, sparsity, limits and names.
std::shared_ptr<const Model::Data> layout(Assembly assembly, const Description& description,
                                          const BuildOptions& options);

}  // namespace lissom
