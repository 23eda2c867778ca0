#pragma once
// Checks external forces and converts them to the form that the kernels take. Not installed.
#include <span>

#include "lissom/api/dynamics.h"

namespace lissom {

// Throws Error if a force is not finite or its frame is not of this model: "external[1].force.y is NaN". `name` is the
// name of the argument.
void expect_forces(const char* name, const Model& model, std::span<const ExternalForce> forces);
// The sum of the forces on each body, in its frame about its origin, as the kernels take them; nullptr if there are
// none. Checks the forces and computes the poses of the bodies at q, which must be valid: the stage is `positions`
// then.
const double* body_forces(const Model& model, Workspace& work, const VectorIn& q,
                          std::span<const ExternalForce> external);

}  // namespace lissom
