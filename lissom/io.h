#pragma once
// Files of robots: read into a Description, with what was found wrong in them, and written as URDF, MJCF or SDF
// (docs/urdf.md, docs/xacro.md, docs/convert.md). To load a Model, lissom/lissom.h is enough.
#include "lissom/io/read.h"
#include "lissom/io/urdf/urdf.h"
#include "lissom/io/write/write.h"
#include "lissom/io/xacro/xacro.h"
