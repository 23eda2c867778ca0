#pragma once
// Simulation: systems, controllers, integrators; closed loops (docs/simulation.md); robots in contact
// (docs/contact_simulation.md).
#include "lissom/constraints/closed_loop_derivatives.h"
#include "lissom/constraints/closed_loops.h"
#include "lissom/sim/controller.h"
#include "lissom/sim/integrator.h"
#include "lissom/sim/linearize_step.h"
#include "lissom/sim/pull_spring.h"
#include "lissom/sim/robot_audit.h"
#include "lissom/sim/simulated_robot.h"
#include "lissom/sim/simulation.h"
#include "lissom/sim/stability.h"
#include "lissom/sim/system.h"
