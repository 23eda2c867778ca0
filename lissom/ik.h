#pragma once
// Inverse kinematics: configurations, velocities, many poses at once (docs/ik.md).
#include "lissom/ik/batch.h"
#include "lissom/ik/closed_loops.h"
#include "lissom/ik/pull.h"
#include "lissom/ik/solver.h"
#include "lissom/ik/velocity.h"
