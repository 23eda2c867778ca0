#pragma once
// What closes a tree into loops: two frames that stay together along some axes, and joints that move together.
#include <vector>

#include "lissom/model/model.h"

namespace lissom {

struct Closures {
  std::vector<Loop> loops;
  std::vector<JointCoupling> couplings;
  bool empty() const { return loops.empty() && couplings.empty(); }
};

/// What the model's description says.
inline Closures closures(const Model& model) {
  return {model.loops(), model.couplings()};
}

}  // namespace lissom
