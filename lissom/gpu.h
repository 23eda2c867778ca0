#pragma once
// Many robots on a graphics card (docs/gpu.md). Link with lissom::gpu.
#include "lissom/gpu/batch.h"
