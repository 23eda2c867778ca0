#pragma once
// Makes a robot fit to be simulated where its file is not. Not for users.
#include "lissom/limbs/limb_contact.h"

namespace lissom::limbs {

// Joints outside of the legs that can never move, because their limits are zero, or that move no mass, become fixed at
// their neutral position: fingers, mostly. A remark says so.
void fix_useless_joints(Description& robot, RobotContacts& contacts);

// Links that are fixed to the world, such as stairs in the robot's file, have no mass afterwards: they would count for
// its center of mass.
void drop_masses_of_world(Description& robot, const BuildOptions& options);

}  // namespace lissom::limbs
