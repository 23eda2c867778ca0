#pragma once
// Walking, trotting, and steps that recover from pushes, for any robot with feet (docs/walking.md).
#include "lissom/walking/run.h"
