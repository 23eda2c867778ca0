#pragma once
// Makes a robot fit to be simulated where its file is not. Not for users.
#include "lissom/limbs/limb_contact.h"

namespace lissom::limbs {

// Joints outside of the legs that can never move, because their limits are zero, or that move no mass, become fixed at
// their neutral position: fingers, mostly. A remark says so.
void fix_useless_joints(Description& robot, RobotContacts& contacts);

// A file may have other things than the robot, which is the largest of its trees. Whatever moves beside it becomes
// fixed, and has no mass, as links have none that are fixed to the world: it would count for the robot's balance. What
// floated does not touch anything either.
void keep_only_robot(Description& robot, const BuildOptions& options);

}  // namespace lissom::limbs
