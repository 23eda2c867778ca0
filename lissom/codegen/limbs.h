#pragma once
// How a robot is divided into limbs (program.h), and to which limb its coordinates belong.
#include <vector>

#include "lissom/codegen/program.h"
#include "lissom/model/model.h"

namespace lissom::codegen {

struct Limbs {
  std::vector<Limb> limbs;
  std::vector<int> of_body;
  std::vector<int> of_q, of_v;  ///< of the joint that an element of the model's q or v belongs to

  explicit Limbs(const Model& model);
};

}  // namespace lissom::codegen
