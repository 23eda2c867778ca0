#pragma once
// Closed loops as rows that inverse kinematics keeps.
#include "lissom/constraints/loop.h"
#include "lissom/ik/target.h"

namespace lissom::ik {

// For Solver: its solutions then have all loops closed, to `tolerance` (the length of all gaps together).
ExtraRows closed_loops(const Model& model, const Closures& description, double tolerance = 1e-8);

}  // namespace lissom::ik
