#pragma once
// Finds the feet and hands of a robot, and a posture in which it can stand, from its description alone.
#include "lissom/limbs/limb_contact.h"

namespace lissom {

/// Thrown for a robot without feet: an arm, or a robot on wheels.
class NoFeet : public Error {
 public:
  using Error::Error;
};

/// Proposes contacts: soles of legs and ends of arms. Shapes count (collisions; where there are none, visuals; meshes
/// whose files were found), then frames that the file names soles, then inertias; what had to be assumed is a remark.
/// The robot is taken to stand upright, z up and x forward, in its posture "home" or "stand" if its file has one,
/// otherwise in the neutral one. Throws NoFeet with the reason if it has none.
RobotContacts propose_contacts(const Description& robot);

/// Adds a frame for each contact, at the link that carries it. Throws an Error if a link is unknown or a name taken.
void add_contact_frames(Description& robot, const RobotContacts& contacts);

}  // namespace lissom
