#pragma once
// Removes what the iterations on support functions leave of errors on curved shapes. Not for users.
#include "lissom/geometry/placed.h"

namespace lissom::collision {

/// Improves a separation in place, where it can.
void polish(const Core& a, const Core& b, Separation& s);

}  // namespace lissom::collision
