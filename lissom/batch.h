#pragma once
// Many robots of one model at once (docs: README.md).
#include "lissom/batch/batch.h"
