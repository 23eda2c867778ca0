#pragma once
// The inside of a Model: what build.cpp fills in and model.cpp shows.
#include <unordered_map>

#include "lissom/model/model.h"
#include "lissom/tree/coupling.h"
#include "lissom/tree/manifold.h"
#include "lissom/tree/sparsity.h"
#include "lissom/tree/tree.h"

namespace lissom {

struct Model::Data {
  Description description;
  BuildOptions options;
  std::vector<Joint> joints;
  std::vector<Link> links;
  std::vector<Frame> frames;
  std::vector<Loop> loops;
  std::vector<Spring> springs;
  std::vector<Actuator> actuators;
  std::unordered_map<std::string, int> joint_of, link_of, frame_of;
  Tree<double> tree;
  Tree<float> tree_float;
  Coupling<double> coupling;
  Coupling<float> coupling_float;
  Sparsity sparsity;
  Manifold manifold;
  std::vector<double> lower, upper, velocity_limit, effort_limit;
  std::vector<int> quaternions;
  std::shared_ptr<const void> structure_id = std::make_shared<char>();  // kept by copies
  double mass = 0;
  int snapped_axes = 0;
  double max_snap = 0;
};

}  // namespace lissom
