#pragma once
// Motion in time: systems, controllers, integrators, runs; closed loops (docs/motion.md).
#include "lissom/constraints/closed_loops.h"
#include "lissom/constraints/sidecar.h"
#include "lissom/sim/controller.h"
#include "lissom/sim/integrator.h"
#include "lissom/sim/simulation.h"
#include "lissom/sim/system.h"
