#pragma once
// Many robots of one model at once (README.md).
#include "lissom/batch/batch.h"
