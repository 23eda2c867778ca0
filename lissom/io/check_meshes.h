#pragma once
// Opens the meshes of a robot, and reports what is wrong with them.
#include <vector>

#include "lissom/model/description.h"
#include "lissom/model/diagnostic.h"

namespace lissom::io {

/// Findings about the files of meshes, at the lines that name them: one that cannot be read is a warning if bodies
/// collide with it, and a note if it is only shown; one that is far larger than the robot is a warning (`mesh-units`).
/// Meshes that were not found are not opened.
std::vector<Diagnostic> check_meshes(const Description& description);

}  // namespace lissom::io
