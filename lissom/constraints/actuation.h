#pragma once
// Which degrees of freedom have a motor.
#include <string>
#include <vector>

#include "lissom/model/model.h"

namespace lissom {

/// Indices of degrees of freedom, in the order of v.
struct Actuation {
  std::vector<int> motors, passive;
};

/// Every joint has a motor except free joints, joints with effort limit 0, and those in `passive_joints`. Throws an
/// Error if a name is unknown.
Actuation actuation(const Model& model, const std::vector<std::string>& passive_joints = {});

}  // namespace lissom
