#pragma once
// Stances: postures in which a robot is at rest on given contacts (docs/stance.md).
#include "lissom/stance/stance.h"
