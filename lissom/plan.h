#pragma once
// Plans: which limb touches where and when, with static postures (docs/plan.md).
#include "lissom/plan/environment.h"
#include "lissom/plan/plan.h"
