#pragma once
// Which degrees of freedom have a motor.
#include <string>
#include <vector>

#include "lissom/model/model.h"

namespace lissom {

struct Actuation {
  std::vector<int> motors, passive;  // degrees of freedom, in the order of v
};

/// Every joint has a motor but free joints, those with effort limit 0, and those that are named. Error where a name is
/// unknown.
Actuation actuation(const Model& model, const std::vector<std::string>& passive_joints = {});

}  // namespace lissom
