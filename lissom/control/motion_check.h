#pragma once
// What can be known about a motion before it runs: whether its contacts can carry the center of mass along its path,
// whether there is a static posture at the end of each stage, and whether limbs reach their targets.
#include <functional>

#include "lissom/control/motion_plan.h"

namespace lissom::control {

/// Something that cannot work, or hardly.
struct MotionFinding {
  std::string stage;
  std::string what;     ///< with the number that would do, where there is one
  bool wrong = false;   ///< the plan contradicts itself: it moves a contact on which the robot stands
  bool serious = true;  ///< it cannot work; otherwise it leaves less than the margins of the plan's gains
};

/// Options of check_motion().
struct MotionCheckOptions {
  bool postures = true;  ///< whether static postures and reach are searched for, which takes some milliseconds a stage
  std::function<bool()> stop = {};  ///< asked while they are; if true, the findings are those so far
};

/// All findings, in the order of the stages. Error if a name of the plan is unknown.
std::vector<MotionFinding> check_motion(const Model& model, const MotionPlan& plan,
                                        const MotionCheckOptions& options = {});

}  // namespace lissom::control
