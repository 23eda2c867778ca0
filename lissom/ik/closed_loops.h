#pragma once
// Closed loops as equations of inverse kinematics.
#include "lissom/constraints/loop.h"
#include "lissom/ik/target.h"

namespace lissom::ik {

/// The loops as extra rows of a Solver. The norm of all gaps of its solutions is at most `tolerance`.
ExtraRows closed_loops(const Model& model, const Closures& description, double tolerance = 1e-8);

}  // namespace lissom::ik
