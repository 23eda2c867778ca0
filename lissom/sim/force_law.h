#pragma once
// External forces as functions of the state.
#include <functional>
#include <vector>

#include "lissom/api/dynamics.h"
#include "lissom/sim/controller.h"

namespace lissom::sim {

/// Appends the external forces at this instant.
using ForceLaw = std::function<void(const Instant&, std::vector<ExternalForce>&)>;

}  // namespace lissom::sim
