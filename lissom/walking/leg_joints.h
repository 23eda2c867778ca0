#pragma once
// Which joints are a leg's own.
#include <vector>

#include "lissom/model/model.h"

namespace lissom::walking {

/// Degrees of freedom (indices of v) between each of the frames and the first body that carries two or more of them.
std::vector<std::vector<int>> leg_joints(const Model& model, const std::vector<FrameId>& frames);

}  // namespace lissom::walking
