#pragma once
// Controllers in generalized coordinates for engines in maximal coordinates, ODE and Bullet (docs/formulations.md).
// Link with lissom::bridge.
#include "lissom/bridge/bridge.h"
