#pragma once
// Equations of small mechanisms in closed form (docs/equations.md).
#include "lissom/symbolic/equations.h"
