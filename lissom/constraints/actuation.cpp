#include "lissom/constraints/actuation.h"

#include <algorithm>

namespace lissom {

Actuation actuation(const Model& model, const std::vector<std::string>& passive_joints) {
  for (const auto& name : passive_joints) model.joint(name);
  Actuation result;
  for (const auto& joint : model.joints()) {
    const bool passive = joint.type == JointType::free || joint.effort_limit == 0 ||
                         std::find(passive_joints.begin(), passive_joints.end(), joint.name) != passive_joints.end();
    for (int i = 0; i < joint.nv; ++i) (passive ? result.passive : result.motors).push_back(joint.v_index + i);
  }
  return result;
}

}  // namespace lissom
