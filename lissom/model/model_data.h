#pragma once
// The data of a Model: build.cpp and layout.cpp fill it in, model.cpp gives access to it. Not installed.
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
  std::shared_ptr<const void> structure_id = std::make_shared<char>();  // the address is the id; copies keep it
  double mass = 0, moving_mass = 0;
  int snapped_axes = 0;
  double max_snap = 0;
};

}  // namespace lissom
