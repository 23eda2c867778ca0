#pragma once
// Which way a robot faces. Not for users.
#include "lissom/limbs/body_tree.h"

namespace lissom::limbs {

// Whether the joints of its legs turn about x rather than about y: such a robot walks along y.
bool legs_swing_sideways(const BodyTree& tree, const Limbs& limbs);
// How many names of legs tell the side and the end that the legs have (left, right, front, rear; FL, RH and the like),
// less those that tell the opposite. Negative: it faces the other way.
int names_in_favor(const BodyTree& tree, const Limbs& limbs);

}  // namespace lissom::limbs
