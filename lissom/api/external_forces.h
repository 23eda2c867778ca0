#pragma once
// External forces of a call, checked and brought to the kernels' form. Not installed.
#include <span>

#include "lissom/api/dynamics.h"

namespace lissom {

// Error where a force is not finite or on no frame of the model: "external[1].force.y is NaN". name: of the argument.
void expect_forces(const char* name, const Model& model, std::span<const ExternalForce> forces);
// The forces summed up per body, in its frame about its origin, as the kernels take them; nullptr where there are none.
// Checks them, and places the bodies at q (which must be a configuration): the stage is positions then.
const double* body_forces(const Model& model, Workspace& work, const VectorIn& q,
                          std::span<const ExternalForce> external);

}  // namespace lissom
