#pragma once
// Postures at rest on given contacts (docs/stance.md).
#include "lissom/stance/stance.h"
#include "lissom/stance/static_forces.h"
#include "lissom/stance/support_region.h"
