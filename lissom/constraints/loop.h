#pragma once
// Closures of a tree: loops, which constrain two frames to each other along and about some axes, and couplings of
// joints.
#include <vector>

#include "lissom/model/model.h"

namespace lissom {

/// The loops and couplings of a model.
struct Closures {
  std::vector<Loop> loops;
  std::vector<JointCoupling> couplings;
  bool empty() const { return loops.empty() && couplings.empty(); }
};

/// Those of the model's description.
inline Closures closures(const Model& model) {
  return {model.loops(), model.couplings()};
}

}  // namespace lissom
