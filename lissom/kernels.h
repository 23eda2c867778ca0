#pragma once
// The algorithms as tables of functions, for a Workspace that is to use a certain one of them (ARCHITECTURE.md).
#include "lissom/kernels/kernels.h"
