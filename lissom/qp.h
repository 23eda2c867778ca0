#pragma once
// Quadratic programs (docs/qp.md).
#include "lissom/qp/solver.h"
