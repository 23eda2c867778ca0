#pragma once
// The surface of a body as corners and spheres, from its collision shapes, or from what is shown if it has none. Not
// for users.
#include "lissom/limbs/body_tree.h"

namespace lissom::limbs {

BodyShape body_shape(const Model& model, int body);

}  // namespace lissom::limbs
