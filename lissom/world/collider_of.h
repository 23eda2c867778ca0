#pragma once
// What bodies touch of a shape. Not for users.
#include <optional>

#include "lissom/geometry/collider.h"

namespace lissom::worlds {

// A mesh is replaced by its hull. Returns nothing where its file cannot be read.
std::optional<Collider> collider_of(const Shape& shape);

}  // namespace lissom::worlds
