#pragma once
// Whether two descriptions are of the same robot. Not for users.
#include "lissom/model/description.h"

namespace lissom::recording {

// Whether links, joints, frames, actuators and contact materials are the same, number by number. Not compared are the
// paths at which files were found, gravity, which a recording has by itself, and loops, couplings and springs, which
// come from a file of their own.
bool same_robot(const Description& a, const Description& b);

}  // namespace lissom::recording
