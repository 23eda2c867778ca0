#pragma once
// Removes what the iterations on support functions leave of errors on curved shapes. Not for users.
#include "lissom/geometry/placed.h"

namespace lissom::collision {

/// Improves a separation in place, where it can; only the normal has to be near. True if the points prove the result to
/// be a maximum of the separation over directions near it: the distance, if it is positive.
bool polish(const Core& a, const Core& b, Separation& s);

}  // namespace lissom::collision
