#pragma once
// Programs for one robot: traced from the algorithms, evaluated, and written as C++, C or CUDA (docs/codegen.md).
#include "lissom/codegen/generate.h"
#include "lissom/codegen/schedule.h"
#include "lissom/codegen/trace.h"
