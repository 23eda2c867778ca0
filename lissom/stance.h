#pragma once
// Stances: postures in which a robot is at rest on given contacts (docs/stance.md).
#include "lissom/stance/stance.h"
#include "lissom/stance/static_forces.h"
#include "lissom/stance/support_region.h"
